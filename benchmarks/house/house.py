"""What is asked of the bench's own sources, build, tests and campaigns, beside what is reached."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, table, write_page
from benchmarks.house import campaigns, fresh_climb, junit, order, starts
from benchmarks.house.same_code import compare_rungs
from benchmarks.house.texts import PAGE as TEXTS
from benchmarks.test_run.test_run import ASKED_CPU_S, ASKED_WALL_S, read_samples
from rooftop.gate.document import BenchmarkResult, GateDocument

PAGE = RESULTS / "house.md"
ROUNDS = 15
EXPERIMENTS = ("winograd", "ft", "ant_colony")  # of which an earlier tree's release build is compared
_NOT_MEASURED = "not measured"


def climb(file: Path | None) -> list[Asked]:
    """Return what `make climb` took, from the record of `fresh_climb`."""
    if file is None:
        return [
            Asked(
                "`make climb` in a fresh clone: minutes",
                f"at most {fresh_climb.ASKED_WALL_S / 60:g}",
                _NOT_MEASURED,
                None,
            ),
            Asked("of which compiling: CPU s", f"at most {fresh_climb.ASKED_COMPILE_CPU_S:g}", _NOT_MEASURED, None),
        ]
    return fresh_climb.asked(fresh_climb.read(file))


def test_run(file: Path | None) -> list[Asked]:
    """Return what a clean run of the tests took.

    file  the samples of `test_run`, of which the last clean one counts, or build/results/times.json
    """
    whats = ("a clean `make test`: minutes", "a clean `make test`: CPU minutes")
    limits = (ASKED_WALL_S / 60, ASKED_CPU_S / 60)
    if file is None:
        lines = zip(whats, limits, strict=True)
        return [Asked(what, f"at most {most:g}", _NOT_MEASURED, None) for what, most in lines]
    content = json.loads(file.read_text(encoding="utf-8"))
    told: list[Asked] = []
    if isinstance(content, list):
        clean = [one for one in read_samples(file) if one.kind == "clean"]
        if not clean:
            raise typer.BadParameter(f"{file} has no clean run: python benchmarks test_run --clean-only")
        spent = (clean[-1].wall_s, clean[-1].cpu_s)
        passed = ", 0 failed" in clean[-1].last_line
        told = [Asked("its tests", "0 failed", clean[-1].last_line, passed)]
    else:
        if unrun := [name for name, one in content.items() if one is None]:
            raise typer.BadParameter(
                f"{file}: {', '.join(unrun)} did not run: set CI=true, or run the suite with --fresh"
            )
        spent = (sum(one["wall_s"] for one in content.values()), sum(one["cpu_s"] for one in content.values()))
    reached = zip(whats, limits, (seconds / 60 for seconds in spent), strict=True)
    return [*(Asked.at_most(what, most, minutes) for what, most, minutes in reached), *told]


def latest(documents: Sequence[GateDocument]) -> list[tuple[str, BenchmarkResult]]:
    """Return each rung once, as the last gate that measured it has it, and the commit of that gate's head."""
    found: dict[str, tuple[str, BenchmarkResult]] = {}
    for document in documents:
        commit = "–" if document.head is None else document.head.commit[:8]
        found |= {one.name: (commit, one) for one in document.benchmarks}
    return list(found.values())


def gate(documents: Sequence[GateDocument]) -> list[Asked]:
    """Return how many rungs are slower than before."""
    what, none = "rungs slower than before, beyond the noise floor", "none"
    if not documents:
        return [Asked(what, none, _NOT_MEASURED, None)]
    counts = Counter(one.outcome for _, one in latest(documents))
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    return [Asked(what, none, told, set(counts) == {"fine"})]


def gate_table(documents: Sequence[GateDocument]) -> str:
    """Return the table of rungs before and after, from the gates' documents."""
    rows = []
    for commit, one in latest(documents):
        cells = [one.name, commit, "–", "–", "–", one.outcome]
        if (look := one.shown) is not None:
            cells[2:4] = [f"{look.ratio:.3f} [{look.lo:.3f}, {look.hi:.3f}]", str(look.pairs)]
            cells[4] = "–" if look.floor is None else f"{look.floor:.1%}"
        rows.append(cells)
    head = ["rung", "after", "speed after / before", "pairs", "A/A noise floor", "outcome"]
    return table(head, rows) if rows else ""


