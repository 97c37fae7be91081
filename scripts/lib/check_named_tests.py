#!/usr/bin/env python3
"""Checks that the tests which pages of docs/ name exist: `File`: “sentence”, “sentence”."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["docs/sdk-rules.md", "docs/sdk-faults.md"]
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
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{count} named tests, {len(wrong)} missing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
