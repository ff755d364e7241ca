"""Numbers of rows that are drawn from a server before their rows are sent."""

from __future__ import annotations

from collections.abc import Callable

_MOST = 64  # at a time: those of a program that ends are lost


class ReservedNumbers:
    """Ids for new rows, by table. A number that is known in advance saves the round trip in which a server tells it.

    Where none is left, twice as many are drawn as the last time: who adds one row draws one.
    """

    def __init__(self, draw: Callable[[str, int], list[int]]) -> None:
        """Take the function that draws so many numbers for a table, in ascending order."""
        self._draw = draw
        self._left: dict[str, list[int]] = {}
        self._drawn: dict[str, int] = {}

    def next(self, table: str) -> int:
        """Return a number that no other row of the table has or gets."""
        left = self._left.get(table)
        if not left:
            count = min(2 * self._drawn.get(table, 0) or 1, _MOST)
            left = self._left[table] = self._draw(table, count)[::-1]
            self._drawn[table] = count
        return left.pop()

    def forget(self) -> None:
        """Use none of the drawn numbers: a server that has crashed may give them to others."""
        self._left.clear()
