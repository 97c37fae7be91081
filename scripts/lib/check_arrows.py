#!/usr/bin/env python3
"""Checks that imports follow the module map: Programs -> {APIs, Gateways, Stores} -> Core -> Primitives."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2] / "Sources"
LAYERS = {
    "Primitives": {"Primitives"},
    "CLibraries": {"CLibraries"},
    "Wire": {"Primitives", "Wire", "CLibraries"},
    "Net": {"Primitives", "Wire", "Net", "CLibraries"},
    "Core": {"Primitives", "Core"},
    "Stores": {"Primitives", "Core", "CLibraries"},
    "Gateways": {"Primitives", "Core", "Wire", "Net"},
    "APIs": {"Primitives", "Core", "Wire", "Net", "APIs"},
    "SDK": {"Primitives", "SDK"},
    "Simulators": {"Primitives", "Wire", "Net", "SDK", "Simulators"},
    "Programs": {"Primitives", "Wire", "Net", "Core", "Stores", "Gateways", "APIs", "SDK", "Simulators", "Programs"},
}
# Wire modules that apps link too: they have no C dependency.
SDK_CODECS = {"MCSWire", "ProtobufWire"}
# What the console's pages are embedded in.
EMBEDDED = "CConsoleAssets"
NO_FOUNDATION = set(LAYERS) - {"SDK", "Simulators"}


def main() -> int:
    folder_of = {d.name: layer.name for layer in ROOT.iterdir() if layer.is_dir() for d in layer.iterdir()}
    wrong = []
    for file in ROOT.rglob("*.swift"):
        layer = file.relative_to(ROOT).parts[0]
        for name in re.findall(r"^(?:\w+ )?import (?:struct |class |func )?(\w+)", file.read_text(), re.M):
            if name == "Foundation" and layer in NO_FOUNDATION:
                wrong.append(f"{file.relative_to(ROOT)}: {layer} imports no Foundation")
            elif layer == "SDK" and name in SDK_CODECS or layer == "APIs" and name == EMBEDDED:
                continue
            elif name in folder_of and folder_of[name] not in LAYERS[layer]:
                wrong.append(f"{file.relative_to(ROOT)}: {layer} may not import {name} of {folder_of[name]}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
