#!/usr/bin/env python3
"""Prepares the cases' world on a fresh emulator and runs run_cases.py there."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
from collections import Counter

from emulator import Emulator
from fixture_world import prepare


# Cases that need something prepared: what to do on the emulator. The first phone is the one whose token is {TOKEN}.
PREPARED = {
    "V1-21": lambda emulator: emulator.control("faults", {
        "door": "apns", "target": "iphone-1", "status": 403, "reason": "InvalidProviderToken"}),
}


def run(cases, emulator, options):
    """Runs run_cases.py, prints what it says and returns its counts, or None when it broke."""
    folder = emulator.folder
    done = subprocess.run(
        [sys.executable, str(cases / "run_cases.py"), "--base", emulator.ready["http"], "--env",
         str(folder / "env.json"), "--apns-log", str(emulator.apns_log), "--sa-key", str(folder / "sa.pem")] + options,
        stdout=subprocess.PIPE, text=True)
    lines = done.stdout.strip().splitlines()
    later = [] if options else [f"SKIP {case} " for case in PREPARED]
    print("\n".join(line for line in lines[:-1] if not any(line.startswith(start) for start in later)))
    counts = dict(re.findall(r"'(\w+)': (\d+)", lines[-1] if lines else ""))
    return Counter({name: int(count) for name, count in counts.items()}) if counts else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pharos", required=True)
    parser.add_argument("--cases", required=True, type=pathlib.Path)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    with Emulator(arguments.pharos) as emulator:
        env, key = prepare(emulator)
        (emulator.folder / "env.json").write_text(json.dumps(env))
        (emulator.folder / "sa.pem").write_text(key)
        counts = run(arguments.cases, emulator, arguments.options)
        if counts and not arguments.options:
            for case, set_up in PREPARED.items():
                set_up(emulator)
                counts += run(arguments.cases, emulator, ["--ids", case, "--with-setup"]) or Counter(fail=1)
                counts["skip"] -= 1
    if not counts:
        print("The cases did not run; see the text above.", file=sys.stderr)
        return 1
    print(f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped")
    return 1 if counts["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
