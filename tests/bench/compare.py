# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Figures that are worse in one run than in another."""

from record import is_measured

# Those that users wait or pay for; others are parts of them, or too uneven.
LESS_IS_BETTER = ["us", "wall_us", "cpu_us", "added_cpu_us", "paused_us"]
MORE_IS_BETTER = ["frames_s"]
TOLERANCE = 1.05


def ratios(old, new):
    """(slowdown, point, figure, old, new) of all figures that both runs have."""
    for name, point in new.items():
        before = old.get(name)
        if before is None or not is_measured(point) or not is_measured(before):
            continue
        for figure in LESS_IS_BETTER + MORE_IS_BETTER:
            a, b = before.get(figure), point.get(figure)
            if a and b:
                yield (a / b if figure in MORE_IS_BETTER else b / a), name, figure, a, b


def compare(old, new, say):
    """Reports the figures that are worse; returns whether there are any."""
    found = sorted(ratios(old, new), reverse=True)
    slower = [row for row in found if row[0] > TOLERANCE]
    for ratio, name, figure, a, b in slower:
        say(f"{name}: {figure} {a:.6g} -> {b:.6g}, {100 * (ratio - 1):.1f} % slower")
    faster = sum(row[0] < 1 / TOLERANCE for row in found)
    say(f"{len(found)} figures compared: {len(slower)} slower, {faster} faster by more than "
        f"{100 * (TOLERANCE - 1):.0f} %")
    return bool(slower) or not found
