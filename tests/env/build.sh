# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# Build directories. For use inside the environment.

# A GPU can run the kernels; /dev/dxg is the one of Windows Subsystem for Linux.
has_gpu() {
    compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]
}

# Meson option for builds that run kernels on the simulated driver only, as nvcc takes minutes. With a
# GPU, PTX for the oldest architecture serves all.
no_kernels() {
    if has_gpu; then echo -Dcuda-arch=75; else echo -Dcuda-arch=; fi
}

# Meson option that uses the simulated driver of build/default instead of compiling it once more.
made_driver() {
    local dir=${top:?}/build/default/tests/simcuda
    [ ! -e "$dir/libcuda.so.1" ] || echo "-Dsimulated-driver=$dir"
}

# ensure_build NAME [--tests "ARG..."] [MESON-OPTION...]: build/NAME is set up for this environment and
# up to date; prints nothing if it already was. With --tests it holds what the tests need that
# `meson test ARG...` selects, without it everything.
ensure_build() {
    local name=$1 dir=${top:?}/build/$1 log=$top/build/$1.log fd tests=() targets=()
    shift
    if [ "${1:-}" = --tests ]; then
        read -ra tests <<<"$2"
        shift 2
    fi
    # the oldest and the newest architecture show that nvcc accepts the kernels
    [ "$name" != default ] || has_gpu || set -- -Dcuda-arch=75,120
    [[ $top != *[\"\\]* ]] ||
        die "the checkout's path must not contain \" or \\, which nvcc and g-ir-scanner cannot handle: $top"
    mkdir -p "$top/build"
    exec {fd}>>"$top/build/$name.lock"
    # a build that is up to date is locked for a moment only
    flock --timeout 5 "$fd" || { say "waiting for build/$name"; flock "$fd"; }
    # it belongs to another environment, or its set-up was interrupted
    if [ "$(cat "$dir/.env-id" 2>/dev/null)" != "$GST_CUDACCA_ENV_ID $*" ]; then
        say "setting up build/$name"
        rm -rf --one-file-system -- "$dir"
        meson setup "$@" "$dir" "$top" </dev/null >"$log" 2>&1 ||
            build_failed "$log" "meson could not set up build/$name"
        echo "$GST_CUDACCA_ENV_ID $*" >"$dir/.env-id"
        say "building build/$name (a first build takes some minutes)"
    elif [ ${#tests[@]} -gt 0 ] || ! ninja -C "$dir" -n 2>/dev/null | grep -q 'no work to do'; then
        say "building build/$name"
    fi
    if [ ${#tests[@]} -gt 0 ]; then
        ninja -C "$dir" build.ninja </dev/null >"$log" 2>&1 &&
            mapfile -t targets < <(targets_of "$dir" "${tests[@]}" 2>"$log")
    fi
    ninja -C "$dir" "${targets[@]}" </dev/null >"$log" 2>&1 ||
        build_failed "$log" "build/$name could not be built"
    exec {fd}>&-
}

# targets_of DIR ARG...: the files that the tests need which `meson test ARG...` selects. `meson test`
# itself builds the programs of all tests.
targets_of() {
    local dir=$1
    shift
    meson test -C "$dir" --no-rebuild --list "$@" | sed -n 's,^[^ ]* / ,,p' |
        meson_dir=$dir python3 -c '
import json, os, subprocess, sys
folder = os.environ["meson_dir"]
about = json.loads(subprocess.check_output(["meson", "introspect", folder, "--tests", "--targets"]))
files = {target["id"]: target["filename"] for target in about["targets"]}
names = set(sys.stdin.read().splitlines())
for file in sorted({file for test in about["tests"] if test["name"] in names
                    for target in test["depends"] for file in files.get(target, [])}):
    print(os.path.relpath(file, folder))'
}

build_failed() {
    tail -n 40 "$1" >&2
    die "$2 (log: $1)"
}

# load_devenv NAME: Meson's development environment of build/NAME, for this shell and its commands.
# `meson devenv COMMAND` itself would, before Meson 1.7, stay between a command and its signals.
load_devenv() {
    local entry
    [ "${GST_CUDACCA_DEVENV:-}" != "$top/build/$1" ] || return 0
    while IFS= read -rd '' entry; do
        export "${entry?}" 2>/dev/null || true     # functions of bash cannot be set like this, and stay
    done < <(meson devenv -C "$top/build/$1" env -0)
    [ "${MESON_DEVENV:-}" = 1 ] || die "meson devenv failed for build/$1"
    export GST_CUDACCA_DEVENV=$top/build/$1
}
