# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-cudacca authors
"""The assignment problem."""

import math


def assign(costs):
    """The column of each row, no column twice, of the least sum of costs: the Hungarian
    method. There are at least as many columns as rows."""
    n, m = len(costs), len(costs[0]) if costs else 0
    of_row, of_column = [0.0] * (n + 1), [0.0] * (m + 1)        # the dual's prices
    row = [0] * (m + 1)         # of each column, from 1; 0: none
    for i in range(1, n + 1):
        row[0], j = i, 0
        least, way, used = [math.inf] * (m + 1), [0] * (m + 1), [False] * (m + 1)
        while row[j]:
            used[j] = True
            free = [k for k in range(1, m + 1) if not used[k]]
            for k in free:
                cost = costs[row[j] - 1][k - 1] - of_row[row[j]] - of_column[k]
                if cost < least[k]:
                    least[k], way[k] = cost, j
            nearest = min(free, key=least.__getitem__)
            step = least[nearest]
            for k in range(m + 1):
                if used[k]:
                    of_row[row[k]] += step
                    of_column[k] -= step
                else:
                    least[k] -= step
            j = nearest
        while j:
            row[j], j = row[way[j]], way[j]
    columns = [0] * n
    for k in range(1, m + 1):
        if row[k]:
            columns[row[k] - 1] = k - 1
    return columns
