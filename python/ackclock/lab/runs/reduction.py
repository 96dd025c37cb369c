"""Curves with no more points than a picture can show.

Source: M4, U. Jugel et al., M4: A Visualization-Oriented Time Series Data Aggregation, VLDB 2014:
of each column of pixels the first, the least, the greatest and the last point. A peak of one packet
survives, which a mean or every n-th point would hide.
"""

from __future__ import annotations

import numpy as np

_OF_A_COLUMN = 4


class PixelColumns:
    """The columns of pixels in which the points of curves with the same times lie."""

    def __init__(self, x: np.ndarray, begin: float, end: float, columns: int) -> None:
        """Find them.

        Args:
            x: ascending.
            begin: of the picture, in units of x.
            end: of the picture, above ``begin``.
            columns: of pixels in it.
        """
        self._first = max(0, int(np.searchsorted(x, begin, "left")) - 1)
        self._end = min(len(x), int(np.searchsorted(x, end, "right")) + 1)
        self._count = self._end - self._first
        self._has_few = self._count <= _OF_A_COLUMN * columns
        if self._has_few:
            return
        of = np.floor((x[self._first : self._end] - begin) * (columns / (end - begin)))
        is_start = np.empty(self._count, bool)
        is_start[0] = True
        np.not_equal(of[1:], of[:-1], out=is_start[1:])
        self._starts = np.flatnonzero(is_start)
        self._ends = np.append(self._starts[1:], self._count) - 1
        self._number = np.cumsum(is_start) - 1

    def points(self, y: np.ndarray) -> np.ndarray:
        """The points of a curve that are to be drawn.

        Args:
            y: a number for each x, none of them nan.

        Returns:
            Their numbers, ascending: at most four of each column, and those of the last before the
            picture and the first after it, to which lines lead. All of these if they are few.
        """
        if self._has_few:
            return np.arange(self._first, self._end)
        y = y[self._first : self._end]
        kept = np.zeros(self._count, bool)
        kept[self._starts] = kept[self._ends] = True
        for extreme in (np.minimum, np.maximum):
            found = np.flatnonzero(y == extreme.reduceat(y, self._starts)[self._number])
            # Of several points with the same extreme the first of a column.
            of = self._number[found]
            kept[found[0]] = True
            kept[found[1:][of[1:] != of[:-1]]] = True
        return self._first + np.flatnonzero(kept)
