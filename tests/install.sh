#!/bin/sh
# install.sh - makes sure that Debian packages are there: tests/install.sh PACKAGE...
#
# Asks the network only if one of them is missing, says what it does, and uses sudo when it is not
# run by root. On a system without dpkg it does nothing: what is missing shows when it is used.
set -eu

command -v dpkg-query >/dev/null 2>&1 || exit 0

missing=
for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "These packages are missing; please run as root:  apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi

# One at a time, where make runs several.
if command -v flock >/dev/null 2>&1; then
    exec 9>"${TMPDIR:-/tmp}/pychoral-install.lock"
    flock 9
fi

echo "Installing Debian packages:$missing"
export DEBIAN_FRONTEND=noninteractive
options="-qq -o DPkg::Lock::Timeout=300"
# shellcheck disable=SC2086
$as_root apt-get $options update || echo "(no fresh package lists; trying with those at hand)" >&2
# shellcheck disable=SC2086
$as_root apt-get $options install -y --no-install-recommends $missing >/dev/null
