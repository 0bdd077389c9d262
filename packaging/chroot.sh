# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# Isolated roots of Debian and Ubuntu releases for packages, made by mmdebstrap as that of tests/env is.
#
#   CACHE/packaging/SUITE-KIND/root   KIND is build (compiler, debhelper, lintian), test (what tests of elements
#                                     use, of tests/env/packages) or bare (apt only)
#   CACHE/packaging/SUITE-KIND/log    output of the last set-up

# shellcheck source=tests/env/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tests/env/lib.sh"
# shellcheck source=tests/env/native.sh
. "$top/tests/env/native.sh"
# shellcheck source=tests/env/root.sh
. "$top/tests/env/root.sh"

# shellcheck disable=SC2054  # commas are mmdebstrap's
declare -A packages_of=(
    [build]=build-essential,ca-certificates,debhelper,lintian
    # less what other tests use, some of which Ubuntu 24.04 does not have
    [test]=$(package_list | grep -vE '^(chromium|clang|codespell|gcovr|libclang|libopencv|llvm|prometheus|valgrind)' |
        paste -sd,),mount    # no longer essential in Debian unstable
    [bare]=ca-certificates,ubuntu-keyring      # Debian signs Ubuntu's keys
)

# suite_sources SUITE: sets `sources`, those of apt, and `keyring`, the keys that sign them.
suite_sources() {
    local mirror
    case $1 in
    noble)
        mirror=${GST_CUDACCA_UBUNTU_MIRROR:-}
        [ -n "$mirror" ] || die "set GST_CUDACCA_UBUNTU_MIRROR to the address of an Ubuntu mirror"
        (make_root trixie bare)
        keyring=$(cache_dir)/packaging/trixie-bare/root/usr/share/keyrings/ubuntu-archive-keyring.gpg
        sources=("deb $mirror noble main universe" "deb $mirror noble-updates main universe"
            "deb $mirror noble-security main universe") ;;
    trixie | forky | sid)
        mirror=$(find_mirror) || die "this machine's apt sources name no Debian mirror"
        keyring=/usr/share/keyrings/debian-archive-keyring.gpg
        sources=("deb $mirror $1 main") ;;
    *) die "--suite is trixie, forky, sid or noble, not '$1'" ;;
    esac
}

# make_root SUITE KIND [ARCHITECTURE]: sets `root`, which is complete afterwards.
make_root() {
    local home keyring sources options=()
    [ "$(id -u)" = 0 ] || die "only root can make and use an isolated root: run this with sudo"
    home=$(cache_dir)/packaging/$1-$2${3:+-$3}
    root=$home/root
    [ ! -e "$home/complete" ] || return 0
    mkdir -p "$home"
    exec {lock_fd}>>"$home/lock"
    flock "$lock_fd"
    if [ ! -e "$home/complete" ]; then
        suite_sources "$1"
        mapfile -t options < <(machine_apt_options)
        [ -z "${3:-}" ] || options+=(--architectures="$3")
        # Copies of these suites may be weeks old, and nothing is released from them.
        [[ $1 != @(forky|sid) ]] || options+=(--aptopt='Acquire::Check-Valid-Until "false"')
        command -v mmdebstrap >/dev/null || native_install mmdebstrap debian-archive-keyring
        rm -rf --one-file-system -- "$root"
        say "making a root of $1 in $root (once, some minutes)"
        unshare --mount --propagation slave mmdebstrap --mode=root --variant=apt \
            --keyring="$keyring" --dpkgopt=force-unsafe-io "${options[@]}" \
            --include="${packages_of[$2]}" "$1" "$root" "${sources[@]}" </dev/null >"$home/log" 2>&1 ||
            die "mmdebstrap failed (log: $home/log): $(log_reason "$home/log")"
        touch "$home/complete"
    fi
    exec {lock_fd}>&-
}

# in_root DIR COMMAND...: runs COMMAND in `root`, where DIR is /build. The CUDA toolkit of the machine
# is visible in /usr/local/cuda.
in_root() {
    cp -L --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
    # shellcheck disable=SC2016  # expanded inside
    unshare --mount --pid --fork --propagation slave bash -euc '
        root=$1 dir=$2 cuda=$(readlink -f /usr/local/cuda || true)
        shift 2
        mkdir -p "$root/build"
        mount --bind "$dir" "$root/build"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/tmp"
        if [ -d "$cuda" ]; then
            mkdir -p "$root/usr/local/cuda"
            mount --bind -o ro "$cuda" "$root/usr/local/cuda"
        fi
        exec env -i HOME=/tmp LC_ALL=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" env -C /build -- "$@"
    ' in_root "$root" "$@"
}
