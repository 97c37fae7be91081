# What every script of the project needs: the root folder, packages, a Python environment. Source it.
# Works on a bare Debian 12 with Swift and git, as root or with sudo.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"

say() { printf '\n== %s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs the Debian packages that are missing, in one go.
need_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || {
        echo "These packages are missing: ${missing[*]}. Install them with your package manager and run this again." >&2
        exit 1
    }
    say "Installing ${missing[*]}"
    as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

build_packages=(libssl-dev libnghttp2-dev libsqlite3-dev zlib1g-dev libexpat1-dev pkg-config)

need_swift() {
    command -v swift >/dev/null || {
        echo "Swift 6.2 or newer is needed. Install it from swift.org/install and put it on PATH." >&2
        exit 1
    }
}

# Makes .venv with the packages of Tests/EndToEnd/requirements.txt, and sets $python.
need_python() {
    need_packages python3 python3-venv ca-certificates
    local wanted="$root/Tests/EndToEnd/requirements.txt" stamp="$root/.venv/requirements"
    if ! cmp -s "$wanted" "$stamp"; then
        say "Installing the public clients of the tests"
        python3 -m venv "$root/.venv"
        "$root/.venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
        cp "$wanted" "$stamp"
    fi
    python="$root/.venv/bin/python"
}

# Builds one product and sets $pharos to the program. Argument: debug (default), or release as the README builds it.
need_pharos() {
    local configuration=${1:-debug} flags=()
    [ "$configuration" = debug ] || flags=(--static-swift-stdlib)
    need_swift
    need_packages "${build_packages[@]}"
    say "Building pharos ($configuration)"
    swift build -c "$configuration" "${flags[@]}" --product pharos >&2
    pharos="$(swift build -c "$configuration" "${flags[@]}" --show-bin-path)/pharos"
}
