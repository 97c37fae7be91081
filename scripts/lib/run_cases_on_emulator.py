#!/usr/bin/env python3
"""Prepares the cases' world and runs run_cases.py there: each area on a fresh emulator, because what one area does to the
world (the topics that a device follows) would change what another one sees."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
from collections import Counter

from emulator import Emulator
from fixture_world import change_group, prepare


def refuse_apns_key(emulator, env):
    """The first phone is the one whose token is {TOKEN}."""
    emulator.control("faults", {
        "door": "apns", "target": "iphone-1", "status": 403, "reason": "InvalidProviderToken"})


def group_that_is_gone(emulator, env):
    key = change_group(emulator, env, "create", "user-2", [env["TOKEN"]])
    return {"NOTIFICATION_KEY": change_group(emulator, env, "remove", "user-2", [env["TOKEN"]], key)}


# Cases that need something prepared: what to do on the emulator. Answers the placeholders that have other values then.
PREPARED = {
    "V1-21": refuse_apns_key,
    "GRP-05": group_that_is_gone,
    "GRP-08": lambda emulator, env: None,
}


def run(cases, emulator, env, options, prepared=()):
    """Runs run_cases.py, prints what it says and returns its counts, or None when it broke."""
    folder = emulator.folder
    (folder / "env.json").write_text(json.dumps(env))
    done = subprocess.run(
        [sys.executable, str(cases / "run_cases.py"), "--base", emulator.ready["http"], "--env",
         str(folder / "env.json"), "--apns-log", str(emulator.apns_log), "--sa-key", str(folder / "sa.pem")] + options,
        stdout=subprocess.PIPE, text=True)
    lines = done.stdout.strip().splitlines()
    later = [f"SKIP {case} " for case in prepared]
    for line in lines[:-1]:
        if not any(line.startswith(start) for start in later):
            print(line)
    counts = dict(re.findall(r"'(\w+)': (\d+)", lines[-1] if lines else ""))
    return Counter({name: int(count) for name, count in counts.items()}) if counts else None


def run_area(pharos, cases, options, prepared):
    """One area, or what the options choose, on an emulator of its own; then the cases that need something prepared."""
    with Emulator(pharos) as emulator:
        env, key = prepare(emulator)
        (emulator.folder / "sa.pem").write_text(key)
        counts = run(cases, emulator, env, options, prepared)
        for case in prepared if counts else ():
            others = PREPARED[case](emulator, env) or {}
            counts += run(cases, emulator, env | others, ["--ids", case, "--with-setup"]) or Counter(fail=1)
            counts["skip"] -= 1
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pharos", required=True)
    parser.add_argument("--cases", required=True, type=pathlib.Path)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    runs = [(arguments.options, [])]
    if not arguments.options:
        rows = json.loads((arguments.cases / "cases.json").read_text(encoding="utf-8"))
        by_hand = [row for row in rows if row["id"] in PREPARED and "setup" in row]
        runs = [
            (["--area", area], [row["id"] for row in by_hand if row["area"] == area])
            for area in dict.fromkeys(row["area"] for row in rows)]
    total = Counter()
    for options, prepared in runs:
        counts = run_area(arguments.pharos, arguments.cases, options, prepared)
        if not counts:
            print("The cases did not run; see the text above.", file=sys.stderr)
            return 1
        total.update(counts)
    print(f"{total['pass']} passed, {total['fail']} failed, {total['skip']} skipped")
    return 1 if total["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
