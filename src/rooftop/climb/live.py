"""Show the progress of a climb: live on a terminal, as plain lines elsewhere. Draws only between samples."""

from __future__ import annotations

import time

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rooftop.climb.staircase import staircase
from rooftop.climb.watch import Outlook
from rooftop.documents import CaseResult
from rooftop.measure.assemble import case_result
from rooftop.measure.case_state import CaseState
from rooftop.measure.rules import Rules
from rooftop.text.durations import budget_text
from rooftop.text.plural import plural

_REDRAW_S = 0.5


class LiveClimb:
    """A ClimbWatcher that prints to a console. Use as a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._outlook: Outlook | None = None
        self._drawn_s = 0.0
        self._doing = ""
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("cases"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[doing]}", style="dim", markup=False),
            console=console,
            auto_refresh=False,
        )
        self._task = self._progress.add_task("climbing", total=None, doing="getting ready")
        # No refresh thread: it would draw while a rung is being timed.
        self._live = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None

    def __enter__(self) -> LiveClimb:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live is not None:
            self._live.stop()

    def remark(self, message: str) -> None:
        self._console.print(message, style="dim", markup=False, highlight=False)

    def began(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self.remark(
            f"campaign {outlook.campaign}: {plural(len(outlook.cases), 'case')}, {plural(outlook.threads, 'thread')}, "
            f"budget {budget_text(outlook.budget_s)}"
        )
        self._progress.update(self._task, total=len(outlook.cases), completed=outlook.done)

    def progressed(self, case: CaseState, doing: str) -> None:
        now = time.monotonic()
        if self._live is None or now - self._drawn_s < _REDRAW_S:
            return
        self._drawn_s = now
        self._progress.update(self._task, doing=f"{case.name}: {doing}")
        result = self._result(case)
        if result is None:
            self._live.update(self._progress.get_renderable(), refresh=True)
        else:
            picture = staircase(case.experiment, result, self._unit(case), waiting=True)
            self._live.update(Group(picture, self._progress.get_renderable()), refresh=True)

    def case_finished(self, case: CaseState) -> None:
        if self._outlook is not None:
            self._progress.update(self._task, completed=self._outlook.done)
        result = self._result(case)
        if result is None:
            return
        if self._live is not None:
            self._console.print(staircase(case.experiment, result, self._unit(case)))
            return
        lines: dict[tuple[str, str], list[str]] = {}  # rungs without a time share a line if their reason is the same
        for rung in result.rungs:
            timed = rung.rate is not None
            figure = f"{rung.rate:.4g} {rung.rate_unit}" if timed else f"{rung.outcome}: {rung.reason}"
            lines.setdefault((figure, rung.name if timed else ""), []).append(rung.name)
        for (figure, _), names in lines.items():
            line = f"{case.title}  {', '.join(names)}  {figure}"
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _unit(self, case: CaseState) -> str:
        assert self._outlook is not None
        return self._outlook.declarations[case.experiment].rate_unit

    def _result(self, case: CaseState) -> CaseResult | None:
        known = self._outlook
        if known is None:
            return None
        declaration = known.declarations[case.experiment]
        return case_result(case, declaration, known.machine, known.threads, known.floor, Rules())
