#!/usr/bin/env python3
"""Type-checks the SDK, the samples and the apps of three eras on Linux as each Apple system sees them.

Apple's frameworks are declarations under Tests/Support/AppleStubs: Objective-C headers with the overlay that Swift adds.
The compiler reads them with its Objective-C support switched on. Nothing is compiled to code, and nothing is linked.
As the target stays Linux, the sources are copied with `os(iOS)` and the like turned into conditions that this script
sets; lines stay where they are, so that errors name the right ones.

Usage: apple_check.py [system ...]    (iOS macOS tvOS watchOS visionOS; all of them by default)
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUBS = ROOT / "Tests/Support/AppleStubs"
SAMPLES = ROOT / "Samples"
# Apps as they were written years ago: Swift 5, and names that are deprecated today.
ERAS = ROOT / "Tests/Support/EraApps"
OF_THEIR_TIME = ["-swift-version", "5", "-suppress-warnings", "-no-warnings-as-errors"]
WORK = ROOT / ".build/apple-check"

# In the order of their imports.
EVERYWHERE = ["ObjectiveC", "Foundation", "Darwin", "os", "Security", "Network", "UserNotifications"]
SYSTEMS = {
    "iOS": ("IOS", ["UIKit", "SwiftUI"]),
    "macOS": ("OSX", ["AppKit", "SwiftUI"]),
    "tvOS": ("TV", ["UIKit", "SwiftUI"]),
    "watchOS": ("WATCH", ["UIKit", "WatchKit", "SwiftUI"]),
    "visionOS": ("VISION", ["UIKit", "SwiftUI"]),
}
# Modules of Linux that no Apple system has.
ABSENT = ["FoundationEssentials", "FoundationNetworking", "Glibc", "Musl"]
# What makes a source read differently from system to system.
DIFFERENCES = re.compile(r"\b(os|targetEnvironment)\(|\bcanImport\((UIKit|AppKit|WatchKit)\)")
FEATURES = ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault"]


def sdk_modules():
    """The SDK's targets with all they need, dependencies first: (name, folder, dependencies)."""
    # With a folder of its own, so that it does not wait for a build.
    dump = json.loads(subprocess.check_output(
        ["swift", "package", "--scratch-path", str(WORK / "manifest"), "dump-package"], cwd=ROOT))
    targets = {target["name"]: target for target in dump["targets"]}
    ordered = []

    def visit(name):
        if any(name == module[0] for module in ordered):
            return
        target = targets[name]
        needs = [next(iter(d.values()))[0] for d in target["dependencies"]]
        for need in needs:
            visit(need)
        if target["type"] == "regular" and any((ROOT / target["path"]).rglob("*.swift")):
            ordered.append((name, ROOT / target["path"], needs))

    for name, target in targets.items():
        if (target.get("path") or "").startswith("Sources/SDK/"):
            visit(name)
    return ordered


def as_on(system, text):
    """The source as the compiler of an Apple system would read its conditions."""
    text = re.sub(r"\bos\((\w+)\)", r"PHAROS_OS_\1", text)
    text = re.sub(r"\bcanImport\((%s)\)" % "|".join(ABSENT), "PHAROS_NEVER", text)
    return text.replace("targetEnvironment(", "PHAROS_ENVIRONMENT_(").replace("PHAROS_ENVIRONMENT_(simulator)",
        "PHAROS_NEVER").replace("PHAROS_ENVIRONMENT_(macCatalyst)", "PHAROS_NEVER")


def plain_modules(sdk):
    """The modules that read the same on every system: checked once, used by all."""
    plain = []
    for name, folder, needs in sdk:
        texts = [file.read_text() for file in folder.rglob("*.swift")]
        if set(needs) <= set(plain) and not any("#if" in text for text in texts):
            plain.append(name)
    return plain


