#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# absent.sh PLUGIN [WHY]: where no GPU is to be seen the plugin loads, has no
# elements and says why; it does not need the CUDA driver to be installed.
set -eu

command -v gst-inspect-1.0 >/dev/null || { echo "gst-inspect-1.0 is missing"; exit 77; }
command -v readelf >/dev/null || { echo "readelf is missing (package binutils)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if readelf -d "$1" | grep -E 'NEEDED.*(libcuda\.|libcudart|libnvrtc)'; then
    echo "$1 must not link these"
    exit 1
fi

# no plugins but ours, and a driver, if there is one, that shows no GPU
GST_PLUGIN_PATH=$(dirname "$1") GST_PLUGIN_SYSTEM_PATH_1_0=$folder \
    GST_REGISTRY=$folder/registry GST_REGISTRY_FORK=no CUDA_VISIBLE_DEVICES='' \
    gst-inspect-1.0 --no-colors cudacca >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
cat "$folder/out"
grep -qE 'Warning: cudacca, .* are not available: [^.]+.*\.$' "$folder/out"
grep -qF "are not available: ${2:-}" "$folder/out"
grep -q '^  0 features' "$folder/out"
