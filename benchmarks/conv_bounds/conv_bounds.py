"""Times that the convolution cannot undercut, layer by layer, beside those measured on each processor."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.command import printed
from benchmarks.conv_bounds.bounds import Bound, Machine, bound
from benchmarks.conv_bounds.cores import core_of
from benchmarks.conv_bounds.measured import RECORDED, SIZES, SOLVER, Measured, Size, Time, measured, recorded
from benchmarks.conv_bounds.remains import remains
from benchmarks.conv_bounds.stages import FEW, least_bytes
from benchmarks.form import RESULTS, Asked, PageOption, asked_table, table, write_page
from benchmarks.memory import Memory
from rooftop.documents import ClimbDocument
from rooftop.files.atomic import write_whole

PAGE = RESULTS / "conv-bounds.md"
LEAST_OF_ROOF = 0.7
OFFERED = ("direct", "F(2)", "F(4)")
_ABOUT = """\
*Arithmetic*: all multiply-adds and additions of the algorithm that was used, as fast as the core's ports take them.
*Stages*: the solver's input transform, products and output transform one after the other, each no faster than its
arithmetic, loads, stores, instructions and lines from the L2 cache allow at the maker's peak rates. *Memory*: image,
filter and output moved once, but for as much as the L3 cache can hold. The bound is the larger of stages and memory.
The clock is the one that explains the campaign's own peak of multiply-adds. `benchmarks/conv_bounds` states what is
counted and the sources of the rates; [decision 0078](../decisions/0078-what-bounds-a-convolution.md) has what follows.

A layer faster than its bound would refute the bound. *Of the bound*: bound over time; of the fastest run where the
campaign kept its runs, otherwise of the median."""

_FEW = f"""\
Layers of at most {FEW} channels: image, filter and output in bytes, and how long the memory of the campaign takes to
move them, by its best rate of reading, copying or writing. The output of one image fits the L3 cache, that of sixteen
does not. *Apart*: stages and the bytes past the caches, one after the other, over the time measured: well
above 100 %, where computing and writing overlap; near it, they may not, or take longer than at their peaks."""

_REMAINS = """\
What times have over their bounds, fitted over the layers of three stages of a size: a share of the products' own
arithmetic, and cycles for each line of V and M, with which it is transformed, written and read."""


def machine_of(of: Measured, size: Size) -> Machine | None:
    """Return the machine that a size was measured on; None where the rates of its cores are not known."""
    core = core_of(*of.family_and_model, size.lanes)
    return None if core is None else Machine.at_peak(core, of.cores, size.peak, Memory(size.memory, of.l3_bytes))


def bounded(of: Measured, size: Size) -> Iterator[tuple[Time, Bound, float]]:
    """Yield each layer with the bound of its algorithm, and the seconds of the least bound of all that are offered."""
    machine = machine_of(of, size)
    if machine is None:
        return
    for time in size.layers:
        least = min(bound(time.layer, algorithm, machine).seconds for algorithm in OFFERED)
        yield time, bound(time.layer, time.algorithm, machine), least


def best(time: Time) -> float:
    """Return the shortest time known."""
    return time.seconds if time.fastest is None else time.fastest


def milliseconds(seconds: float) -> str:
    """Return a time, or a dash for none."""
    return f"{seconds * 1e3:.3g} ms" if seconds > 0 else "–"


def layer_rows(of: Measured, size: Size) -> list[list[str]]:
    """Return a row for each layer."""
    rows = []
    for time, its, least in bounded(of, size):
        took = best(time)
        cells = [milliseconds(one) for one in (its.arithmetic, its.stages, its.memory, least, took)]
        rows.append([time.case, time.algorithm, *cells, f"{its.seconds / took:.0%}", its.by])
    return rows


def asked_rows(all_measured: Sequence[Measured]) -> list[Asked]:
    """Return whether bounds hold, how much of the arithmetic's roof they leave, and what of the bound was reached."""
    rows = []
    for of in all_measured:
        for size in of.sizes:
            found = list(bounded(of, size))
            if not found:
                rows.append(Asked(f"{of.processor}, {size.size}", "a bound", "no rates of this core", None))
                continue
            where = f"{of.processor}, {size.size}"
            over = [time.case for time, its, _ in found if best(time) < its.seconds]
            reached = ", ".join(over) if over else f"none of {len(found)}"
            rows.append(Asked(f"{where}: layers faster than their bound", "none", reached, not over))
            left = [its.arithmetic / its.seconds for _, its, _ in found if not its.memory > its.stages]
            rows.append(
                Asked(
                    f"{where}: arithmetic over bound, what ports and L2 leave of the roof",
                    "–",
                    f"{min(left):.0%} to {max(left):.0%}" if left else "–",
                    None,
                )
            )
            of_bound = [its.seconds / best(time) for time, its, _ in found if time.layer.c > FEW]
            rows.append(
                Asked(
                    f"{where}: bound over time, {len(of_bound)} layers of more than {FEW} channels",
                    f"at least {LEAST_OF_ROOF:.0%}",
                    f"{min(of_bound):.0%} to {max(of_bound):.0%}, median {statistics.median(of_bound):.0%}",
                    min(of_bound) >= LEAST_OF_ROOF,
                )
            )
    return rows


