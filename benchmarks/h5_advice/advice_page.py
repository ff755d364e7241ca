"""The page: how many predictions were right, and every case."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.form import Asked, asked_table, write_page
from benchmarks.h5_advice.advice_cases import ASKED, CHUNK_BYTES, OF
from benchmarks.h5_advice.advice_samples import Sample
from rooftop.text.quantities import quantity

COMMAND = "h5_advice"
_TITLE = "How often `rooftop h5 advise` is right about filters: asked and reached"
_ABOUT = f"""\
`rooftop h5 advise` measures rates on a part of the data (8 MiB of 16), and predicts from them how long a dataset is
read with a filter and without, in chunks of {CHUNK_BYTES >> 10} KiB. Then both files are read as a whole in interleaved
pairs. A prediction is right where it has the sign of what was measured. Ratios are times without the filter over times
with it: above 1 it gains. Ranks are processes of one thread, each of which reads its part of the rows; the slowest
counts. *Cold*: both files are dropped from the system's cache before each read.

The order of all 100 cases was fixed before any was measured (`advice_cases.py`). A case is *undecided* where the 95 %
interval of its measured ratio spans 1; it counts neither as right nor as wrong, and the next case of the order takes
its place, until {OF} are decided.
"""
_HEAD = ("data", "filter", "ranks", "cache", "stored", "predicted", "measured [95 %], pairs", "")


def _row(one: Sample) -> str:
    found = one.measured
    cells = (
        one.case.data,
        " + ".join(one.case.filters),
        str(one.case.ranks),
        "cold" if one.case.cold else "cached",
        f"{one.share:.1%}",
        f"{one.predicted:.2f}x",
        f"{found.ratio:.2f}x [{found.lo:.2f}, {found.hi:.2f}], {found.pairs}",
        {"right": "right", "wrong": "**wrong**", "undecided": "undecided"}[one.outcome],
    )
    return f"| {' | '.join(cells)} |"


def _table(samples: Sequence[Sample]) -> str:
    return "\n".join([f"| {' | '.join(_HEAD)} |", "|---" * len(_HEAD) + "|", *map(_row, samples)])


def counted(samples: Sequence[Sample]) -> Asked:
    """Return how many of the first decided cases were predicted rightly, beside what is asked."""
    decided = [one for one in samples if one.outcome != "undecided"][:OF]
    right = sum(one.outcome == "right" for one in decided)
    return Asked(
        "gain or loss of a filter predicted rightly",
        f"at least {ASKED} of {OF}",
        f"{right} of {len(decided)}",
        len(decided) == OF and right >= ASKED,
    )


def _device(samples: Sequence[Sample]) -> str | None:
    found = sorted(one.rates.device.chunks.together_bytes_s[1] for one in samples if one.rates.device is not None)
    if not found:
        return None
    means = " and ".join(sorted({one.dropped_by for one in samples if one.dropped_by is not None}))
    return (
        f"The device gave one stream of chunks {quantity(found[0], 'byte/s')} to {quantity(found[-1], 'byte/s')},\n"
        f"measured anew in each cold case. Files were dropped from the cache by {means}."
    )


def write_advice(path: Path, samples: Sequence[Sample]) -> None:
    """Write the page. Raises OSError."""
    undecided = [one for one in samples if one.outcome == "undecided"]
    told = f"Undecided cases: {len(undecided)} of the {len(samples)} that were measured."
    remarks = [_ABOUT.rstrip(), told, _table(samples), _device(samples)]
    write_page(path, _TITLE, COMMAND, asked_table([counted(samples)]), *(one for one in remarks if one is not None))
