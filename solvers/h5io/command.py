"""Run h5bench configurations on MPI ranks, verify the data, and compare with plain reads and writes."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.solvers.running.options import within
from rooftop.solvers.running.report import finish, progress
from rooftop.terminal.output import JsonOption, say, tables

NAME = "h5"


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command(NAME, help=__doc__)
    def h5(
        file: Annotated[
            Path, typer.Argument(metavar="FILE", help="h5bench configuration: KEY=VALUE lines, or a JSON workflow.")
        ],
        ranks: Annotated[
            int | None, typer.Option("--ranks", help="Number of MPI ranks (default: the file's, or 1).")
        ] = None,
        folder: Annotated[
            Path | None,
            typer.Option(
                "--folder",
                help="Folder where the HDF5 files are kept (default: the workflow's directory, or a temporary one).",
            ),
        ] = None,
        cold: Annotated[
            bool, typer.Option("--cold", help="Drop files from the page cache before reads, and sync writes.")
        ] = False,
        replace: Annotated[bool, typer.Option("--replace", help="Replace or modify existing HDF5 files.")] = False,
        as_json: JsonOption = False,
    ) -> None:
        import rooftop
        from rooftop.files.atomic import write_whole
        from rooftop.solvers.h5io.h5bench.csv_file import csv_text
        from rooftop.solvers.h5io.h5bench.document import H5benchDocument
        from rooftop.solvers.h5io.h5bench.lines import table, title, verdict
        from rooftop.solvers.h5io.h5bench.run import Terms, require_new_files, run_benchmark
        from rooftop.solvers.h5io.h5bench.workflow import read_workflow

        workflow = read_workflow(file)
        count = ranks if ranks is not None else workflow.ranks or 1
        within("--ranks", count)
        kept = folder or (None if workflow.folder is None else Path(workflow.folder))
        if kept is not None:
            try:
                kept.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Misuse(f"{kept} cannot be made: {error.strerror or error}") from error
        document = H5benchDocument(
            schema="rooftop/solve-h5/1",
            rooftop=rooftop.__version__,
            file=str(file),
            benchmarks=[],
            remarks=list(workflow.remarks),
        )
        # Not among temporary files, which may be in memory.
        passing = tempfile.TemporaryDirectory(prefix="rooftop-h5-", dir=".") if kept is None else nullcontext(str(kept))
        with passing as name:
            terms = Terms(count, Path(name), cold, replace)
            require_new_files(workflow.benchmarks, terms)
            for one in workflow.benchmarks:
                with progress("starting") as tell:
                    found, remarks = run_benchmark(one, terms, tell)
                document.benchmarks.append(found)
                document.remarks.extend(remarks)
                if not as_json:
                    say(tables(), title(found), style="bold")
                    tables().print(table(found))
                    if found.valid:
                        say(tables(), verdict(found))
                if one.configuration.csv_file is not None:
                    write_whole(Path(one.configuration.csv_file), csv_text(one.configuration, found))
        finish(
            document, as_json, [], wrong=[f"{one.file}: {one.reason}" for one in document.benchmarks if not one.valid]
        )
