"""Print the gain from more ranks, and the gains that need no new file."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from rooftop.documents import Comparison
from rooftop.solvers.h5io.advice.document import AdviceDocument, Unchanged
from rooftop.solvers.h5io.advice.lines import gain, measured_gain
from rooftop.text.quantities import size


def rank_table(document: AdviceDocument) -> Table | None:
    """Return the table of numbers of ranks; None if only one was given."""
    if not document.by_ranks:
        return None
    rows = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    rows.add_column("ranks", justify="right", no_wrap=True)
    rows.add_column("layout", no_wrap=True)
    for title in ("predicted", "measured"):
        rows.add_column(title, justify="right", no_wrap=True)
    rows.add_row(f"now: {document.ranks[0]}", document.layout, "", "")
    for one in document.by_ranks:
        rows.add_row(str(one.ranks), one.layout or document.layout, gain(one.predicted), measured_gain(one.measured))
    return rows


def _best_ranks(document: AdviceDocument) -> str:
    first = document.ranks[0]
    seen: list[tuple[Comparison | None, int, str]] = [
        *((one.measured, first, one.layout) for one in document.proposals),
        *((one.measured, one.ranks, one.layout or "the file as it is") for one in document.by_ranks),
    ]
    found = [
        (measured, ranks, layout)
        for measured, ranks, layout in seen
        if measured is not None and measured.verdict == "faster"
    ]
    asked = ", ".join(map(str, document.ranks[1:]))
    if not found:
        return f"ranks: {first}; none of {asked} is faster"
    comparison, ranks, layout = max(found, key=lambda one: one[0].ratio)
    return f"ranks: {ranks}, with {layout}, {gain(comparison.ratio)} as fast as {first} with the file as it is"


def _unchanged_line(one: Unchanged) -> str:
    if one.by == "h5io":
        way = "with this file as it is, h5io"
    else:
        way = f"with this file as it is, h5py.File(…, rdcc_nbytes={one.cache_bytes}, rdcc_nslots={one.cache_slots})"
        way += f", a chunk cache of {size(one.cache_bytes or 0)},"
    if one.measured is None:
        return f"{way} was not measured" + ("" if one.reason is None else f": {one.reason}")
    predicted = "" if one.predicted is None else f"; predicted {gain(one.predicted)}"
    return f"{way} reads {measured_gain(one.measured)} as fast as h5py{predicted}"


def reading_lines(document: AdviceDocument) -> Iterator[str]:
    """Yield lines on the best number of ranks, and on gains that need no new file."""
    if document.by_ranks:
        yield _best_ranks(document)
    yield from map(_unchanged_line, document.unchanged)
