# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""Pictures whose components are found here by a plain flood fill."""

import random


def components(rows, threshold=128, connectivity=8):
    """The expected output of cca-json for a picture: a list of dicts in raster order."""
    height, width = len(rows), len(rows[0])
    steps = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)
             if (dx or dy) and (connectivity == 8 or not (dx and dy))]
    seen = [[v <= threshold for v in row] for row in rows]
    found = []
    for y0 in range(height):
        for x0 in range(width):
            if seen[y0][x0]:
                continue
            seen[y0][x0] = True
            pixels = [(x0, y0)]
            for x, y in pixels:
                for dx, dy in steps:
                    u, v = x + dx, y + dy
                    if 0 <= u < width and 0 <= v < height and not seen[v][u]:
                        seen[v][u] = True
                        pixels.append((u, v))
            xs, ys = zip(*pixels)
            found.append({
                "id": len(found) + 1, "x": min(xs), "y": min(ys),
                "width": max(xs) - min(xs) + 1, "height": max(ys) - min(ys) + 1,
                "area": len(pixels), "cx": sum(xs) / len(pixels), "cy": sum(ys) / len(pixels),
                "track": None, "zones": []})
    return found


def noise(width, height, grain, seed):
    """Blocks of grain x grain pixels with random values."""
    rng = random.Random(seed)
    blocks = [[rng.randrange(256) for _ in range(width // grain + 1)]
              for _ in range(height // grain + 1)]
    return [[blocks[y // grain][x // grain] for x in range(width)] for y in range(height)]


def flat(width, height, value):
    return [[value] * width for _ in range(height)]


def write_raw(path, frames, stride):
    """Writes GRAY8 frames; the padding of rows is foreground and must not be seen."""
    with open(path, "wb") as f:
        for rows in frames:
            for row in rows:
                f.write(bytes(row) + b"\xff" * (stride - len(row)))


def source(path, frames, stride):
    """The start of a pipeline that gives the frames, 40 ms each."""
    height, width = len(frames[0]), len(frames[0][0])
    return (f'filesrc location="{path}" ! rawvideoparse format=gray8 width={width} '
            f'height={height} framerate=25/1 plane-strides="<{stride}>" '
            f'frame-size={stride * height}')
