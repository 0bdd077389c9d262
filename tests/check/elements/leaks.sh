#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# leaks.sh LOG TEST: runs a test program under GStreamer's leaks tracer and
# fails if an object outlives it.
set -eu

log=$1
shift
rm -f "$log"
# The tracer itself leaks a few bytes.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# one process: the tracer reports at its end
CK_FORK=no GST_TRACERS='leaks(check-refs=true)' GST_DEBUG='GST_TRACER:7' \
    GST_DEBUG_NO_COLOR=1 GST_DEBUG_FILE="$log" "$@"

grep -q 'object-alive.class' "$log" || { echo "the leaks tracer did not run"; exit 1; }
if grep -E ':: object-(alive|refings),' "$log"; then
    echo "objects outlive $1"
    exit 1
fi
