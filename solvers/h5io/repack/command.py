"""The command ``rooftop h5 repack``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop.solvers.h5io.repack.h5py_needed import require_h5py
from rooftop.solvers.running.report import finish
from rooftop.terminal.output import JsonOption, check_writable, messages


def add_to(h5: typer.Typer) -> None:
    """Add the command to ``rooftop h5``."""

    @h5.command(
        "repack", help="Rewrite a file with other chunks and filters, compare it bit by bit, and replace the original."
    )
    def repack_command(
        file: Annotated[Path, typer.Argument(metavar="FILE.h5", help="HDF5 file to rewrite.")],
        dataset: Annotated[
            list[str] | None,
            typer.Option(
                "--dataset",
                metavar="/PATH",
                help="Dataset to rewrite (default: all that can have the layout). Repeatable.",
            ),
        ] = None,
        chunks: Annotated[
            str | None,
            typer.Option(
                "--chunks", metavar="512x256", help="Chunk shape, or none for contiguous storage (default: unchanged)."
            ),
        ] = None,
        filters: Annotated[
            str | None,
            typer.Option(
                "--filter",
                metavar="shuffle+deflate:4",
                help="Filters as in rooftop h5 advise, or none (default: unchanged).",
            ),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option("--out", metavar="OTHER.h5", help="Write to this file instead of replacing FILE.h5."),
        ] = None,
        threads: Annotated[
            int | None,
            typer.Option("--threads", min=1, help="Number of threads that decode and encode (default: usable cores)."),
        ] = None,
        memory: Annotated[
            str, typer.Option("--memory", help="Maximum memory for the data of a dataset (at least one chunk).")
        ] = "512MiB",
        as_json: JsonOption = False,
    ) -> None:
        require_h5py()

        from rooftop.command.reported_values import read_bytes
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.h5io.repack.bar import Bar
        from rooftop.solvers.h5io.repack.lines import conclusion, left, table
        from rooftop.solvers.h5io.repack.run import Asked, repacked_apart
        from rooftop.solvers.h5io.repack.target import target_named

        check_writable("--out", out)
        asked = Asked(
            file=file,
            datasets=dataset or [],
            target=target_named(chunks, filters),
            out=out,
            threads=threads or cores_now(),
            memory_bytes=read_bytes("--memory", memory),
        )
        with Bar(messages()) as bar:
            document = repacked_apart(asked, bar)
        finish(document, as_json, [table(document), *left(document), conclusion(document)])
