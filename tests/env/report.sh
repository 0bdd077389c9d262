# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
# shellcheck shell=bash
#
# Runs tests, prints a line with result and time for each, and counts them.

passed=0 failed=0 skipped=0
failures=()
set_up_seconds=0
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

# report_from FILE: what another script reported as well. Removes FILE.
report_from() {
    local line
    [ -e "$1" ] || return 0
    while IFS= read -r line; do
        [[ ! $line =~ ^(ok|skip|FAIL)\ +([^ ].*[^ ])\ +([0-9.]+)\ s$ ]] ||
            report "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
    done <"$1"
    rm -- "$1"
}

# Does NAME contain the user's pattern?
is_wanted() {
    [[ $1 == *$test_pattern* ]]
}

# Are tests wanted whose names begin with LABEL? Only if there is no pattern or it names the label.
is_wanted_label() {
    [[ -z $test_pattern || $1 == *$test_pattern* || $test_pattern == *$1* ]]
}

# check NAME LIMIT COMMAND [ARG...]: a test that passes with exit status 0, is skipped with 77, and
# may take LIMIT seconds.
check() {
    local name=$1 limit=$2 log status=0 begin=${EPOCHREALTIME/./} result=ok watcher
    shift 2
    is_wanted "$name" || return 0
    mkdir -p "$test_logs"
    log=$test_logs/${name//[^A-Za-z0-9_.-]/_}.log
    while sleep 30; do
        say "$name: $(tail -c 400 "$log" | tr '\r' '\n' | tail -n 1 | cut -c1-100)"
    done &
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
    report "$result" "$name" "$((${EPOCHREALTIME/./} - begin))e-6"
    if [ $result = FAIL ]; then
        tail -n 40 "$log" | sed 's/^/      | /'
        echo "      log: ${log#"$top"/}"
    fi
}

# check_build NAME [ARG...]: ensure_build, which counts only if it fails.
check_build() {
    local begin=$EPOCHSECONDS status=0
    (ensure_build "$@") || status=1
    set_up_seconds=$((set_up_seconds + EPOCHSECONDS - begin))
    [ $status = 0 ] || report FAIL "build: $1" $((EPOCHSECONDS - begin))
    return $status
}

# check_meson NAME LABEL [ARG...]: runs the tests of build/NAME that `meson test ARG...` selects and
# reports each as 'LABEL: NAME'. The output of a failed test follows its line.
check_meson() {
    local dir=$top/build/$1 label=$2 line name result='' ended=''
    shift 2
    # meson knows tests without the label
    [[ "$label: " == *$test_pattern* ]] || set -- "$@" "*${test_pattern#"$label: "}*"
    # one process more than there are cores, as some tests mostly wait
    while IFS= read -r line; do
        case $line in
        'Summary of Failures:' | 'Ok: '* | *'does not match any test' | 'No suitable tests'*) ended=yes ;;
        esac
        if [ -n "$ended" ]; then
            continue
        elif [[ $line =~ ^\ *[0-9]+/[0-9]+\ (.*[ :])?([^ :]+)\ +([A-Z]+)\ +([0-9.]+)s ]]; then
            name=${BASH_REMATCH[2]}
            case ${BASH_REMATCH[3]} in
            OK | EXPECTEDFAIL) result=ok ;;
            SKIP) result=skip ;;
            *) result=FAIL ;;
            esac
            report $result "$label: $name" "${BASH_REMATCH[4]}"
        elif [ "$result" = FAIL ]; then
            printf '      | %s\n' "$line"
        fi
    done < <(CK_TIMEOUT_MULTIPLIER=4 meson test -C "$dir" --no-rebuild --print-errorlogs \
        --timeout-multiplier 4 --num-processes $(($(nproc) + 1)) "$@" </dev/null 2>&1 |
        tee "$dir/meson-logs/console.txt")
    [ -n "$ended" ] || { report FAIL "$label: meson test" 0; tail -n 40 "$dir/meson-logs/console.txt"; }
}

# The closing lines; fails if a test failed or none ran.
close_report() {
    local all=$((EPOCHSECONDS - ${env_started:?}))
    if [ $failed -gt 0 ]; then
        printf '\nfailed:\n'
        printf '  %s\n' "${failures[@]}"
    fi
    echo
    printf '%d:%02d minutes, of which set-up and build %d:%02d\n' $((all / 60)) $((all % 60)) \
        $((set_up_seconds / 60)) $((set_up_seconds % 60))
    [ $skipped -eq 0 ] || echo "$skipped skipped"
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
}
