"""Measure the machine: peak rates, bandwidths, latencies, costs and noise, or a file system. Results are cached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from rooftop.documents import DeviceDocument, Machine, ProbeDocument
from rooftop.terminal.groups import MACHINE
from rooftop.terminal.output import JsonOption, messages, print_document, tables

if TYPE_CHECKING:
    from rooftop.probe.measure import Progress as Told
    from rooftop.probe.measure import Say

GROUP = MACHINE

Measured = TypeVar("Measured", DeviceDocument, ProbeDocument)


def _watched(measure: Callable[[Told, Say], Measured]) -> Measured:
    """Measure with a bar of progress on a terminal."""
    console = messages()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("probes", total=None)

        def progress(probe: str, done: int, total: int) -> None:
            bar.update(task, description=probe or "probes", completed=done, total=total)

        def say(message: str) -> None:
            console.print(f"rooftop: {message}", soft_wrap=True)

        return measure(progress, say)


def _draw(machine: Machine) -> None:
    from rooftop.probe.picture import mountain, roofline
    from rooftop.probe.tables import heading
    from rooftop.probe.tables import tables as figures

    console = tables()
    console.print(heading(machine), soft_wrap=True)
    for table in figures(machine):
        console.print()
        console.print(table)
    threads = max((roof.threads for roof in machine.roofs), default=1)
    for title, lines in (
        (f"Roofs, fp32, {threads} threads", roofline(machine.roofs, threads)),
        ("Memory mountain", mountain(machine.roofs)),
    ):
        if lines:
            console.print(f"\n{title}", style="bold")
            console.print("\n".join(lines), markup=False, highlight=False, no_wrap=True, overflow="crop")


def _device(path: Path, quick: bool, threads: int | None, refresh: bool, json: bool) -> None:
    from rooftop.errors import NothingMeasured
    from rooftop.probe import device_document
    from rooftop.probe.tables import device_heading, device_remarks, device_tables

    document = _watched(lambda progress, say: device_document(path, quick, threads, refresh, progress, say))
    if json:
        print_document(document)
    elif document.roofs:
        console = tables()
        console.print(device_heading(document), soft_wrap=True)
        for one in device_tables(document):
            console.print()
            console.print(one)
    _say(([] if json else device_remarks(document)) + [f"missing: {line}" for line in document.missing], document, json)
    if not document.roofs:
        raise NothingMeasured(f"nothing was measured in {document.folder}: see the reasons above, and rooftop doctor")


def _say(lines: list[str], document: DeviceDocument | ProbeDocument, json: bool) -> None:
    console = messages()
    if document.cached and not json:
        console.print(f"rooftop: measured at {document.measured}; --refresh measures again", soft_wrap=True)
    for line in lines:
        console.print(f"rooftop: {line}", soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("probe", help=__doc__, rich_help_panel=GROUP)
    def probe(
        quick: Annotated[bool, typer.Option("--quick", help="Shorter probes, under 25 s in total.")] = False,
        refresh: Annotated[bool, typer.Option("--refresh", help="Ignore cached results and measure again.")] = False,
        threads: Annotated[
            int | None,
            typer.Option(
                "--threads",
                metavar="N",
                help="Number of threads for the probes of all cores. Default: all usable cores.",
            ),
        ] = None,
        device: Annotated[
            Path | None,
            typer.Option(
                "--device",
                metavar="FOLDER",
                help="Measure the file system that this folder lies on, and nothing else: reads, writes and random "
                "reads, cached and from the device.",
            ),
        ] = None,
        json: JsonOption = False,
    ) -> None:
        if device is not None:
            _device(device, quick, threads, refresh, json)
            return
        from rooftop.errors import NothingMeasured
        from rooftop.probe import probe_document
        from rooftop.probe.tables import peaks_beaten

        document = _watched(lambda progress, say: probe_document(quick, threads, refresh, progress, say))
        machine = document.machine
        if json:
            print_document(document)
        else:
            _draw(machine)
        _say([f"missing: {line}" for line in machine.missing] + peaks_beaten(machine.roofs), document, json)
        if not machine.roofs:
            raise NothingMeasured("no probe gave a figure: see the missing facts above, and rooftop doctor")
