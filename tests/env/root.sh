# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# The isolated Debian 13 root, for machines with an older Debian.
#
#   CACHE/debian-13/root       the root
#   CACHE/debian-13/base       stamp: debootstrap came to its end
#   CACHE/debian-13/packages   stamp: hash of the package list that is installed
#   CACHE/debian-13/lock       held shared by every command that runs inside,
#                              exclusively while the root is being changed
#   CACHE/debian-13/log        output of the last set-up

suite=trixie
root_format=1                   # raise it to have every root made anew
need_kib=$((4 * 1024 * 1024))   # the root and what is downloaded for it
keyring=/usr/share/keyrings/debian-archive-keyring.gpg  # of the package debian-archive-keyring

home=$(cache_dir)/debian-13
root=$home/root
log=$home/log

wanted_packages() {
    package_list | sort | sha256sum | cut -c1-16
}

base_is_done() {
    [ "$(cat "$home/base" 2>/dev/null)" = "$suite $root_format" ]
}

root_is_ready() {
    base_is_done && [ "$(cat "$home/packages" 2>/dev/null)" = "$(wanted_packages)" ]
}

# Changes when the root was made anew or its packages have changed: a build
# directory belongs to one such state.
root_id() {
    printf '%s-%s-%s\n' "$suite" "$(wanted_packages)" "$(stat -c %Y "$home/base")"
}

root_make_ready() {
    if [ "$(id -u)" != 0 ]; then
        die "this machine's GStreamer is older than 1.24 and an isolated Debian 13 root can only be used by root: run it with sudo, or on Debian 13 or Ubuntu 24.04"
    fi
    unshare --mount true 2>/dev/null ||
        die "mount namespaces are not permitted here: run it on a real machine or in a container with CAP_SYS_ADMIN"
    { mkdir -p "$home" && touch "$home/lock"; } 2>/dev/null ||
        die "cannot write to $home: set GST_CUDACCA_CACHE to a folder that can be written to"
    exec {lock_fd}>>"$home/lock"
    take_lock --shared
    until root_is_ready; do
        take_lock --exclusive
        # another run may have done it meanwhile
        root_is_ready || root_set_up
        take_lock --shared
    done
}

take_lock() {
    flock "$1" --nonblock "$lock_fd" || {
        say "waiting for another command that uses or sets up $home"
        flock "$1" "$lock_fd"
    }
}

root_set_up() {
    : >"$log"
    if base_is_done; then
        rm -f "$home/packages"
        root_install && return
        say "that failed (see $log): making the root anew"
        cp "$log" "$log.old"
    fi
    root_bootstrap
    root_install || die "the packages could not be installed in $root (see $log): $(log_reason "$log")"
}

# The mirror that this machine's own apt has for Debian's main archive. Asked of
# the addresses apt would fetch: a new machine may never have fetched any.
find_mirror() (
    # shellcheck source=/dev/null
    . /etc/os-release
    [ "$ID" = debian ] || exit 1
    apt-get --print-uris update 2>/dev/null |
        sed -n "s,^'\(.*\)/dists/$VERSION_CODENAME/main/binary-[^/]*/Packages.*,\1,p" | grep -m 1 .
)

check_space() {
    local kib
    kib=$(df --output=avail -k "$home" | tail -n 1)
    [ "$kib" -ge "$need_kib" ] ||
        die "$home has $((kib / 1024)) MiB free and the isolated root needs $((need_kib / 1024)):" \
            "free some, or set GST_CUDACCA_CACHE to a folder on a larger disk"
}

check_mirror() {
    /usr/lib/apt/apt-helper -o Acquire::Retries=1 -o Acquire::http::Timeout=20 \
        download-file "$mirror/dists/$suite/InRelease" "$home/InRelease" >>"$log" 2>&1 ||
        die "no answer from the Debian mirror in this machine's apt sources ($mirror):" \
            "check the network and apt's proxy, then run this again"
    rm -f "$home/InRelease"
}

