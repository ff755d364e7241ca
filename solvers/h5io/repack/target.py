"""The requested layout: chunk shape, filters, or both, in the notation of ``rooftop h5 advise``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rooftop.errors import Misuse
from rooftop.solvers.h5io.filters import NAMES, filter_step
from rooftop.solvers.h5io.library import H5ArgumentError

_NONE = "none"
_MOST_DEFLATE = 9


@dataclass(frozen=True)
class Target:
    """The requested layout.

    chunks   shape of a chunk; (): contiguous; None: unchanged
    filters  filters as for `OutputFile.dataset`; None: unchanged
    """

    chunks: tuple[int, ...] | None = None
    filters: tuple[str, ...] | None = None

    @property
    def in_one_piece(self) -> bool:
        """Whether the layout is contiguous."""
        return self.chunks == ()


def _chunks_named(text: str) -> tuple[int, ...]:
    if text == _NONE:
        return ()
    words = re.split(r"[x,×]", text.strip().lower())
    if not all(word.strip().isdecimal() and int(word) >= 1 for word in words):
        raise Misuse(f"--chunks is {text!r}, expected elements in each dimension such as 512x256, or none")
    return tuple(int(word) for word in words)


def _filters_named(text: str) -> tuple[str, ...]:
    if text == _NONE:
        return ()
    words = tuple(word.strip() for word in re.split(r"[+,]", text))
    for word in words:
        try:
            number, parameters = filter_step(word)
        except H5ArgumentError:
            raise Misuse(
                f"--filter is {text!r}, expected none, or filters such as shuffle+deflate:4, of {', '.join(NAMES)}; "
                "a level follows a colon"
            ) from None
        if word.startswith("deflate") and parameters[0] > _MOST_DEFLATE:
            raise Misuse(f"--filter is {text!r}, expected a level of deflate from 0 to {_MOST_DEFLATE}")
        if any(filter_step(other)[0] == number for other in words if other is not word):
            raise Misuse(f"--filter is {text!r}, expected each filter once")
    return words


def target_named(chunks: str | None, filters: str | None) -> Target:
    """Parse the options --chunks and --filter. Raises Misuse."""
    if chunks is None and filters is None:
        raise Misuse("neither --chunks nor --filter is given, expected one of them or both")
    target = Target(
        None if chunks is None else _chunks_named(chunks), None if filters is None else _filters_named(filters)
    )
    if target.in_one_piece and target.filters:
        raise Misuse("--chunks is none and there is a --filter, expected chunks: filters work on chunks")
    return target
