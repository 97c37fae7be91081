#!/usr/bin/env python3
"""Writes a package with some test targets of this one and what they need, nothing else: sub_package.py FOLDER TARGET...

For builds with other settings, which would have to compile everything otherwise. Sources are links to ours.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def setting(kind: dict) -> str:
    name, value = next(iter(kind.items()))
    if name == "treatAllWarnings":
        return f".treatAllWarnings(as: .{value['_0']})"
    if name == "treatWarning":
        return f'.treatWarning("{value["_0"]}", as: .{value["_1"]})'
    if name == "enableUpcomingFeature":
        return f'.enableUpcomingFeature("{value["_0"]}")'
    raise SystemExit(f"sub_package.py: unknown setting {kind}")


def path(target: dict) -> str:
    return target.get("path") or f"Tests/{target['name']}"


def declaration(target: dict) -> str:
    kind = {"regular": ".target", "test": ".testTarget", "system": ".systemLibrary"}[target["type"]]
    parts = [f'name: "{target["name"]}"']
    if kind != ".systemLibrary":
        parts.append("dependencies: " + json.dumps([each["byName"][0] for each in target["dependencies"]]))
    parts.append(f'path: "{path(target)}"')
    if target.get("exclude"):
        parts.append("exclude: " + json.dumps(target["exclude"]))
    settings = [setting(each["kind"]) for each in target.get("settings", []) if each["tool"] == "swift"]
    if settings:
        parts.append(f"swiftSettings: [{', '.join(settings)}]")
    if kind == ".systemLibrary" and target.get("pkgConfig"):
        parts.append(f'pkgConfig: "{target["pkgConfig"]}"')
    return f"{kind}({', '.join(parts)})"


def needed(all_targets: dict, names: list) -> list:
    found, waiting = {}, list(names)
    while waiting:
        target = all_targets[waiting.pop()]
        if target["name"] in found:
            continue
        found[target["name"]] = target
        waiting += [each["byName"][0] for each in target["dependencies"]]
    return list(found.values())


def main() -> None:
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    dump = json.loads(subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True).stdout)
    targets = needed({each["name"]: each for each in dump["targets"]}, names)
    folder.mkdir(parents=True, exist_ok=True)
    for each in ("Sources", "Tests"):
        link = folder / each
        if link.is_symlink() and link.readlink() != ROOT / each:
            link.unlink()
        if not link.is_symlink():
            link.symlink_to(ROOT / each)
    text = "// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n    name: \"Part\",\n    targets: [\n"
    text += "".join(f"        {declaration(each)},\n" for each in targets)
    text += "    ],\n    swiftLanguageModes: [.v6]\n)\n"
    manifest = folder / "Package.swift"
    if not manifest.exists() or manifest.read_text() != text:
        manifest.write_text(text)


if __name__ == "__main__":
    main()
