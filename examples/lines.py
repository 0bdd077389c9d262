# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""A line that is counted across: both ends in pixels, as (x1, y1, x2, y2)."""


def parse(text):
    """From "X1,Y1,X2,Y2"; raises ValueError."""
    line = tuple(map(int, text.split(",")))
    if len(line) != 4 or line[:2] == line[2:]:
        raise ValueError(text)
    return line


def middle(width, height):
    """From the bottom to the top of a picture."""
    return width // 2, height, width // 2, 0


def prop(line):
    """ccatrack's property `lines`."""
    return "<[line,x1={},y1={},x2={},y2={}]>".format(*line)


def directions(line):
    """Where things go on the screen that cross it to its left and to its right, as seen
    from the first end."""
    x1, y1, x2, y2 = line
    across, down = y1 - y2, x2 - x1         # to its right
    if abs(across) >= abs(down):
        return ("left", "right") if across > 0 else ("right", "left")
    return ("up", "down") if down > 0 else ("down", "up")


def describe(line, counts):
    return "{} {}, {} {}".format(*(part for pair in zip(directions(line), counts) for part in pair))
