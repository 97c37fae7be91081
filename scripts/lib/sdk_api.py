#!/usr/bin/env python3
"""The public interface of the SDK: its listing in git, the table in docs/sdk-api.md, and the binding for .NET.

Usage: sdk_api.py           checks that all three say what the code says (after `swift build`)
       sdk_api.py --renew   writes the listing anew
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import objc_names

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTING = ROOT / "Tests/SDKAPI"
TABLE = ROOT / "docs/sdk-api.md"
BINDING = ROOT / "bindings/dotnet"
MODULES = ["FirebaseCore", "FirebaseInstallations", "FirebaseMessaging", "FirebaseInstanceID", "Firebase"]
RENEW = "Run scripts/lib/sdk_api.py --renew, look at the difference, and commit it."


def built_modules():
    return ROOT / ".build/debug/Modules"


def target():
    return json.loads(subprocess.check_output(["swift", "-print-target-info"], text=True))["target"]["triple"]


def symbols(module, folder):
    """(path, declaration, whether deprecated) of each public symbol that the module declares."""
    subprocess.run(
        ["swift-symbolgraph-extract", "-module-name", module, "-target", target(), "-I", str(built_modules()),
         "-output-dir", str(folder), "-minimum-access-level", "public", "-skip-synthesized-members"],
        check=True, capture_output=True)
    found = []
    for file in [folder / f"{module}.symbols.json", *folder.glob(f"{module}@*.symbols.json")]:
        for symbol in json.loads(file.read_text())["symbols"]:
            deprecated = any(a.get("isUnconditionallyDeprecated") for a in symbol.get("availability", []))
            text = " ".join("".join(f["spelling"] for f in symbol["declarationFragments"]).split())
            found.append((".".join(symbol["pathComponents"]), text, deprecated))
    return sorted(set(found))


def listings():
    result = {"ObjectiveC": objc_names.names()}
    paths = {}
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            found = symbols(module, pathlib.Path(folder))
            result[module] = [f"{p}: {text}{' (deprecated)' if old else ''}" for p, text, old in found]
            paths[module] = {p for p, _, _ in found}
    return result, paths


def check_listing(lists):
    for name, lines in lists.items():
        file = LISTING / f"{name}.txt"
        known = file.read_text().splitlines() if file.exists() else []
        for line in sorted(set(lines) - set(known)):
            yield f"{file.relative_to(ROOT)} lacks: {line}"
        for line in sorted(set(known) - set(lines)):
            yield f"{file.relative_to(ROOT)} has what is no more: {line}"


def rows():
    """The cells of each row of the table, without the quotes of code."""
    for line in TABLE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 7:
            yield [cell.replace("`", "") for cell in cells]


def check_table(paths, objc):
    tests = {file.name: file.read_text() for file in ROOT.glob("Tests/**/*.swift")}
    counted = 0
    for swift, selector, _, _, _, module, test in rows():
        counted += 1
        if swift not in paths.get(module, set()):
            yield f"{TABLE.name}: {module} has no {swift}"
        if selector != "–" and selector not in objc:
            yield f"{TABLE.name}: there is no {selector} in Objective-C"
        name = swift.split(".")[-1]
        base = name.split(":")[-2] if name.startswith("init(") and name.count(":") > 1 else name.removeprefix(
            "init(").split("(")[0].split(":")[0]
        if test != "–" and base not in tests.get(test, ""):
            yield f"{TABLE.name}: {test} does not use {base}"
    if not counted:
        yield f"{TABLE.name} has no rows"


def check_binding(objc):
    """Each class, protocol, selector and enum case of the binding has its name in Objective-C."""
    owner, kind = None, None
    text = (BINDING / "ApiDefinition.cs").read_text()
    for number, line in enumerate(text.splitlines(), 1):
        where = f"ApiDefinition.cs:{number}"
        if match := re.search(r'\[BaseType \(.*Name = "(\w+)"', line):
            owner = match[1]
            if not {f"{owner} class", f"{owner} protocol"} & objc:
                yield f"{where}: there is no {owner}"
            kind = "-"
        if re.search(r"^\s*\[Static\]", line):
            kind = "+"
        if match := re.search(r'\[(?:Export|Bind) \("([\w:]+)"', line):
            if f"{owner} {kind}{match[1]}" not in objc and not is_property(owner, kind, match[1], objc):
                yield f"{where}: {owner} has no {kind}{match[1]}"
            kind = "-"
    for match in re.finditer(r"enum (\w+)[^{]*\{([^}]*)\}", (BINDING / "StructsAndEnums.cs").read_text()):
        for case in re.findall(r"(\w+) = \d+", match[2]):
            name = f"FIR{match[1]}"
            if f"{name} {name}{case}" not in objc:
                yield f"StructsAndEnums.cs: there is no {name}{case}"


def is_property(owner, sign, name, objc):
    """`autoInitEnabled` is a property when there is its getter `isAutoInitEnabled`."""
    return f"{owner} {sign}is{name[0].upper()}{name[1:]}" in objc


def main(arguments):
    lists, paths = listings()
    if arguments == ["--renew"]:
        LISTING.mkdir(exist_ok=True)
        for name, lines in lists.items():
            (LISTING / f"{name}.txt").write_text("\n".join(lines) + "\n")
        return 0
    objc = set(lists["ObjectiveC"])
    changed = list(check_listing(lists))
    wrong = changed + list(check_table(paths, objc)) + list(check_binding(objc))
    for line in wrong:
        print(line, file=sys.stderr)
    if changed:
        print(RENEW, file=sys.stderr)
    if not wrong:
        untested = sum(row[6] == "–" for row in rows())
        print(f"SDK interface: {sum(map(len, lists.values()))} names, {len(list(rows()))} rows, {untested} untested")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
