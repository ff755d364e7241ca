"""Climb ladders: verify every rung, measure them in pairs, and compare them with their roofs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from rooftop import errors
from rooftop.climb.request import Request
from rooftop.climb.staircase import bar
from rooftop.documents import ClimbDocument
from rooftop.errors import Misuse
from rooftop.report.merit import merit_of
from rooftop.report.prediction_text import sentence
from rooftop.settings import Settings
from rooftop.terminal.campaigns import bench_for, gone_on_with
from rooftop.terminal.groups import LADDERS
from rooftop.terminal.measuring import JobCommand, finish, with_job_options
from rooftop.terminal.output import FromOption, JsonOption, messages, say_findings
from rooftop.terminal.resume import ResumeOption, read_resume
from rooftop.text.durations import parse_budget

if TYPE_CHECKING:
    from rooftop.store.interrupted import Resume

GROUP = LADDERS

# For each parameter of the command, the path of its value in the stored request.
_PLACES = {name: name for name in ("names", "size", "only", "threads", "seed", "pairs")} | {"folder": "experiments"}


def exit_code(document: ClimbDocument) -> int:
    """Return 1 if any rung is wrong or failed, 3 if none has a time, else 0."""
    rungs = [rung for experiment in document.experiments for case in experiment.cases for rung in case.rungs]
    if any(rung.outcome in ("wrong", "failed") for rung in rungs):
        return errors.WRONG
    return errors.FINE if any(rung.median_s is not None for rung in rungs) else errors.NOTHING_MEASURED


def _print_summary(document: ClimbDocument, console: Console) -> None:
    """Print the totals of each ladder, predictions, failures, and doubts."""
    for experiment in document.experiments:
        unit = experiment.rate_unit
        size = f", size {experiment.size}, {experiment.threads} threads"
        console.print(Text.assemble((experiment.title, "bold"), size))
        complete = [total for total in experiment.totals if total["complete"] and total["rate"]]
        top = max((total["rate"] for total in complete), default=1.0)
        width = max((len(total["name"]) for total in complete), default=0)
        for total in complete:
            roof = f"{total['roof_fraction']:6.0%} of its roof" if total["roof_fraction"] else ""
            console.print(
                f"  {total['name']:{width}}  {total['rate']:10.4g} {unit}  {roof}  {bar(total['rate'] / top)}",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
        if (merit := merit_of(experiment)) is not None:
            for text in (f"{merit.title}:", *(f"  {line.sentence}" for line in merit.cases)):
                console.print(f"  {text}", markup=False, highlight=False, soft_wrap=True)
        for case in experiment.cases:
            for prediction in case.predictions:
                console.print(f"  {case.case}: {sentence(prediction)}", markup=False, highlight=False, soft_wrap=True)
            for rung in case.rungs:
                if rung.outcome in ("wrong", "failed"):
                    where = f"{experiment.name}/{case.case}/{rung.name}"
                    console.print(f"  {rung.outcome}: {where}: {rung.reason}", style="bold red", markup=False)
    say_findings(console, "doubt: ", document.doubts)


def register(app: typer.Typer) -> None:
    @app.command("climb", cls=JobCommand, help=__doc__, rich_help_panel=GROUP)
    @with_job_options
    def climb(
        context: typer.Context,
        names: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="[NAME…]",
                help="Experiments to climb, or the group labs (default: all experiments in no group).",
            ),
        ] = None,
        size: Annotated[str | None, typer.Option("--size", help="Set of cases: quick (default), S, M, L, …")] = None,
        budget: Annotated[
            str | None,
            typer.Option("--budget", help="Total time, such as 90s or 5m (default: 3m for quick, else 15m)."),
        ] = None,
        only: Annotated[
            list[str] | None,
            typer.Option("--only", metavar="RUNG", help="Only this rung or peer. Can be repeated; * matches anything."),
        ] = None,
        threads: Annotated[
            int | None, typer.Option("--threads", help="Number of threads (default: one per usable core).")
        ] = None,
        seed: Annotated[int | None, typer.Option("--seed", help="Seed of data and order (default: a new one).")] = None,
        pairs: Annotated[
            int | None,
            typer.Option("--pairs", help="Minimum number of pairs of each comparison, if time allows (default: 6)."),
        ] = None,
        resume: ResumeOption = None,
        folder: FromOption = None,
        no_build: Annotated[
            bool, typer.Option("--no-build", help="Do not build the experiments of --from DIR.")
        ] = False,
        no_report: Annotated[bool, typer.Option("--no-report", help="Do not write an HTML report.")] = False,
        as_json: JsonOption = False,
    ) -> None:
        if no_build and folder is None:
            raise Misuse("--no-build applies to experiments of --from DIR: give --from, or leave out --no-build")
        request = Request(
            names=tuple(dict.fromkeys(names or ())),
            size=size,
            budget_s=parse_budget(budget) if budget is not None else None,
            only=tuple(only or ()),
            threads=threads,
            seed=seed,
            pairs=pairs,
            experiments=str(folder.expanduser().resolve()) if folder is not None else None,
        ).checked()
        # Imported here, since the store and the statistics are slow to import.
        from rooftop.climb.build import CMakeBuild
        from rooftop.climb.live import LiveClimb
        from rooftop.climb.run import KIND, Climbing
        from rooftop.driver.process import ProcessExecutor
        from rooftop.ladder.location import place_of
        from rooftop.probe.surroundings import ThisMachine
        from rooftop.report.figures.style import load_drawing
        from rooftop.schedulers.run import in_no_job

        settings = Settings()
        build = None if no_build else CMakeBuild(settings.build_folder).bring_up_to_date
        load_drawing()
        place_of(settings, folder)  # what it may ask is asked before anything is drawn

        def again(campaign: str | None) -> Resume | None:
            return read_resume(campaign, context, request.stored(), _PLACES)

        within = replace(request, budget_s=request.budget_s or request.default_budget_s())
        with bench_for(messages()) as bench:
            ended, wanted = gone_on_with(bench, KIND, within, again(resume), context, again)
        if ended is None:
            with LiveClimb(messages()) as live:
                climbing = Climbing(settings, ProcessExecutor(), ThisMachine(), live, build=build)
                ended = climbing.climb(request, resume=wanted, permitted=in_no_job(settings.home_folder))
        written = {}
        if not (no_report or ended.interrupted):
            written["report"] = settings.campaigns_folder / f"{ended.document.campaign}.html"
            KIND.write_page(ended.document, written["report"])
        finish("climb", ended, exit_code(ended.document), _print_summary, as_json=as_json, written=written)
