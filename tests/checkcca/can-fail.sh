#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Proves that checkcca can fail: each deliberately wrong engine is found out,
# and the printed command line finds the same case again, alone.
# Usage: can-fail.sh CHECKCCA

set -u
checkcca=$1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
failed=0

complain() {
    echo "can-fail: $1"
    tail -n 20 "$log"
    failed=1
}

engines=$("$checkcca" --list | sed -n 's/^  \(broken-[a-z]*\)$/\1/p')
[ -n "$engines" ] || { echo "can-fail: there is no broken engine"; exit 1; }

for engine in $engines; do
    "$checkcca" --set tiny --seed 1 --stop --engine "$engine" >"$log" 2>&1
    status=$?
    # A wrong engine may also run into the pages without access: a signal.
    [ $status -eq 1 ] || [ $status -gt 128 ] || complain "$engine: exit status $status"
    replay=$(sed -n 's/^  replay: checkcca //p' "$log" | head -n 1)
    [ -n "$replay" ] || { complain "$engine: no replay line"; continue; }
    name=$(sed -n 's/^FAIL \([^,]*\),.*/\1/p' "$log" | head -n 1)

    # shellcheck disable=SC2086 # options are to be split
    "$checkcca" $replay >"$log" 2>&1
    status=$?
    [ $status -eq 1 ] || [ $status -gt 128 ] || complain "$engine: replay: exit status $status"
    grep -q "^FAIL $name, engine $engine: " "$log" || complain "$engine: replay: not $name"
    echo "$engine: found in $name and again by: checkcca $replay"
done

"$checkcca" --set tiny --seed 1 --engine ref >"$log" 2>&1 || complain "ref: exit status $?"

# Parts are all of it, and nothing twice.
count() {
    "$checkcca" --set tiny --engine ref "$@" 2>/dev/null |
        sed -n 's/^checkcca: \([0-9]*\) cases, 0 differences$/\1/p'
}
[ $(($(count --part 1/3) + $(count --part 2/3) + $(count --part 3/3))) -eq "$(count)" ] ||
    complain "the parts of the cases are not all of them"

"$checkcca" --filter nonsense >"$log" 2>&1 && complain "no case was run, yet no failure"
exit $failed
