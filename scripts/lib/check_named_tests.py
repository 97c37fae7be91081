#!/usr/bin/env python3
"""Checks that the tests which pages of docs/ name exist: `File`: “sentence”, “sentence”. And that each case of the SDK,
of service extensions and of configuration files, known by its id, is a test of that name."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["docs/sdk-rules.md", "docs/sdk-faults.md"]
CASES = """
    IOS-01 IOS-03 IOS-04 IOS-05 IOS-08 IOS-09 IOS-13 IOS-14 IOS-15 IOS-16 IOS-17
    IMG-01 IMG-03 IMG-04 IMG-06 IMG-07 IMG-08
    PLI-02 PLI-03 PLI-04 PLI-05 PLI-06 PLI-07 PLI-09
    CON-02 CON-03
""".split()
NAMED = re.compile(r"`([A-Za-z_]+)(?:\.py)?`:((?:[\s,]*“[^”]+”)+)")


def main() -> int:
    texts = {}
    for file in [*ROOT.glob("Tests/**/*.swift"), *ROOT.glob("Tests/**/*.py")]:
        texts.setdefault(file.stem, []).append(file.read_text())
    wrong = []
    count = 0
    for page in PAGES:
        for name, sentences in NAMED.findall((ROOT / page).read_text()):
            for sentence in re.findall("“([^”]+)”", sentences):
                count += 1
                begin = sentence.removesuffix("…")
                forms = (f"func `{begin}", f"def {begin}")
                if not any(form in text for text in texts.get(name, []) for form in forms):
                    wrong.append(f"{page}: {name} has no test “{sentence}”")
    everything = "".join(text for found in texts.values() for text in found)
    for case in CASES:
        count += 1
        if f"func `{case} " not in everything and f"def test_{case.lower().replace('-', '_')}_" not in everything:
            wrong.append(f"no test is named after case {case}")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{count} named tests, {len(wrong)} missing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
