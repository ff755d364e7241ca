"""Optimize the layout of HDF5 files: advise on chunks and filters, and rewrite files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.solvers.h5io.repack import command as repack
from rooftop.solvers.running.report import finish, progress
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import JsonOption, messages, say

NAME = "h5"
GROUP = YOUR_PROGRAMS


def register(app: typer.Typer) -> None:
    """Add the command to ``rooftop``."""
    h5 = typer.Typer(name=NAME, help=__doc__, no_args_is_help=True)
    app.add_typer(h5, rich_help_panel=GROUP)

    @h5.callback()
    def group() -> None:
        pass

    @h5.command("advise", help="Measure what other chunks and filters would gain for one way of reading a dataset.")
    def advise_command(
        file: Annotated[Path, typer.Argument(metavar="FILE.h5", help="HDF5 file, opened read-only.")],
        dataset: Annotated[
            str | None, typer.Option("--dataset", metavar="/PATH", help="Dataset (default: the file's only one).")
        ] = None,
        access: Annotated[
            str,
            typer.Option(
                "--access",
                help="Access pattern: all, rows (first dimension), columns (last dimension), strided:N or random:N.",
            ),
        ] = "all",
        threads: Annotated[
            int | None, typer.Option("--threads", min=1, help="Number of reader threads (default: usable cores).")
        ] = None,
        ranks: Annotated[
            str,
            typer.Option(
                "--ranks", help="Numbers of processes to compare, such as 1,2,4; they share the reads and the threads."
            ),
        ] = "1",
        cold: Annotated[bool, typer.Option("--cold", help="Drop files from the page cache before each read.")] = False,
        sample: Annotated[
            str, typer.Option("--sample", help="Maximum amount of data to copy into trial files.")
        ] = "256MiB",
        budget: Annotated[str, typer.Option("--budget", help="Time limit of the measurements.")] = "20s",
        scratch: Annotated[
            Path | None, typer.Option("--scratch", help="Folder for trial files (default: the file's folder).")
        ] = None,
        seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random positions of random:N.")] = 1,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.command.reported_values import read_bytes
        from rooftop.doubts import about_the_machine
        from rooftop.machine.identity import cores_now
        from rooftop.machine.lock import machine_alone
        from rooftop.parameters.space import counts
        from rooftop.parameters.values import read_values
        from rooftop.probe.surroundings import ThisMachine
        from rooftop.settings import Settings
        from rooftop.solvers.h5io.advice.access import access_named
        from rooftop.solvers.h5io.advice.lines import conclusion, rewriting, table
        from rooftop.solvers.h5io.advice.reading_lines import rank_table, reading_lines
        from rooftop.solvers.h5io.advice.run import Asked, advise
        from rooftop.text.durations import parse_budget

        asked = Asked(
            file=file,
            dataset=dataset,
            access=access_named(access),
            threads=threads or cores_now(),
            cold=cold,
            sample_bytes=read_bytes("--sample", sample),
            budget_s=parse_budget(budget, "--budget"),
            scratch=scratch,
            seed=seed,
            ranks=counts("--ranks", read_values("--ranks", ranks)),
        )
        if scratch is not None and not scratch.is_dir():
            raise Misuse(f"--scratch is {scratch}, expected a folder")
        alone = partial(machine_alone, Settings().locks, partial(say, messages()))
        with progress("opening") as tell:
            machine = ThisMachine()
            conditions = [machine.conditions()]
            document = advise(asked, tell, alone)
            conditions.append(machine.conditions())
            document.doubts = about_the_machine(machine.identity(), conditions, document.floor)
        shown = [table(document), conclusion(document), rank_table(document), *reading_lines(document)]
        if (command := rewriting(document)) is not None:
            shown.append(f"rewrite it: {command}")
        finish(document, as_json, [*shown, *(f"doubt: {one.sentence}" for one in document.doubts)])

    repack.add_to(h5)
