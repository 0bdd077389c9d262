#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
#
# Compares the papers' algorithms with cca-ref on the simulated driver.
# Usage: check.sh STUDY-CHECK SCHEDULE

set -eu
export SIMCUDA_SEED="$2"
exec "$1" --set tiny --seed "$2"
