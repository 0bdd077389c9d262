#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Draws the ideas of ../README.md, an SVG for each algorithm, beside this script."""

import pathlib
from html import escape

INK, FAINT, BLUE, RED, GREEN = "#303030", "#909090", "#2a78b5", "#b5422a", "#3b8f5a"
FILLS = {"a": "#cfe2f1", "b": "#f3d9b0", "c": "#d3e8d9", "d": "#eccfc8", ".": "#ffffff",
         "#": "#dddddd"}
CELL = 26


class Sheet:
    """Places are in cells, from the upper left corner."""

    def __init__(self, width, height):
        self.size = width * CELL, height * CELL
        self.parts = []

    def add(self, part):
        self.parts.append(part)

    def cell(self, x, y, fill, text="", strong=False, width=1):
        self.add(f'<rect x="{x * CELL:g}" y="{y * CELL:g}" width="{width * CELL:g}" '
                 f'height="{CELL}" fill="{FILLS.get(fill, fill)}" '
                 f'stroke="{INK if strong else FAINT}" stroke-width="{2 if strong else 0.7}"/>')
        if text != "":
            self.text(x + width / 2, y + 0.68, text, middle=True)

    def row(self, x, y, fills, texts="", strong=()):
        """Cells side by side; texts are split at blanks, "_" is none."""
        words = texts.split() or ["_"] * len(fills)
        plain = [i for i in range(len(fills)) if i not in strong]
        for i in [*plain, *strong]:
            self.cell(x + i, y, fills[i], "" if words[i] == "_" else words[i], i in strong)

    def text(self, x, y, text, middle=False, colour=INK, size=12):
        anchor = ' text-anchor="middle"' if middle else ""
        self.add(f'<text x="{x * CELL:g}" y="{y * CELL:g}" font-size="{size}" '
                 f'fill="{colour}"{anchor}>{escape(str(text))}</text>')

    def line(self, x0, y0, x1, y1, colour=INK, arrow=True, bend=0.0, dashed=False):
        """Bent to the left of its way, by that part of a cell."""
        way = f"M{x0 * CELL:g} {y0 * CELL:g} "
        dx, dy = x1 - x0, y1 - y0
        length = (dx * dx + dy * dy) ** 0.5 or 1
        cx = (x0 + x1) / 2 + 2 * bend * dy / length
        cy = (y0 + y1) / 2 - 2 * bend * dx / length
        end = f' marker-end="url(#{colour[1:]})"' if arrow else ""
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        way += f"Q{cx * CELL:g} {cy * CELL:g} " if bend else "L"
        self.add(f'<path d="{way}{x1 * CELL:g} {y1 * CELL:g}" fill="none" stroke="{colour}" '
                 f'stroke-width="1.4"{dash}{end}/>')

    def save(self, folder, name):
        width, height = self.size
        heads = "".join(
            f'<marker id="{colour[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>\n'
            for colour in (INK, FAINT, BLUE, RED, GREEN))
        (folder / f"{name}.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif">\n'
            f'<rect width="100%" height="100%" fill="#ffffff"/>\n<defs>\n{heads}</defs>\n'
            + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def union_find():
    s = Sheet(25, 5.6)
    s.text(0.5, 0.8, "merge(5, 3)")
    trees = {0: "atomicMin(L[4], 1) gave 4:", 9: "it gave 2: another thread",
             18: "then 2 and 1 are merged"}
    for x, title in trees.items():
        s.text(x + 0.5, 1.6, title, size=11)
    s.text(0.5, 2.2, "4 was a root, done", size=11)
    s.text(9.5, 2.2, "was first, 2 is lost ...", size=11)

    def nodes(x, places, links):
        for label, (i, j) in places.items():
            s.cell(x + i, 2.5 + j, "a" if label in (4, 5) else "b" if label == 2 else "c", label)
        for a, b, colour in links:
            (ax, ay), (bx, by) = places[a], places[b]
            s.line(x + ax + (0.5 if ay != by else 0), 2.5 + ay + (0 if ay != by else 0.5),
                   x + bx + (0.5 if ay != by else 1), 2.5 + by + (1 if ay != by else 0.5), colour)
    nodes(0, {1: (1, 0), 3: (1, 2), 4: (4, 0), 5: (4, 2)},
          [(3, 1, INK), (5, 4, INK), (4, 1, RED)])
    nodes(9, {1: (1, 0), 3: (1, 2), 4: (4, 0), 5: (4, 2), 2: (6.5, 0)},
          [(3, 1, INK), (5, 4, INK), (4, 1, RED)])
    nodes(18, {1: (1, 0), 3: (1, 2), 4: (3, 2), 5: (4.5, 2), 2: (4, 0)},
          [(3, 1, INK), (5, 4, INK), (2, 1, BLUE)])
    s.line(18 + 3.3, 4.5, 18 + 1.9, 3.5, RED)
    return s


def naive():
    s = Sheet(21, 5)
    s.text(0.5, 0.8, "label image")
    s.text(12.5, 0.8, "table S, by label")
    s.row(0.5, 1.2, "aa.b", "0 0 _ 3")
    s.row(0.5, 2.2, "aa.b", "0 0 _ 3")
    s.row(12.5, 1.7, "a..b....", "4 _ _ 2 _ _ _ _", (0, 3))
    for i in range(8):
        s.text(13 + i, 3.3, str(i), True, FAINT, 10)
    for x, y in ((1, 1.4), (2, 1.4), (1, 3), (2, 3)):
        s.line(x + 0.4, y, 12.9, 1.7 if y < 2 else 2.7, BLUE, bend=0.8 if y < 2 else -0.8)
    for y in (1.7, 2.7):
        s.line(4.5, y, 15.9, 1.7 if y < 2 else 2.7, RED, bend=0.3 if y < 2 else -0.3)
    s.text(0.5, 4.6, "A vote for each pixel: those of one label wait for each other.", size=11)
    return s


def ha4():
    s = Sheet(25, 7.3)
    for x, name in ((6, "warp's turn 1"), (15, "turn 2")):
        s.text(x + 4, 0.8, name, True)
    rows = {1.2: (".aaa..aa", "aa......", "_ 1 · · _ _ 6 ·", "6 · _ _ _ _ _ _", (1, 6), (0,)),
            4.2: ("...aaaa.", "a...bb..", "_ _ _ 19 · · · _", "24 _ _ _ 28 · _ _", (3,),
                  (0, 4))}
    for y, (left, right, a, b, starts_a, starts_b) in rows.items():
        s.row(6, y, left, a, starts_a)
        s.row(15, y, right, b, starts_b)
    s.text(0.3, 1.9, "row 0, labels")
    s.text(0.3, 4.9, "row 1, labels")
    s.text(0.3, 3.1, "merged where one", size=11)
    s.text(0.3, 3.6, "of two begins", size=11)
    for x in (9, 12, 15):
        s.line(x + 0.5, 4.2, x + 0.5, 2.2, RED)
    s.line(15.3, 1.2, 12.7, 1.2, BLUE, bend=-0.5)
    s.text(17.2, 2.8, "goes on: distance 2 was", colour=BLUE, size=11)
    s.text(17.2, 3.4, "carried over", colour=BLUE, size=11)
    s.text(0.3, 6.2, "Only starts (thick) touch memory; clz and ffs of the warp's mask tell each "
           "lane how far start and end are.", size=11)
    s.text(0.3, 6.9, "The row above comes from another warp, through shared memory.", size=11)
    return s


def otf():
    s = Sheet(25, 7)
    s.text(0.3, 0.7, "label")
    s.text(19, 0.7, "time →", colour=FAINT)
    ends = {1: 21, 2: 12, 3: 21, 4: 6}
    for label, end in ends.items():
        y = 0.4 + 1.3 * label
        s.cell(0.4, y - 0.5, "abcd"[label - 1], label)
        s.line(1.4, y, end, y, arrow=False)
        if end < 21:
            s.line(end, y, 20.5, y, FAINT, arrow=False, dashed=True)
    s.line(6, 5.6, 6, 3.05)
    s.text(6.2, 4.9, "4 → 2", size=11)
    s.line(12, 3, 12, 1.75)
    s.text(12.2, 2.5, "2 → 1", size=11)
    s.line(9, 5.6, 14, 3.05, BLUE)
    s.text(11.2, 5.2, "features of 4 arrive at 2, which is no root any more ...", colour=BLUE,
           size=11)
    s.line(12.6, 3, 13.4, 1.75, BLUE)
    s.line(16, 3, 17.5, 1.75, BLUE)
    s.text(17.2, 2.7, "... and go on", colour=BLUE, size=11)
    s.text(0.3, 6.7, "Black: labels are merged. Blue: features move. Dashed: no root any more.",
           size=11)
    return s


def conflict_detection():
    s = Sheet(24, 6.8)
    runs = "abaaba"
    s.text(0.3, 1.7, "lane's label, area")
    s.row(6.5, 1, runs, "a:4 b:2 a:1 a:3 b:5 a:2")
    for i in range(6):
        s.text(7 + i, 0.7, str(i), True, FAINT, 10)
    s.text(0.3, 3.7, "after step 1")
    s.row(6.5, 3, "ab.a..", "5 7 _ 5 _ _")
    for a, b in ((2, 0), (4, 1), (5, 3)):
        s.line(7 + a, 2.05, 7.1 + b, 2.95, BLUE)
    s.text(0.3, 5.7, "after step 2")
    s.row(6.5, 5, "ab....", "10 7 _ _ _ _", (0, 1))
    s.line(10, 4.05, 7.1, 4.95, BLUE)
    s.text(14.5, 1.7, "6 runs, 2 labels: lanes find their", size=11)
    s.text(14.5, 2.3, "peers by __match_any_sync,", size=11)
    s.text(14.5, 3.7, "each takes the next peer's sum,", size=11)
    s.text(14.5, 5.7, "and one of each label votes", size=11)
    return s


def flsl():
    s = Sheet(24, 10)
    s.text(0.3, 1.7, "row y")
    s.row(4.5, 1, "aaa.bb..c", "", (0, 4, 8))
    s.text(0.3, 2.9, "edges")
    edges = (0, 3, 4, 6, 8)
    for i in range(9):
        s.text(5 + i, 0.7, str(i), True, FAINT, 10)
        s.text(5 + i, 2.9, "1" if i in edges else "0", True, RED if i in edges else FAINT)
    s.text(0.3, 4, "ER: edges so far")
    s.row(4.5, 3.3, "aaa.bb..c", "1 1 1 2 3 3 4 4 5")
    s.text(0.3, 5.7, "RLC, side by side")
    s.row(4.5, 5, "aabbcc", "0 3 4 6 8 9")
    for i, edge in enumerate(edges):
        s.line(5 + edge, 4.35, 5 + i, 4.95, RED)
    s.text(14.5, 1.7, "a warp's ballot, and popc of the edges", size=11)
    s.text(14.5, 4, "odd: inside a run", size=11)
    s.text(14.5, 5.7, "begin and end of each run: its thread's", size=11)
    s.text(0.3, 7.2, "ER of row y")
    s.row(4.5, 6.5, "aaa.bb..c", "1 1 1 2 3 3 4 4 5", (2, 5))
    s.text(0.3, 8.7, "row y + 1")
    s.row(4.5, 8, "..dddd...", "", (2,))
    s.line(7, 8, 7, 7.5, BLUE)
    s.line(10, 8, 10, 7.5, BLUE)
    s.text(14.5, 7.2, "1 and 3 above its two ends: it touches", colour=BLUE, size=11)
    s.text(14.5, 7.8, "runs 0 to 1 of row y, without a search", colour=BLUE, size=11)
    s.text(0.3, 9.7, "A run is whole, however long it is, and votes once.", size=11)
    return s


def neighbours(s, x, y, fills, title, links, result, colour):
    s.row(x, y, fills[:2])
    s.row(x, y + 1, fills[2:], "_ x")
    for x0, y0, x1, y1, c in links:
        s.line(x + x0, y + y0, x + x1, y + y1, c)
    s.text(x + 1, y - 0.3, title, True, size=11)
    s.text(x + 1, y + 2.7, result, True, colour, 11)


def komura():
    s = Sheet(22, 5.6)
    titles = {0.5: "analysis: the pixel above, or", 8: "labels become roots",
              15.5: "reduction: what is left"}
    for x, title in titles.items():
        s.text(x, 0.8, title)
    s.text(0.5, 1.4, "the left one", size=12)
    for x, texts in ((0.5, "_ 1 _ 3", ), (8, "_ 1 _ 3"), (15.5, "_ 1 _ 1")):
        s.row(x, 1.8, ".a.b" if x < 15 else ".a.a", texts)
    s.row(0.5, 2.8, "aaab", "4 1 5 3")
    s.row(8, 2.8, "aaab", "4 1 1 3")
    s.row(15.5, 2.8, "aaaa", "1 1 1 1")
    for x, y, x1, y1 in ((2, 3, 2, 2.6), (4, 3, 4, 2.6), (2.7, 3.7, 2.3, 3.7)):
        s.line(x, y, x1, y1, BLUE)
    s.line(16.6, 3.9, 15.9, 3.9, RED, bend=-0.5)
    s.line(18.9, 3.9, 18.1, 3.9, RED, bend=-0.5)
    s.text(15.5, 4.9, "1 and 4, 3 and 1: atomicMin", colour=RED, size=11)
    s.text(0.5, 5.3, "Nothing is gone over again until it settles.", size=11)
    return s


def playne():
    s = Sheet(22, 5.4)
    neighbours(s, 1, 1.5, ".a.a", "above alone", [(1.5, 1.2, 1.5, 0.8, INK)], "is the label", INK)
    neighbours(s, 6.5, 1.5, "..aa", "left alone", [(1.2, 1.5, 0.8, 1.5, INK)], "is the label", INK)
    neighbours(s, 12, 1.5, "aaaa", "all", [(1.5, 1.2, 1.5, 0.8, INK)], "joined already", GREEN)
    neighbours(s, 17.5, 1.5, ".aba", "both, not between",
               [(1.5, 1.2, 1.5, 0.8, INK), (1.2, 1.5, 0.8, 1.5, RED)], "merged", RED)
    s.text(1, 5.1, "4-connected, the pixel x: only one of four cases needs an atomic.", size=11)
    return s


def dlp():
    s = Sheet(24, 7.4)
    s.text(0.5, 0.7, "labels = addresses + 1")
    s.text(10, 0.7, "masks of 2×2, tiles", size=12)
    s.row(0.5, 1.2, "aa.b", "1 2 _ 4")
    s.row(0.5, 2.2, ".a.b", "_ 6 _ 8")
    s.add(f'<rect x="{0.5 * CELL:g}" y="{1.2 * CELL:g}" width="{2 * CELL}" height="{2 * CELL}" '
          f'fill="none" stroke="{RED}" stroke-width="3"/>')
    s.line(2, 1.3, 1.1, 1.3, BLUE, bend=0.4)
    s.line(2, 3.1, 1, 2.1, BLUE, bend=-0.3)
    s.text(0.5, 4.2, "ε = 1: 2 and 6 are", colour=BLUE, size=11)
    s.text(0.5, 4.8, "set to it by atomicRUF", colour=BLUE, size=11)
    for tile_x in (0, 1):
        for tile_y in (0, 1):
            for i in range(4):
                for j in range(2):
                    border = (i == 3 and tile_x == 0) or (j == 1 and tile_y == 0)
                    s.cell(10 + 4.15 * tile_x + i, 1.2 + 2.15 * tile_y + j,
                           "b" if border else "a" if tile_x == tile_y else "#")
    s.text(18.8, 2.2, "step 1: each tile in", size=11)
    s.text(18.8, 2.8, "shared memory", size=11)
    s.text(18.8, 3.8, "step 2: masks that", size=11)
    s.text(18.8, 4.4, "begin at a tile's east", size=11)
    s.text(18.8, 5, "or south border", size=11)
    s.text(0.5, 6.2, "Step 3: each pixel follows its label to the root. The label image is the "
           "table of equivalences, too.", size=11)
    s.text(0.5, 6.9, "DLP-SetRoot, before: ε is set at the roots, whichever thread wins; what is "
           "lost, DLP-RUF makes good.", size=11)
    return s


def tmk():
    s = Sheet(25, 9.6)
    fills = {"1": "a", "8": "b", "14": "c", "/": "."}
    s.text(0.3, 1.2, "labels")
    labels = "1 1 _ _ 1 1 _ 8 _ _ _ 8 _ 14 14 _".split()
    s.row(4, 0.5, [fills.get(word, ".") for word in labels], " ".join(labels))
    s.text(0.3, 2.7, "nodes")
    for i, word in enumerate("1 / 1 8 / 8 14 14".split()):
        s.cell(4 + 2 * i, 2, fills[word], word, width=2)
    trees = {(4, 4): ["1"], (8, 4): ["1", "8"], (12, 4): ["8"], (16, 4): ["14"],
             (4, 6): ["1", "8"], (12, 6): ["8", "14"], (4, 8): ["1", "8", "14"]}
    for (x, y), nodes in trees.items():
        for i, word in enumerate(nodes):
            s.cell(x + 1.4 * i, y, fills[word], word)
            if i > 0:
                s.line(x + 1.4 * i, y + 0.5, x + 1.4 * i - 0.4, y + 0.5)
    for y, merges in ((3.5, ((4, "(a) nothing there"), (8, "(b) inserted"), (12, "(c) moved"),
                             (16, "(d) added up"))),
                      (5.5, ((4, "(d) 1 and 1, then (b) 8"), (12, "(b) 14 below 8"))),
                      (7.5, ((4, "(d) 8 and 8, then (b) 14"),))):
        for x, what in merges:
            s.text(x, y + 0.2, what, colour=BLUE, size=11)
    for y, granularity in ((4, 1), (6, 2), (8, 4)):
        s.text(0.3, y + 0.7, f"granularity {granularity}")
    s.text(13, 8.7, "an arrow leads to the parent", colour=FAINT, size=11)
    return s


def inherit():
    s = Sheet(25, 4.6)
    s.text(0.3, 1.5, "last frame, ids")
    s.row(5, 0.8, "aaa.bbb", "7 7 7 _ 8 8 8")
    s.text(0.3, 3.5, "this frame, labels")
    s.row(5, 2.8, ".aaaa.c", "_ x x x x _ y")
    for x, colour in ((6.5, BLUE), (7.5, BLUE), (9.5, RED), (11.5, RED)):
        s.line(x, 2.75, x, 1.85, colour)
    s.text(13, 1.5, "x shares 2 pixels with 7, and 7 most with x: x is 7", colour=BLUE, size=11)
    s.text(13, 2.5, "8 shares 1 with each, and takes x, the smaller label;", colour=RED, size=11)
    s.text(13, 3.1, "x is 7's: y gets the next id", colour=RED, size=11)
    s.text(0.3, 4.4, "Partners are those that share most pixels with each other.", size=11)
    return s


def draw_all(folder):
    for draw in (union_find, naive, ha4, otf, conflict_detection, flsl, komura, playne, dlp, tmk,
                 inherit):
        draw().save(folder, draw.__name__.replace("_", "-"))


if __name__ == "__main__":
    draw_all(pathlib.Path(__file__).parent)
