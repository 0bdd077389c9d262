# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# Build directories, inside the environment.

# ensure_build NAME [--for SUITES] [MESON-OPTION...]: build/NAME stands, is of this environment
# and up to date. Says nothing where nothing is to be done. With --for it has what the tests
# of meson-tests' SUITES need, else everything.
ensure_build() {
    local name=$1 dir=${top:?}/build/$1 log=$top/build/$1.log fd suites=() targets=()
    shift
    if [ "${1:-}" = --for ]; then
        read -ra suites <<<"$2"
        shift 2
    fi
    # shellcheck disable=SC2046  # words
    [ "$name" != default ] || set -- $(fewer_archs)
    [[ $top != *[\"\\]* ]] ||
        die "the checkout's path must have no \" and no \\, which nvcc and g-ir-scanner cannot take: $top"
    mkdir -p "$top/build"
    exec {fd}>>"$top/build/$name.lock"
    flock --nonblock "$fd" || { say "waiting for build/$name"; flock "$fd"; }
    # a directory of another environment, or one whose set-up was killed
    if [ -e "$dir" ] && { [ "$(cat "$dir/.env-id" 2>/dev/null)" != "$GST_CUDACCA_ENV_ID $*" ] ||
        [ ! -e "$dir/build.ninja" ]; }; then
        say "setting up build/$name anew"
        rm -rf --one-file-system -- "$dir"
    fi
    if [ ! -e "$dir" ]; then
        say "meson setup build/$name"
        meson setup "$@" "$dir" "$top" </dev/null >"$log" 2>&1 ||
            build_failed "$log" "meson could not set up build/$name"
        echo "$GST_CUDACCA_ENV_ID $*" >"$dir/.env-id"
    fi
    if [ ${#suites[@]} -gt 0 ]; then
        ninja -C "$dir" build.ninja </dev/null >"$log" 2>&1 || build_failed "$log" "the build failed"
        mapfile -t targets < <("$top/tests/env/meson-tests" --targets "$dir" "${suites[@]}")
    fi
    if ! ninja -C "$dir" -n "${targets[@]}" 2>/dev/null | grep -q 'no work to do'; then
        say "building build/$name"
        ninja -C "$dir" "${targets[@]}" </dev/null >"$log" 2>&1 || build_failed "$log" "the build failed"
    fi
    if [ ! "$dir/.devenv" -nt "$dir/build.ninja" ]; then
        meson devenv -C "$dir" --dump "$dir/.devenv.new" --dump-format export >"$log" 2>&1 ||
            build_failed "$log" "meson devenv failed"
        mv "$dir/.devenv.new" "$dir/.devenv"
    fi
    exec {fd}>&-
}

# A GPU would run the kernels; the second is one of Windows' subsystem for Linux.
has_gpu() {
    compgen -G '/dev/nvidia[0-9]*' >/dev/null || [ -e /dev/dxg ]
}

# fewer_archs: meson's option for a build that shows that nvcc takes the kernels: for the
# oldest GPUs and the newest, as seven kinds take minutes. None where a GPU would run them.
fewer_archs() {
    has_gpu || echo -Dcuda-arch=75,120
}

# without_nvcc: meson's options, a line each, for a build whose kernels run on the
# simulated driver, which has them: nvcc takes minutes. None where a GPU would run them, or
# where there is no nvcc.
without_nvcc() {
    local nvcc dir=${top:?}/build/no-nvcc
    ! has_gpu || return 0
    # which cannot be said in meson's file
    [[ $dir != *\'* ]] || return 0
    nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc) || return 0
    mkdir -p "$dir/bin"
    ln -sfn "$top/tests/env/nvcc-none" "$dir/bin/nvcc"
    ln -sfn "$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include" "$dir/include"
    printf "[binaries]\nnvcc = '%s'\n" "$dir/bin/nvcc" >"$dir/native.ini"
    printf '%s\n' --native-file "$dir/native.ini" -Dcuda-arch=75
}

# made_driver: meson's option for a build that takes the simulated driver of build/default,
# which stands. None where that has none.
made_driver() {
    local dir=${top:?}/build/default/tests/simcuda
    [ ! -e "$dir/libcuda.so.1" ] || echo "-Dsimulated-driver=$dir"
}

build_failed() {
    tail -n 40 "$1" >&2
    die "$2 (the whole log is $1)"
}

# load_devenv NAME: meson's development environment of build/NAME, in this shell,
# so that the command replaces this process and gets its signals. Its dump has
# lines NAME="VALUE", not quoted any further: to source them would run what the
# checkout's path holds.
load_devenv() {
    local line name value
    [ "${GST_CUDACCA_DEVENV:-}" != "$top/build/$1" ] || return 0
    while IFS= read -r line; do
        [[ $line =~ ^([A-Za-z_][A-Za-z0-9_]*)=\"(.*)\"$ ]] || continue
        name=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
        # before what is there; an empty entry would mean the current folder
        [[ $value != *":\$$name" ]] || value=${value%":\$$name"}${!name:+:${!name}}
        export "$name=$value"
    done <"$top/build/$1/.devenv"
    export GST_CUDACCA_DEVENV=$top/build/$1
}

# link_plugins DIR NAME...: DIR has just these of GStreamer's plugins, as far as
# they are installed.
link_plugins() {
    local dir=$1 from name
    shift
    from=$(pkg-config --variable=pluginsdir gstreamer-1.0)
    rm -rf -- "$dir"
    mkdir -p "$dir"
    for name; do
        [ ! -e "$from/libgst$name.so" ] || ln -s "$from/libgst$name.so" "$dir"
    done
}
