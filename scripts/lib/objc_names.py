#!/usr/bin/env python3
"""The Objective-C names of the SDK, read from the @objc attributes under Sources/SDK/*/ObjectiveC and from its header.

The compiler checks on Linux that the attributes fit their declarations (scripts/apple); this reads the names from them.
One line each: `FIRMessaging class`, `FIRMessaging +messaging`, `FIRMessaging -subscribeToTopic:completion:`,
`FIRMessagingSendErrorNotification constant`.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTAINER = re.compile(r"public (?:final )?(class|protocol|enum) (\w+)")
EXTENSION = re.compile(r"^\s*extension (\w+)(?:\s*:.*)? \{")
ATTRIBUTE = re.compile(r"@objc(?:\(([\w:]+)\))?")
FUNCTION = re.compile(r"\b(static )?func (\w+)\(")
PROPERTY = re.compile(r"\b(static )?(var|let) (\w+)")
INIT = re.compile(r"\binit\??\(([^)]*)\)", re.S)
CONSTANT = re.compile(r"^FOUNDATION_EXPORT \w+ ?\*?const (\w+);", re.M)
VALUE = re.compile(r"^\w+ ?\*?const (\w+) =\s+@\"([^\"]+)\";", re.M)
CASE = re.compile(r"^\s*case (\w+)", re.M)


def setter(name):
    return f"set{name[0].upper()}{name[1:]}:"


def implicit_init(parameters):
    labels = [part.split(":")[0].split()[0] for part in parameters.split(",") if ":" in part]
    first, *rest = labels
    return "initWith" + first[0].upper() + first[1:] + ":" + "".join(label + ":" for label in rest)


def constants():
    """The value of each constant that the header declares; `None` without one."""
    folder = ROOT / "Sources/SDK/FirebaseObjectiveC"
    values = dict(VALUE.findall((folder / "FirebaseObjectiveC.m").read_text()))
    declared = CONSTANT.findall((folder / "include/FirebaseObjectiveC.h").read_text())
    return {name: values.get(name) for name in declared}


def names():
    files = sorted(ROOT.glob("Sources/SDK/*/ObjectiveC/*.swift"))
    texts = [file.read_text() for file in files]
    objc_of, found = {}, {f"{name} constant" for name in constants()}
    for text in texts:
        for match in re.finditer(r"@objc\((FIR\w+)\)\s+public (?:final )?(class|protocol|enum) (\w+)", text):
            objc_of[match[3]] = match[1]
            found.add(f"{match[1]} {match[2]}")
    for text in texts:
        owner = kind = None
        lines = text.splitlines()
        for index, line in enumerate(lines):
            if match := CONTAINER.search(line):
                kind, owner = match[1], objc_of.get(match[2])
            elif match := EXTENSION.match(line):
                kind, owner = "class", objc_of.get(match[1])
            if owner and kind == "enum" and (match := CASE.match(line)):
                found.add(f"{owner} {owner}{match[1][0].upper()}{match[1][1:]}")
            if owner and (match := ATTRIBUTE.search(line)) and not re.search(r"\b(get|set)\b", line):
                found |= {f"{owner} {member}" for member in members(match[1], line, lines, index)}
    return sorted(found)


def members(name, line, lines, index):
    """The selectors of one attributed declaration."""
    rest = line[ATTRIBUTE.search(line).end():]
    body = [rest] if rest.strip() else []
    following = "\n".join(body + lines[index + 1:index + 14])
    head = following.lstrip()
    head = re.sub(r"^(@\w+(\([^)]*\))?\s+)*", "", head)
    first = head.split("\n")[0]
    if CONTAINER.search(first):
        return []
    if re.match(r"(public |convenience )*init\b", first) and (match := INIT.search(head)):
        return ["-" + (name or implicit_init(match[1]))]
    if match := FUNCTION.search(first):
        return [("+" if match[1] else "-") + (name or match[2])]
    match = PROPERTY.search(first)
    sign, own = ("+" if match[1] else "-"), name or match[3]
    block = head.split("\n\n")[0]
    getter = re.search(r"@objc\((\w+)\) get", block)
    result = [sign + (getter[1] if getter else own)]
    if match[2] == "var" and re.search(r"\bset \{", block):
        result.append(sign + setter(own))
    return result


if __name__ == "__main__":
    print("\n".join(names()))
