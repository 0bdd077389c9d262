# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# Machines whose own distribution has GStreamer 1.24 or newer.

machine_is_new_enough() {
    local ID='' VERSION_ID=''
    if ! command -v dpkg-query >/dev/null; then
        { command -v meson && native_gstreamer --atleast-version=1.24; } >/dev/null 2>&1 ||
            die "this machine has neither Debian's packages nor GStreamer 1.24:" \
                "install GStreamer 1.24 or newer with its development files and plugins, meson and a C compiler"
        return 0
    fi
    # shellcheck source=/dev/null
    . /etc/os-release
    case $ID in
    debian) [ -z "$VERSION_ID" ] || version_at_least "$VERSION_ID" 13 ;;
    ubuntu) version_at_least "$VERSION_ID" 24.04 ;;
    *) version_at_least "$(LC_ALL=C apt-cache policy libgstreamer1.0-dev |
        sed -n 's/^ *Candidate: \([0-9.]*\).*/\1/p')" 1.24 ;;
    esac
}

version_at_least() {
    [ -n "$1" ] && printf '%s\n' "$2" "$1" | sort -CV
}

native_gstreamer() {
    PATH=/usr/bin:/bin:$PATH pkg-config "$1" gstreamer-1.0
}

native_install_missing() {
    local missing=()
    # other distributions name packages differently; meson reports what is missing
    command -v dpkg-query >/dev/null || return 0
    mapfile -t missing < <(comm -23 <(package_list | sort) <(
        dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^.i  *//p' | sort))
    [ ${#missing[@]} -eq 0 ] || native_install "${missing[@]}"
}

# native_install PACKAGE...
native_install() {
    local log
    [ "$(id -u)" = 0 ] || die "packages are missing; run: sudo apt-get install $*"
    log=$(cache_dir)/apt.log
    mkdir -p "$(dirname "$log")" || die "cannot write to $(dirname "$log"): set GST_CUDACCA_CACHE to a writable folder"
    if [ $# -gt 3 ]; then say "installing $# packages"; else say "installing $*"; fi
    {
        export DEBIAN_FRONTEND=noninteractive
        dpkg --configure -a &&
            apt-get -q -y -o APT::Update::Error-Mode=any update &&
            apt-get -q -y install --no-install-recommends "$@"
    } </dev/null >"$log" 2>&1 || die "apt could not install $* (log: $log): $(log_reason "$log")"
}

# The line that says why apt, dpkg or mmdebstrap failed
log_reason() {
    grep -m 1 -E '^E: |^dpkg: error' "$1" || tail -n 1 "$1"
}
