# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# Counting and printing of tests: one line each, with its result and time.

passed=0 failed=0 skipped=0
failures=()
test_pattern=
test_logs=${top:?}/build/test-logs

# report RESULT NAME SECONDS
report() {
    case $1 in
    ok) passed=$((passed + 1)) ;;
    skip) skipped=$((skipped + 1)) ;;
    FAIL) failed=$((failed + 1)); failures+=("$2") ;;
    esac
    printf '%-4s  %-58s %6.1f s\n' "$1" "$2" "$3"
}

# Does NAME contain what the user asked for? Always, if nothing was asked for.
is_wanted() {
    [[ $1 == *$test_pattern* ]]
}

# Can a test whose name begins with LABEL: be wanted?
is_wanted_label() {
    [[ -z $test_pattern || $1 == *$test_pattern* || $test_pattern == *$1* ]]
}

# watch_log NAME LOG: its last line, now and then.
watch_log() {
    while sleep 30; do
        say "$1: $(tail -c 400 "$2" | tr '\r' '\n' | tail -n 1 | cut -c1-100)"
    done
}

# check NAME SECONDS COMMAND [ARG...]: a test that passes with exit status 0,
# is skipped with 77, and may take so many seconds.
check() {
    local name=$1 limit=$2 log status=0 begin=$EPOCHREALTIME result=ok watcher
    shift 2
    is_wanted "$name" || return 0
    mkdir -p "$test_logs"
    log=$test_logs/${name//[^A-Za-z0-9_.-]/_}.log
    # a function cannot be given to timeout: it gets a shell that knows it
    if declare -F "$1" >/dev/null; then
        export -f "${1?}"
        # shellcheck disable=SC2016  # expanded by the inner shell
        set -- bash -euo pipefail -c '"$0" "$@"' "$@"
    fi
    watch_log "$name" "$log" &
    watcher=$!
    timeout --kill-after=10 "$limit" "$@" </dev/null >"$log" 2>&1 || status=$?
    kill "$watcher"
    wait "$watcher" 2>/dev/null || true
    case $status in
    0) ;;
    77) result=skip ;;
    124 | 137) result=FAIL; echo "took longer than $limit s" >>"$log" ;;
    *) result=FAIL; echo "exit status $status" >>"$log" ;;
    esac
    report "$result" "$name" "$(since "$begin")"
    if [ $result = FAIL ]; then
        tail -n 40 "$log" | sed 's/^/      | /'
        echo "      the whole output: ${log#"$top"/}"
    fi
}

# check_build NAME [MESON-OPTION...]: build/NAME stands and is up to date. Not
# counted where it succeeds: it tests nothing yet.
check_build() {
    local begin=$EPOCHREALTIME
    if ! (ensure_build "$@"); then
        report FAIL "build: $1" "$(since "$begin")"
        return 1
    fi
}

since() {
    awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}

# check_meson BUILD-NAME LABEL [SUITE-TO-LEAVE-OUT...]: every meson test of a build.
check_meson() {
    local build=$1 label=$2 result name seconds
    shift 2
    while IFS=$'\t' read -r result seconds name; do
        case $result in
        ok | skip | FAIL) report "$result" "$name" "$seconds" ;;
        *) printf '%s\n' "$result" ;;
        esac
    done < <("$top/tests/env/meson-tests" "$top/build/$build" "$label" "$test_pattern" "$@" ||
        printf 'FAIL\t0\t%s: meson test\n' "$label")
}

# The closing line; fails if a test failed or if none ran.
close_report() {
    local f
    if [ $failed -gt 0 ]; then
        echo
        echo "failed:"
        for f in "${failures[@]}"; do echo "  $f"; done
    fi
    echo
    [ $skipped -eq 0 ] || echo "$skipped skipped"
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
}