root_bootstrap() {
    local mirror script='' proxy=''
    rm -f "$home/base" "$home/packages"
    if [ -e "$root" ]; then
        say "removing the old root"
        rm -rf --one-file-system -- "$root"
    fi
    check_space
    mirror=$(find_mirror) ||
        die "this machine's apt sources name no Debian mirror: use Debian 12 or newer, or Ubuntu 24.04 or newer"
    check_mirror
    if ! command -v debootstrap >/dev/null || [ ! -e "$keyring" ]; then
        say "installing debootstrap and Debian's keys"
        { apt-get -q update
            apt-get -q -y install --no-install-recommends debootstrap debian-archive-keyring; } \
            </dev/null >>"$log" 2>&1 ||
            die "apt could not install debootstrap and debian-archive-keyring (see $log): $(log_reason "$log")"
    fi
    # an older debootstrap does not know the suite by name; all Debian suites are alike to it
    [ -e "/usr/share/debootstrap/scripts/$suite" ] || script=/usr/share/debootstrap/scripts/sid
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    [ -z "$proxy" ] || [ "$proxy" = DIRECT ] || export http_proxy=$proxy
    say "making an isolated Debian 13 root in $root (once, some minutes)"
    mkdir -p "$root"
    # debootstrap mounts /proc in the root: in a namespace of its own, nothing can stay behind
    unshare --mount --propagation slave \
        debootstrap --variant=minbase --force-check-gpg --keyring="$keyring" \
        "$suite" "$root" "$mirror" $script </dev/null >>"$log" 2>&1 ||
        die "debootstrap failed (see $log): $(log_reason "$log")"
    root_configure
    echo "$suite $root_format" >"$home/base"
    say "the base system stands"
}

root_configure() {
    printf 'path-exclude=/usr/share/%s/*\n' doc man info locale help gtk-doc lintian \
        >"$root/etc/dpkg/dpkg.cfg.d/small"
    {
        printf '%s\n' 'APT::Install-Recommends "false";' 'Acquire::Languages "none";' \
            'APT::Update::Error-Mode "any";' 'Dpkg::Options { "--force-unsafe-io"; };' \
            'Dpkg::Use-Pty "false";'
        # how this machine reaches its mirror, and whether it trusts its clock
        apt-config dump | grep -E '^Acquire::(Check-(Valid-Until|Date)|https?::Proxy(::[^ ]*)?) ' || true
    } >"$root/etc/apt/apt.conf.d/90gst-cudacca"
    # no package may start a service
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
}

# Installs what tests/env/packages names. A set-up that was killed half-way is
# first brought to its end.
root_install() {
    local packages
    mapfile -t packages < <(package_list)
    check_space_for_packages
    say "installing the packages in the isolated root"
    # instead of what lies there, be it a link that a package made
    cp -L --remove-destination /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    if ! in_root_quietly apt-get -q update; then
        die "the isolated root cannot reach its Debian mirror (see $log): check the network, then run this again"
    fi
    in_root_quietly sh -ec 'dpkg --configure -a; apt-get -q -y --fix-broken install' || return 1
    in_root_quietly apt-get -q -y install "${packages[@]}" || {
        ! grep -q 'Unable to locate package' "$log" || die "tests/env/packages names a package that" \
            "Debian does not have (see $log): $(grep -m 1 -o 'Unable to locate package.*' "$log")"
        return 1
    }
    in_root_quietly apt-get clean
    wanted_packages >"$home/packages.new" && mv "$home/packages.new" "$home/packages" || return 1
    say "the packages are installed ($(du -shx "$root" | cut -f1))"
}

check_space_for_packages() {
    local kib
    kib=$(df --output=avail -k "$home" | tail -n 1)
    [ "$kib" -ge $((need_kib / 4)) ] || [ ! -x "$root/usr/bin/meson" ] ||
        die "$home has only $((kib / 1024)) MiB free: free some, or set GST_CUDACCA_CACHE to a folder on a larger disk"
}

in_root_quietly() {
    # shellcheck disable=SC2016  # expanded by the inner shell
    unshare --mount --propagation slave /bin/sh -ec '
        root=$1
        shift
        for d in proc sys dev; do mount --rbind "/$d" "$root/$d"; done
        exec env -i PATH=/usr/sbin:/usr/bin HOME=/ LC_ALL=C DEBIAN_FRONTEND=noninteractive \
            chroot "$root" "$@"' sh "$root" "$@" </dev/null >>"$log" 2>&1
}
