"""Run the NAS Parallel Benchmarks' FT (a 3-D diffusion equation), verify it and print its report."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from rooftop import errors
from rooftop.errors import Misuse, RooftopError
from rooftop.solvers.running.options import RankThreadsOption, one_of, within
from rooftop.solvers.running.report import finish, progress
from rooftop.terminal.campaigns import bench_for
from rooftop.terminal.measuring import end
from rooftop.terminal.output import JsonOption, check_writable, messages
from rooftop.terminal.resume import ResumeCommand, ResumeOption, read_resume

NAME = "ft"

LONGEST = 1 << 16
# Where a stored request has what an option says.
PLACES = {"name": "grid", "size": "grid", "iterations": "grid.iterations", "all_messages": "messages"} | {
    name: name for name in ("ranks", "threads", "pipelined", "pieces", "overlap")
}


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command(NAME, cls=ResumeCommand, help=__doc__)
    def ft(
        context: typer.Context,
        name: Annotated[str | None, typer.Option("--class", help="Problem class: S, W, A, B, C, D, E or F.")] = None,
        size: Annotated[
            str | None, typer.Option("--size", metavar="NXxNYxNZ", help="Grid size instead of a class.")
        ] = None,
        iterations: Annotated[
            int | None,
            typer.Option(
                "--iterations", help="Number of iterations with --size (default: 6); a class defines its own."
            ),
        ] = None,
        ranks: Annotated[int, typer.Option("--ranks", help="Number of MPI ranks.")] = 1,
        threads: RankThreadsOption = None,
        all_messages: Annotated[
            bool,
            typer.Option(
                "--messages", help="Exchange messages between ranks of one node instead of using shared memory."
            ),
        ] = False,
        pipelined: Annotated[
            bool | None,
            typer.Option("--pipelined/--blocking", help="Overlap communication with computation (default: pipelined)."),
        ] = None,
        pieces: Annotated[
            int | None, typer.Option("--pieces", help="Number of pieces into which an exchange is split (default: 8).")
        ] = None,
        overlap: Annotated[
            int,
            typer.Option(
                "--overlap",
                metavar="PAIRS",
                help="Also run this many pairs with and without overlap, and report how much communication is hidden.",
            ),
        ] = 0,
        trace: Annotated[
            Path | None,
            typer.Option(
                "--trace", metavar="FILE.json", help="Write a timeline of the ranks to this file, for Perfetto."
            ),
        ] = None,
        picture: Annotated[
            Path | None,
            typer.Option("--picture", metavar="FILE.html", help="Write the report to this file as an HTML page."),
        ] = None,
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.campaign.run import run_campaign
        from rooftop.driver.timeline import trace as traced
        from rooftop.files.atomic import write_whole
        from rooftop.machine.identity import cores_now
        from rooftop.solvers.fft.npb import CLASSES, Grid
        from rooftop.solvers.fft.report import npb_lines, rank_lines
        from rooftop.solvers.fft.request import Terms
        from rooftop.solvers.fft.run import KIND, solve_ft

        if (name is None) == (size is None):
            given = "neither --class nor --size is given" if name is None else "both --class and --size are given"
            raise Misuse(f"{given}: expected one of them, such as --class A")
        if name is not None:
            one_of("--class", name, tuple(CLASSES))
        if size is not None:
            match = re.fullmatch(r"(-?\d{1,18})x(-?\d{1,18})x(-?\d{1,18})", size)
            if match is None:
                shown = size if len(size) <= 60 else f"{size[:59]}…"
                raise Misuse(f"--size is '{shown}', expected three whole numbers such as 64x64x64")
            nx, ny, nz = (
                within(f"{axis} of --size", int(text), most=LONGEST)
                for axis, text in zip("xyz", match.groups(), strict=True)
            )
            grid = Grid(nx, ny, nz, within("--iterations", 6 if iterations is None else iterations, most=1_000_000))
        else:
            assert name is not None
            grid = CLASSES[name]
            if iterations not in (None, grid.iterations):
                raise Misuse(
                    f"--iterations is {iterations}, but class {name} has {grid.iterations}: "
                    f"for another number, use --size {grid.name}"
                )
        check_writable("--trace", trace)
        check_writable("--picture", picture)
        within("--ranks", ranks)
        if pieces is not None:
            within("--pieces", pieces)
        if overlap < 0 or (overlap > 0 and ranks == 1):
            raise Misuse(f"--overlap is {overlap} with --ranks {ranks}, expected 0 or more, and 2 ranks or more")
        if ranks == 1:
            asked: dict[str, object] = {
                "--messages": all_messages or None,
                "--pipelined or --blocking": pipelined,
                "--pieces": pieces,
            }
            asked |= {"--trace": trace, "--picture": picture}
            for option, value in asked.items():
                if value is not None:
                    raise Misuse(f"{option} needs several ranks, but --ranks is 1: omit it, or use 2 ranks or more")
        if overlap > 0 and pipelined is False:
            raise Misuse("--overlap compares pipelined with blocking runs: omit --blocking")
        own = max(1, cores_now() // ranks) if threads is None else within("--threads", threads)
        terms = Terms(grid, ranks, own, all_messages, pipelined is not False, pieces, overlap)
        wanted = read_resume(resume, context, terms.stored(), PLACES)
        if wanted is not None and not overlap:
            raise Misuse("--resume continues pairs of runs: expected --overlap with it")
        with progress("starting") as tell:
            solved = solve_ft(terms, tell)
        document, interrupted = solved.document, False
        if overlap and document.verified:
            with bench_for(messages()) as bench:
                ended = run_campaign(bench, KIND, terms, resume=wanted)
            measured, interrupted = ended.document, ended.interrupted
            document.overlap, document.campaign = measured.overlap, measured.campaign
            document.floor, document.doubts = measured.floor, measured.doubts
            if measured.reason is not None:
                raise RooftopError(f"the solver failed: {measured.reason}")
        if trace is not None:
            write_whole(trace, json.dumps(traced(solved.events)))
        if picture is not None:
            from rooftop.solvers.fft.picture import write

            write(solved.document, solved.events, picture)
        doubts = [f"doubt: {one.sentence}" for one in document.doubts]
        finish(document, as_json, [*npb_lines(document), "", *rank_lines(document), *doubts])
        end(KIND.name, errors.FINE, interrupted=interrupted)