def few_channels_rows(all_measured: Sequence[Measured]) -> list[list[str]]:
    """Return a row for each layer of few channels: what it must move, how long that takes, and what is left.

    With write-allocate each line of the output is read first: what stores that do not go past the caches cost.
    """
    rows = []
    for of in all_measured:
        for size in of.sizes:
            for time, its, _ in bounded(of, size):
                if time.layer.c > FEW:
                    continue
                past, through = (least_bytes(time.layer, time.algorithm, allocated) for allocated in (False, True))
                peer = None if time.times_as_fast is None else time.seconds * time.times_as_fast
                rows.append(
                    [
                        f"{of.processor}, {size.size}",
                        time.case,
                        time.algorithm,
                        f"{past / 1e6:.4g} MB, {milliseconds(past / size.memory)}",
                        f"{through / 1e6:.4g} MB, {milliseconds(through / size.memory)}",
                        milliseconds(its.stages),
                        milliseconds(time.seconds),
                        f"{(its.stages + past / size.memory) / time.seconds:.0%}",
                        f"{past / time.seconds / 1e9:.3g} GB/s",
                        "–" if peer is None else f"{milliseconds(peer)}, {past / peer / 1e9:.3g} GB/s",
                    ]
                )
    return rows


def remains_rows(all_measured: Sequence[Measured]) -> list[list[str]]:
    """Return a row for each size: where its layers' time goes beyond their bounds."""
    rows = []
    for of in all_measured:
        for size in of.sizes:
            machine = machine_of(of, size)
            if machine is None:
                continue
            layers = [(time.layer, time.algorithm, best(time), its.seconds) for time, its, _ in bounded(of, size)]
            found = remains(layers, machine)
            if found is not None:
                cells = [f"+{found.products:.0%}", f"+{found.line_cycles:.3g} cycles", f"{found.off:.1%}"]
                rows.append([f"{of.processor}, {size.size}", *cells])
    return rows


def parts(all_measured: Sequence[Measured]) -> list[str]:
    """Return what stands on the page."""
    head = ["layer", "algorithm", "arithmetic", "stages", "memory", "least of all offered", "measured"]
    head += ["of the bound", "what sets it"]
    few = ["measured on", "layer", "algorithm", "past the caches", "with write-allocate", "stages", "measured"]
    few += ["apart", "of it written and read", "best peer"]
    result = [_ABOUT, asked_table(asked_rows(all_measured)), "## Few channels", _FEW]
    result.append(table(few, few_channels_rows(all_measured)))
    over = ["measured on", "products", "a line of V and M", "a layer is off by, median"]
    result += ["## What remains", _REMAINS, table(over, remains_rows(all_measured))]
    for of in all_measured:
        for size in of.sizes:
            machine = machine_of(of, size)
            if machine is None:
                continue
            result.append(f"## {of.processor}, {size.size}")
            result.append(
                f"Measured on {size.date}: {of.cores} cores ({machine.core.name}) at {machine.clock_hz / 1e9:.2f} GHz, "
                f"vectors of {size.lanes} floats, {size.memory / 1e9:.3g} GB/s. {size.note}".rstrip()
            )
            result.append(table(head, layer_rows(of, size)))
    return result


def climb(size: str, budget: str) -> ClimbDocument:
    """Measure the solver and oneDNN. Ends the program on failure."""
    words = ["climb", "winograd", "--size", size, "--budget", budget, "--json", "--no-report"]
    words += [word for program in (SOLVER, "onednn", "onednn_debian") for word in ("--only", program)]
    return ClimbDocument.model_validate_json(printed("conv_bounds", words))


def record(found: Measured, folder: Path = RECORDED) -> Path:
    """Keep what was measured in the file of its kind of core. Return the file.

    Other sizes of the same processor, with as many cores, stay; what another one had is replaced.
    """
    core = core_of(*found.family_and_model, found.sizes[0].lanes)
    if core is None:
        sys.exit(
            f"conv_bounds: the rates of {found.processor} are not known: state them in cores.py, with their source"
        )
    file = folder / f"{core.name.lower().replace(' ', '_')}.json"
    kept: list[Size] = []
    if file.is_file():
        before = Measured.model_validate_json(file.read_text(encoding="utf-8"))
        same = (before.processor, before.cores, before.l3_bytes) == (found.processor, found.cores, found.l3_bytes)
        new = {size.size for size in found.sizes}
        kept = [size for size in before.sizes if same and size.size not in new]
    whole = found.model_copy(update={"sizes": sorted([*found.sizes, *kept], key=lambda size: size.size)})
    write_whole(file, whole.model_dump_json(indent=1, exclude_none=True) + "\n")
    return file


def main(
    measure: Annotated[
        list[str] | None, typer.Option(help=f"Measure a size here first, of {', '.join(SIZES)}; may be repeated.")
    ] = None,
    budget: Annotated[str, typer.Option(help="Time for each size that is measured.")] = "11m",
    climbed: Annotated[
        list[Path] | None, typer.Option("--climbed", help="Record the document of such a campaign, `climb --json`.")
    ] = None,
    to: PageOption = PAGE,
) -> None:
    """Write the page of all processors that were recorded."""
    documents = [ClimbDocument.model_validate_json(file.read_text(encoding="utf-8")) for file in climbed or ()]
    for size in measure or ():
        if size not in SIZES:
            sys.exit(f"conv_bounds: no size '{size}': choose one of {', '.join(SIZES)}")
        documents.append(climb(size, budget))
    for document in documents:
        try:
            print(f"Recorded: {record(measured(document))}")
        except ValueError as error:
            sys.exit(f"conv_bounds: {error}")
    found = recorded()
    on = f"Recorded campaigns of {len(found)} processors, each named below"
    write_page(to, "What bounds the convolution", "conv_bounds", *parts(found), on=on)
