# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# The isolated Debian 13 root, for machines with an older Debian. mmdebstrap makes it, with apt's
# checks of signatures. It is recreated when tests/env/packages changes.
#
#   CACHE/debian-13/root       the root
#   CACHE/debian-13/packages   hash of the package list, written when the root is complete
#   CACHE/debian-13/lock       held shared by every command inside, exclusively by the set-up
#   CACHE/debian-13/log        output of the last set-up

need_kib=$((4 * 1024 * 1024))   # the root and what is downloaded for it
home=$(cache_dir)/debian-13
root=$home/root
log=$home/log

wanted_packages() {
    package_list | sort | sha256sum | cut -c1-16
}

root_is_ready() {
    [ "$(cat "$home/packages" 2>/dev/null)" = "$(wanted_packages)" ]
}

# Build directories belong to one state of the root.
root_id() {
    printf 'trixie-%s-%s\n' "$(wanted_packages)" "$(stat -c %Y "$home/packages")"
}

root_make_ready() {
    [ "$(id -u)" = 0 ] ||
        die "this machine's GStreamer is older than 1.24, and only root can use the isolated Debian 13" \
            "root: run this with sudo, or on Debian 13 or Ubuntu 24.04"
    unshare --mount true 2>/dev/null ||
        die "mount namespaces are not permitted here: use a real machine or a container with CAP_SYS_ADMIN"
    { mkdir -p "$home" && touch "$home/lock"; } 2>/dev/null ||
        die "cannot write to $home: set GST_CUDACCA_CACHE to a writable folder"
    exec {lock_fd}>>"$home/lock"
    take_lock --shared
    until root_is_ready; do
        take_lock --exclusive
        # another command may have done it meanwhile
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

# The Debian mirror in this machine's apt sources, also if apt never fetched from it
find_mirror() (
    # shellcheck source=/dev/null
    . /etc/os-release
    [ "$ID" = debian ] || exit 1
    apt-get --print-uris update 2>/dev/null |
        sed -n "s,^'\(.*\)/dists/$VERSION_CODENAME/main/binary-[^/]*/Packages.*,\1,p" | grep -m 1 .
)

# Options for mmdebstrap: how this machine reaches its mirror, and whether it trusts its clock
machine_apt_options() {
    apt-config dump | sed -nE '/^Acquire::(Check-(Valid-Until|Date)|https?::Proxy(::[^ ]*)?) /s/^/--aptopt=/p'
}

root_set_up() {
    local kib mirror option options=()
    rm -f "$home/packages"
    if [ -e "$root" ]; then
        say "removing the old root"
        rm -rf --one-file-system -- "$root"
    fi
    kib=$(df --output=avail -k "$home" | tail -n 1)
    [ "$kib" -ge $need_kib ] ||
        die "$home has $((kib / 1024)) MiB free and the isolated root needs $((need_kib / 1024)):" \
            "free some, or set GST_CUDACCA_CACHE to a folder on a larger disk"
    mirror=$(find_mirror) ||
        die "this machine's apt sources name no Debian mirror: use Debian 12 or newer, or Ubuntu 24.04 or newer"
    /usr/lib/apt/apt-helper -o Acquire::Retries=1 -o Acquire::http::Timeout=20 \
        download-file "$mirror/dists/trixie/InRelease" "$home/InRelease" >"$log" 2>&1 ||
        die "no answer from the Debian mirror in this machine's apt sources ($mirror):" \
            "check the network and apt's proxy, then run this again"
    rm -f "$home/InRelease"
    command -v mmdebstrap >/dev/null || native_install mmdebstrap debian-archive-keyring

    mapfile -t options < <(machine_apt_options)
    for option in doc man info locale help gtk-doc lintian; do
        options+=(--dpkgopt="path-exclude=/usr/share/$option/*")
    done
    say "making an isolated Debian 13 root in $root (once, some minutes)"
    # in a mount namespace of its own, so that no mount can remain
    unshare --mount --propagation slave mmdebstrap --mode=root --variant=apt \
        --keyring=/usr/share/keyrings/debian-archive-keyring.gpg --dpkgopt=force-unsafe-io "${options[@]}" \
        --include="$(package_list | paste -sd,)" trixie "$root" "deb $mirror trixie main" \
        </dev/null >>"$log" 2>&1 ||
        die "mmdebstrap failed (log: $log): $(log_reason "$log")"
    # with the certificates that the machine trusts, for pip
    cp -L --remove-destination /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
    cp -L --remove-destination /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    wanted_packages >"$home/packages"
    say "the root is complete ($(du -shx "$root" | cut -f1))"
}
