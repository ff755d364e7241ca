"""The cases: data, filters, ranks, and whether the cache holds the file, in an order that is fixed beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

from rooftop.files.document import Document

ASKED, OF = 18, 20
SEED = 28


class Case(Document):
    """A question: is reading the data with these filters faster than without?"""

    model_config = ConfigDict(frozen=True)

    data: str
    filters: tuple[str, ...]
    ranks: int  # of one thread each
    cold: bool

    def __str__(self) -> str:
        """On a line."""
        return f"{self.data}, {' + '.join(self.filters)}, ranks {self.ranks}, {'cold' if self.cold else 'cached'}"


def noise() -> NDArray[Any]:
    """Return floats of which no filter makes less."""
    return np.random.default_rng(SEED).random((1024, 2048))


def smooth() -> NDArray[Any]:
    """Return floats of a field that changes slowly."""
    x, y = np.linspace(0, 6, 2048), np.linspace(0, 9, 2048)
    return (290 + 15 * np.sin(x)[:, None] * np.cos(y)[None, :]).astype("<f4")


def few_values() -> NDArray[Any]:
    """Return whole numbers of which there are twelve, such as classes of land."""
    return np.random.default_rng(SEED).integers(0, 12, (2048, 2048), np.int32)


def sparse_mask() -> NDArray[Any]:
    """Return bytes of which one in a thousand is set."""
    return (np.random.default_rng(SEED).random((4096, 4096)) < 0.001).astype("|u1")


def instrument() -> NDArray[Any]:
    """Return floats as an instrument has them: a drift, a rough signal of twelve bits, and stretches without any."""
    random = np.random.default_rng(SEED)
    drift = np.cumsum(random.normal(0, 0.02, 2048))[:, None]
    signal = np.round((drift + random.normal(0, 1, (2048, 2048))) * 256) / 256
    signal[random.random(2048) < 0.2] = 0
    return signal.astype("<f4")


DATA: dict[str, Callable[[], NDArray[Any]]] = {
    "noise": noise,
    "smooth": smooth,
    "few values": few_values,
    "sparse mask": sparse_mask,
    "instrument": instrument,
}
FILTERS: tuple[tuple[str, ...], ...] = (
    ("deflate:4",),
    ("shuffle", "deflate:4"),
    ("bitshuffle",),
    ("shuffle", "zstd:3"),
    ("blosc2",),
)
_CACHES_AND_RANKS = ((True, 1), (False, 2), (True, 2), (False, 1))
CHUNK_BYTES = 256 << 10


def ordered_cases() -> list[Case]:
    """Return all 100 cases, in rounds of every kind of data.

    From round to round each kind of data meets the next filter, and all of them the next cache and number of ranks. So
    in the first 20 each kind of data, and each filter, meets each cache with each number of ranks once.
    """
    found = []
    for number in range(len(FILTERS) * len(_CACHES_AND_RANKS)):
        shift, turn = number % len(FILTERS), number // len(FILTERS)
        cold, ranks = _CACHES_AND_RANKS[(turn + shift) % len(_CACHES_AND_RANKS)]
        for place, data in enumerate(DATA):
            filters = FILTERS[(place + shift) % len(FILTERS)]
            found.append(Case(data=data, filters=filters, ranks=ranks, cold=cold))
    return found
