#!/usr/bin/env python3
"""The public interface of the SDK: its listing in git, the table in docs/sdk-api.md, the names that public guides show, and
the binding for .NET.

Usage: sdk_api.py           checks that all of them say what the code says (after `swift build`)
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
GUIDES = LISTING / "guides.txt"
BINDING = ROOT / "bindings/dotnet"
MODULES = ["FirebaseCore", "FirebaseInstallations", "FirebaseMessaging", "FirebaseInstanceID", "Firebase"]
# What has no row of its own: what a type has for being an error, a number or a key.
PARTS = re.compile(r"(Error|ErrorCode)\.|init\(rawValue:\)$|\.==|\.hash\(into:\)$")
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


def base_name(swift):
    """What a call looks like: the name without arguments; of an initialiser the last label."""
    name = swift.split(".")[-1]
    if name.startswith("init(") and name.count(":") > 1:
        return name.split(":")[-2]
    return name.removeprefix("init(").split("(")[0].split(":")[0]


def text_of(test, tests):
    return "".join(text for path, text in tests.items() if path.endswith("/" + test))


def check_table(paths, objc):
    tests = {str(file): file.read_text() for file in ROOT.glob("Tests/**/*.swift")}
    counted, shown = 0, set()
    for swift, selector, _, _, _, module, test in rows():
        counted += 1
        shown.add((module, swift))
        if swift not in paths.get(module, set()):
            yield f"{TABLE.name}: {module} has no {swift}"
        if selector != "–" and selector not in objc:
            yield f"{TABLE.name}: there is no {selector} in Objective-C"
        if base_name(swift) not in text_of(test, tests):
            yield f"{TABLE.name}: {test} does not use {base_name(swift)}"
    if not counted:
        yield f"{TABLE.name} has no rows"
    for module, names in paths.items():
        for name in sorted(names):
            if (module, name) not in shown and not PARTS.search(name):
                yield f"{TABLE.name} has no row for {name} of {module}"


def check_constants():
    """Objective-C and Swift have the same values."""
    swift = "".join(file.read_text() for file in ROOT.glob("Sources/SDK/**/*.swift"))
    for name, value in objc_names.constants().items():
        if not value or f'"{value}"' not in swift:
            yield f"FirebaseObjectiveC: {name} has not the value that Swift has"


def guide_names():
    for line in GUIDES.read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split()


def check_guides(paths, objc):
    """Each name that a public guide shows is there, and an app of its time calls it."""
    sdk = "".join(file.read_text() for file in ROOT.glob("Sources/SDK/**/*.swift"))
    binding = binding_members()
    for year, language, *words in guide_names():
        name = " ".join(words)
        if language == "objc" and name not in objc:
            yield f"{GUIDES.name}: {year}: there is no {name} in Objective-C"
        elif language == "csharp" and name not in binding:
            yield f"{GUIDES.name}: {year}: there is no {name} in C#"
        elif language == "plist" and name not in sdk:
            yield f"{GUIDES.name}: {year}: the SDK does not know {name}"
        elif language == "swift":
            module, symbol, app = words
            if symbol not in paths.get(module, set()):
                yield f"{GUIDES.name}: {year}: {module} has no {symbol}"
            folder = ROOT / "Tests/Support/EraApps" / app
            calls = "".join(file.read_text() for file in folder.glob("*.swift"))
            if not re.search(rf"(?<!\w){re.escape(base_name(symbol))}(?!\w)", calls):
                yield f"{GUIDES.name}: {year}: {app} does not use {symbol}"


def binding_members():
    """`Messaging.Subscribe` and the like: what C# sees of the binding."""
    found, owner, is_async = set(), None, False
    for line in (BINDING / "ApiDefinition.cs").read_text().splitlines():
        if match := re.search(r"\binterface (\w+)", line):
            owner = match[1]
            found.add(owner)
        is_async = is_async or "[Async]" in line
        is_member = owner and not line.strip().startswith(("[", "delegate", "interface"))
        if is_member and (match := re.search(r"\b(\w+) (?:\(|\{)", line.split("[Bind")[0])):
            found.add(f"{owner}.{match[1]}")
            if is_async:
                found.add(f"{owner}.{match[1]}Async")
            is_async = False
    return found


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
        if match := re.search(r'\[Field \("(\w+)"', line):
            if f"{match[1]} constant" not in objc:
                yield f"{where}: there is no constant {match[1]}"
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
    wrong = changed + [
        *check_table(paths, objc), *check_constants(), *check_guides(paths, objc), *check_binding(objc)]
    for line in wrong:
        print(line, file=sys.stderr)
    if changed:
        print(RENEW, file=sys.stderr)
    if not wrong:
        print(f"SDK interface: {sum(map(len, lists.values()))} names, {len(list(rows()))} rows, each with its test, "
              f"{len(list(guide_names()))} names of guides")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
