# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# Sourced by every script of tests/env, tests/ and examples/.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
env_started=${GST_CUDACCA_STARTED:-$EPOCHSECONDS}
unset GST_CUDACCA_STARTED

# One line of progress on stderr, with the time since the script began.
say() {
    local t=$((EPOCHSECONDS - env_started))
    printf '%s %d:%02d  %s\n' "${say_name:-gst-cudacca}" $((t / 60)) $((t % 60)) "$*" >&2
}

# Prints one sentence on stderr and exits.
die() {
    printf '%s: %s\n' "${say_name:-gst-cudacca}" "$*" >&2
    exit 1
}

# The names in tests/env/packages, one a line.
package_list() {
    sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$top/tests/env/packages"
}

# Where downloads, logs and the isolated root are kept.
cache_dir() {
    if [ -n "${GST_CUDACCA_CACHE:-}" ]; then
        realpath -m -- "$GST_CUDACCA_CACHE"
    elif [ -n "${XDG_CACHE_HOME:-}${HOME:-}" ]; then
        realpath -m -- "${XDG_CACHE_HOME:-$HOME/.cache}/gst-cudacca"
    else
        die "neither HOME nor GST_CUDACCA_CACHE is set: set GST_CUDACCA_CACHE to a folder for the set-up"
    fi
}

# Runs the calling script again inside the environment, which is set up first if it is missing.
# Returns at once if the script already runs inside. Usage, early in a script:
#   enter_env "$0" "$@"
# show_dirs may list folders that must be visible inside at their own paths.
enter_env() {
    local script dir args=() show_dirs=("${show_dirs[@]+"${show_dirs[@]}"}")
    [ "${GST_CUDACCA_INSIDE:-}" != "$top" ] || return 0
    script=$(realpath -- "$1")
    shift
    for dir in "${show_dirs[@]}"; do
        args+=(--show "$dir")
    done
    GST_CUDACCA_STARTED=$env_started exec "$top/tests/env/enter" "${args[@]+"${args[@]}"}" -- "$script" "$@"
}
