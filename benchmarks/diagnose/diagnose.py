"""How often `rooftop diagnose` names the planted fault first, and finds nothing in healthy programs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter

from benchmarks.diagnose.diagnose_runs import Row, Told, row
from benchmarks.diagnose.fault_programs import programs
from benchmarks.diagnose.unprivileged import unprivileged
from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, table, write_page
from rooftop.text.nearest import nearest

PAGE = RESULTS / "diagnose.md"
SAMPLES = ROOT / ".rooftop" / "diagnose"
LEAST_GAIN = 1.15
SCALE = 0.3  # so that the budget has pairs enough for four command lines
_NONE = "–"
_TITLE = "Planted faults and healthy programs: what rooftop diagnose tells"
_ABOUT = """\
Each program is about {seconds} s of work on two cores ("healthy processes" four times that: one process imports
NumPy), was built with -O2 at least, and was diagnosed by
`rooftop diagnose --json --budget {budget}`. *Without its fault*: how many times as fast the program's own variant
without the fault is, by medians of {rounds} alternating runs. *Findings*: as they were told, with the seconds that
each is ordered by; in brackets the cure that helped, and how many times as fast the program was with it. *Predicted*:
how many times as fast the first finding's first cure should be, if it removed all that is at stake, and whether that
lies in the interval that was measured. *Right*: names that are right for a first finding, from
`benchmarks/diagnose/programs.toml`."""


@dataclass(frozen=True)
class Sample:
    """What was measured of a program, and how.

    bare  without privileges and without perf, by the user `who`; None: not measured
    """

    row: Row
    budget: str
    scale: float
    rounds: int
    bare: Row | None = None
    who: str = ""


_STORED = TypeAdapter(Sample)


def stored(folder: Path, names: Iterable[str]) -> list[Sample]:
    """Return what was measured of programs, in their order; those that were not are left out. Raises ValueError."""
    files = [folder / f"{name}.json" for name in names]
    return [_STORED.validate_json(file.read_text(encoding="utf-8")) for file in files if file.is_file()]


def _counted(what: str, marks: Sequence[bool | None], wrong: float = 0.0) -> Asked:
    """Return how many of those that were judged are right. `wrong`: the share that may be wrong."""
    judged = [mark for mark in marks if mark is not None]
    least = len(judged) - int(wrong * len(judged))
    return Asked(what, f"{least} of {len(judged)}", f"{sum(judged)}", sum(judged) >= least if judged else None)


def asked(rows: Sequence[Row], bare: Sequence[Row] = ()) -> list[Asked]:
    """Return the figures reached beside those asked. `bare`: without privileges and without perf."""
    unaided = [one.right for one in bare if not one.program.healthy]
    sound = [one.right for one in bare if one.program.healthy]
    more = [
        _counted("the same without privileges and without perf", unaided, wrong=4 / 16),
        _counted("healthy programs without a finding, without privileges and without perf", sound),
    ]
    faults, healthy = ([one for one in rows if one.program.healthy is wanted] for wanted in (False, True))
    gains = [one.gain for one in faults if one.gain is not None]
    least = min(gains, default=None)
    cost = Asked(
        "least that a fault costs: the program without it is so many times as fast",
        f"at least {LEAST_GAIN:g}",
        f"{least:.3g}" if least is not None else _NONE,
        least >= LEAST_GAIN if least is not None else None,
    )
    return [
        _counted("planted faults whose right finding comes first", [one.right for one in faults], wrong=2 / 16),
        _counted("planted faults whose right finding is among those told", [one.among for one in faults]),
        _counted("faults that can be cured from outside, with a right cure that helped", [one.cured for one in faults]),
        _counted("healthy programs without a finding", [one.right for one in healthy]),
        cost,
        *(more if bare else ()),
    ]


def finding_text(one: Told) -> str:
    cure = f" ({one.cure}: {one.ratio:.3g}×)" if one.cure is not None and one.ratio is not None else ""
    return f"{one.name} {one.seconds:.2g} s{cure}"


def _mark(one: Row) -> str:
    return {True: "right", False: "wrong", None: "left out"}[one.right]


def _found(one: Row) -> str:
    return one.missing or one.failed or "; ".join(map(finding_text, one.told)) or "none"


def _cells(one: Row) -> list[str]:
    found = _found(one)
    seconds = f"{one.seconds:.2f}" if one.seconds is not None else _NONE
    gain = f"{one.gain:.3g}×" if one.gain is not None else _NONE
    predicted = (one.told[0].predicted if one.told else None) or _NONE
    return [one.program.name, seconds, gain, found, predicted, ", ".join(one.program.findings) or "none", _mark(one)]


def bare_table(rows: Sequence[Row]) -> str:
    """Return the table of all programs without privileges; empty without any."""
    lines = [[one.program.name, _found(one), _mark(one)] for one in rows]
    return table(["program, without privileges and perf", "findings", ""], lines) if lines else ""


def rows_table(rows: Sequence[Row]) -> str:
    """Return the table of all programs."""
    return table(["program", "s", "without its fault", "findings", "predicted", "right", ""], map(_cells, rows))


def main(
    budget: Annotated[str, typer.Option(help="Time for trying the cures of a program.")] = "20s",
    scale: Annotated[float, typer.Option(min=0.01, help="Share of the work of each program.")] = SCALE,
    rounds: Annotated[int, typer.Option(min=0, help="Runs with and without the fault; 0: none.")] = 3,
    only: Annotated[list[str] | None, typer.Option(help="A program, by its name. Can be repeated.")] = None,
    documents: Annotated[
        Path | None, typer.Option(file_okay=False, exists=True, help="A folder where the documents are kept.")
    ] = None,
    *,
    without_privileges: Annotated[
        bool, typer.Option("--unprivileged", help="Diagnose each again without privileges and without perf.")
    ] = False,
    page_only: Annotated[bool, typer.Option("--page-only", help="Write the page from earlier measurements.")] = False,
    to: PageOption = PAGE,
    samples: Annotated[Path, typer.Option(help="Folder that keeps the measurements.")] = SAMPLES,
) -> None:
    """Diagnose all programs, and write docs/results/diagnose.md."""
    every = {one.name: one for one in programs()}
    for name in only or ():
        if name not in every:
            raise typer.BadParameter(f"there is no program {name!r}; {nearest(name, every)}")
    samples.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rooftop-faults-") as folder:
        start = unprivileged(Path(folder)) if without_privileges else None
        for name in () if page_only else only or every:
            one = row(every[name], Path(folder), budget, scale, rounds, documents)
            print(" | ".join(_cells(one)), flush=True)
            bare = row(every[name], Path(folder), budget, scale, 0, start=start) if start is not None else None
            if bare is not None:
                print(" | ".join(["without privileges", _found(bare), _mark(bare)]), flush=True)
            sample = Sample(one, budget, scale, rounds, bare, start.who if start is not None else "")
            (samples / f"{name}.json").write_bytes(_STORED.dump_json(sample))
    known = stored(samples, every)
    if not known:
        raise typer.BadParameter("nothing was measured yet: leave --page-only out")
    write_page(to, _TITLE, "diagnose --unprivileged" if any(one.bare for one in known) else "diagnose", *parts(known))


def parts(samples: Sequence[Sample]) -> list[str]:
    """Return what stands on the page."""
    rows, bare = [one.row for one in samples], [one.bare for one in samples if one.bare is not None]
    budgets, rounds, seconds = (
        " or ".join(dict.fromkeys(words))
        for words in zip(*((one.budget, str(one.rounds), f"{2 * one.scale:.2g}") for one in samples), strict=True)
    )
    about = _ABOUT.format(budget=budgets, rounds=rounds, seconds=seconds)
    if who := next((one.who for one in samples if one.bare is not None), ""):
        about += f" Without privileges: as {who}, with no capability and no perf."
    return [asked_table(asked(rows, bare)), rows_table(rows), bare_table(bare), about]
