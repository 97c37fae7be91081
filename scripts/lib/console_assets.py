#!/usr/bin/env python3
"""Lists the files of the folder Web in CConsoleAssets.c, which embeds them in the program.

Run it after a file was added to or taken from Web. A changed file needs nothing: the compiler follows `#embed`.
With --check it only says whether the list is current.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEB = ROOT / "Web"
LIST = ROOT / "Sources/CLibraries/CConsoleAssets/CConsoleAssets.c"
KINDS = {".html", ".css", ".js", ".svg", ".json"}

HEAD = """// The files of the folder Web, embedded. Written by scripts/lib/console_assets.py: run it when a file comes or goes.
#include "CConsoleAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
"""


def source() -> str:
    paths = sorted(f.relative_to(WEB).as_posix() for f in WEB.rglob("*") if f.is_file())
    strange = [path for path in paths if pathlib.Path(path).suffix not in KINDS or not re.fullmatch(r"[a-z0-9./-]+", path)]
    if strange:
        sys.exit(f"Only {' '.join(sorted(KINDS))} with plain names in Web: {strange}")
    names = {path: re.sub(r"[^a-z0-9]", "_", path) for path in paths}
    files = [
        f"static const unsigned char {name}[] = {{\n#embed \"../../../Web/{path}\"\n}};\n" for path, name in names.items()]
    rows = [f'    {{"{path}", {name}, sizeof {name}}},\n' for path, name in names.items()]
    return (
        HEAD + "\n" + "".join(files) + "\nstatic const struct console_asset assets[] = {\n" + "".join(rows) + "};\n"
        "\nconst struct console_asset *console_asset_at(size_t place) {\n"
        "    return place < sizeof assets / sizeof assets[0] ? &assets[place] : NULL;\n}\n")


def main() -> int:
    wanted = source()
    if LIST.exists() and LIST.read_text() == wanted:
        return 0
    if "--check" in sys.argv:
        print("Web has other files than CConsoleAssets.c lists: run scripts/lib/console_assets.py", file=sys.stderr)
        return 1
    LIST.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