class Check:
    """One system's check. Bodies that read the same everywhere are looked at for one system only."""

    def __init__(self, system, checks_all):
        self.system = system
        self.checks_all = checks_all
        self.family, self.frameworks = SYSTEMS[system]
        self.folder = WORK / system
        shutil.rmtree(self.folder, ignore_errors=True)
        self.modules = self.folder / "modules"
        self.modules.mkdir(parents=True)
        self.shared = WORK / "shared"
        self.failed = []

    def flags(self):
        flags = ["-swift-version", "6", "-parse-as-library", "-warnings-as-errors",
                 "-module-cache-path", str(WORK / "cache"), "-I", str(self.modules), "-I", str(self.shared),
                 "-D", f"PHAROS_OS_{self.system}", "-Xfrontend", "-enable-objc-interop", "-Xcc",
                 "-fobjc-runtime=macosx", "-Xcc", f"-DTARGET_OS_{self.family}=1"]
        for feature in FEATURES:
            flags += ["-enable-upcoming-feature", feature]
        for stub in EVERYWHERE + self.frameworks:
            flags += ["-I", str(STUBS / stub)]
        return flags

    def copy(self, files, name):
        target = self.folder / "sources" / name
        copies = []
        for file in files:
            copy = target / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(as_on(self.system, file.read_text()))
            copies.append(str(copy))
        return copies

    def compile(self, name, arguments):
        run = subprocess.run(["swiftc", *self.flags(), "-module-name", name, *arguments], capture_output=True, text=True)
        if run.returncode != 0:
            shown = (run.stdout + run.stderr).replace(str(self.folder / "sources" / name) + "/", "")
            self.failed.append(f"{name} as {self.system} sees it:\n{shown}")
        return run.returncode == 0

    def emit(self, name, files, *more):
        """What importers need of a module: its declarations, without looking into bodies."""
        return self.compile(name, [
            "-wmo", "-emit-module", "-emit-module-path", str(self.modules / f"{name}.swiftmodule"), "-enable-testing",
            "-Xfrontend", "-experimental-skip-all-function-bodies", *more, *files])

    def stub(self, name):
        folder = STUBS / name
        overlay = sorted(folder.glob("*.swift"))
        if not overlay:
            return True
        underlying = ["-import-underlying-module"] if (folder / "module.modulemap").exists() else []
        return self.emit(name, self.copy(overlay, name), *underlying, "-suppress-warnings", "-no-warnings-as-errors")

    def module(self, name, files):
        arguments = ["-package-name", "pharos", *self.copy(files, name)]
        if not self.emit(name, arguments):
            return False
        differs = any(DIFFERENCES.search(file.read_text()) for file in files)
        return not (differs or self.checks_all) or self.compile(name, ["-wmo", "-typecheck", *arguments])

    def share(self, sdk, plain):
        shutil.rmtree(self.shared, ignore_errors=True)
        self.shared.mkdir()
        self.modules, own = self.shared, self.modules
        for name, folder, _ in sdk:
            if name in plain and not self.module(name, sorted(folder.rglob("*.swift"))):
                break
        self.modules = own
        return self

    def run(self, sdk):
        for name in EVERYWHERE + self.frameworks:
            if not self.stub(name):
                return self
        for name, folder, _ in sdk:
            if not self.module(name, sorted(folder.rglob("*.swift"))):
                return self
        self.apps(SAMPLES)
        self.apps(ERAS, *OF_THEIR_TIME)
        return self

    def apps(self, folder, *more):
        for target in sorted({file.parent for file in folder.rglob("*.swift")}):
            if self.system in (target / "systems").read_text().split():
                files = sorted(target.glob("*.swift"))
                self.compile(target.name, ["-typecheck", *more, *self.copy(files, target.name)])


def objective_c_failures():
    """What clang says of the SDK's Objective-C files. They read the same on every system."""
    includes = [flag for folder in [STUBS, STUBS / "ObjectiveC", STUBS / "Foundation"] for flag in ("-I", str(folder))]
    for file in sorted(ROOT.glob("Sources/SDK/*/*.m")):
        run = subprocess.run(
            ["clang", "-fsyntax-only", "-Werror", "-Wmissing-variable-declarations", "-D__APPLE__=1", "-fblocks",
             "-fobjc-runtime=macosx", "-fmodules", f"-fmodules-cache-path={WORK}/clang", *includes,
             "-I", str(file.parent / "include"), str(file)],
            capture_output=True, text=True)
        if run.returncode != 0:
            yield f"{file.relative_to(ROOT)}:\n{run.stderr}"


def main(wanted):
    began = time.monotonic()
    sdk = sdk_modules()
    plain = plain_modules(sdk)
    systems = wanted or list(SYSTEMS)
    first = Check(systems[0], True).share(sdk, plain)
    if first.failed:
        print(first.failed[0], file=sys.stderr)
        return 1
    rest = [module for module in sdk if module[0] not in plain]
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        checks = list(pool.map(lambda system: Check(system, system == systems[0]).run(rest), systems))
    failures = [failure for check in checks for failure in check.failed] + list(objective_c_failures())
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return 1
    print(f"{len(sdk)} modules type-check on {', '.join(systems)}: {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