def code_table(trees: Mapping[str, Path]) -> str:
    """Return the table of rungs whose instructions are those of before."""
    rows = []
    for experiment in EXPERIMENTS:
        found = compare_rungs(trees["before"], trees["after"], experiment)
        others = ", ".join(f"{rung} (new)" if same is None else rung for rung, same in found.items() if not same)
        rows.append([experiment, len(found), sum(map(bool, found.values())), others or "–"])
    return table(["experiment", "rungs", "with the instructions of before", "others"], rows)


def texts(file: Path) -> Asked:
    """Return how many of the texts that were drawn a reader understood, as their page has it."""
    what, everyone = "texts drawn from help, messages, docstrings and guides that a reader understands", "all"
    rows = [
        line
        for line in (file.read_text(encoding="utf-8") if file.is_file() else "").splitlines()
        if line.endswith(("| yes |", "| no |", "| ? |"))
    ]
    read = sum(not line.endswith("| ? |") for line in rows)
    if not read:
        return Asked(what, everyone, f"{_NOT_MEASURED}: {len(rows)} drawn, none read", None)
    understood = sum(line.endswith("| yes |") for line in rows)
    return Asked(what, everyone, f"{understood} of {len(rows)} ([texts.md](texts.md))", understood == len(rows))


def main(
    climb_record: Annotated[
        Path | None, typer.Option("--climb", exists=True, help="The record of `python benchmarks fresh_climb FILE`.")
    ] = None,
    tests: Annotated[
        Path | None,
        typer.Option(
            "--test-run", exists=True, help="build/results/times.json of a clean `make test`, or samples of test_run."
        ),
    ] = None,
    home: Annotated[
        Path | None,
        typer.Option("--campaigns", exists=True, help="ROOFTOP_HOME of the climbs, such as .rooftop: newest of each."),
    ] = None,
    gates: Annotated[
        list[Path] | None,
        typer.Option(
            "--gate",
            exists=True,
            help="JSON of `rooftop gate BEFORE HEAD`; may be repeated, the last one with a rung counts.",
        ),
    ] = None,
    junits: Annotated[
        list[Path] | None, typer.Option("--junit", exists=True, help="JUnit file of pytest; may be repeated.")
    ] = None,
    before: Annotated[
        Path | None, typer.Option(exists=True, help="Checkout of an earlier revision, built: starts and rungs' code.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often each start is measured.")] = ROUNDS,
    to: PageOption = PAGE,
) -> None:
    """Write docs/results/house.md from records of what was run. What is not given is shown as not measured."""
    documents = [GateDocument.model_validate_json(file.read_bytes()) for file in gates or ()]
    timed = campaigns.newest(home) if home is not None else {}
    lines = [
        order.contract(),
        *order.sources().asked(),
        *climb(climb_record),
        *test_run(tests),
        *campaigns.asked(timed),
        *gate(documents),
        *junit.recipes(junit.outcomes(junits or ())),
        texts(TEXTS),
    ]
    parts = [asked_table(lines), *campaigns.tables(timed)]
    if documents:
        parts.append("## Rungs before and after\n\n" + gate_table(documents))
    if before is not None:
        trees = {"before": before.resolve(), "after": ROOT}
        parts += [code_table(trees), "## Starts\n\n" + starts.starts_table(starts.starts(trees, rounds))]
    about = """\
Lines are those of the Python files of `src/rooftop` without `src/rooftop/solvers`, blank ones and comments among them.
*Compiling* is the CPU time of configuring, compiling and linking. A campaign's time runs from its session's start
to its end. A program of a case has a *resolved verdict* where it is faster or slower than another one of the case."""
    write_page(to, "The house: asked and reached", "house", *parts, about)
