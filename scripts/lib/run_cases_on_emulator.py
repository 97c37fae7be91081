#!/usr/bin/env python3
"""Prepares the cases' world on a fresh emulator and runs run_cases.py there."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

from emulator import Emulator
from fixture_world import prepare


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pharos", required=True)
    parser.add_argument("--cases", required=True, type=pathlib.Path)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    with Emulator(arguments.pharos) as emulator:
        env, key = prepare(emulator)
        env_file, key_file = emulator.folder / "env.json", emulator.folder / "sa.pem"
        env_file.write_text(json.dumps(env))
        key_file.write_text(key)
        done = subprocess.run(
            [sys.executable, str(arguments.cases / "run_cases.py"), "--base", emulator.ready["http"],
             "--env", str(env_file), "--apns-log", str(emulator.apns_log), "--sa-key", str(key_file)]
            + arguments.options,
            stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    counts = dict(re.findall(r"'(\w+)': (\d+)", done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""))
    if not counts:
        print("The cases did not run; see the text above.", file=sys.stderr)
        return 1
    print(f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped")
    return 1 if int(counts["fail"]) else 0


if __name__ == "__main__":
    sys.exit(main())
