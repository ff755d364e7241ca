"""What all `rooftop solve` commands share: progress, interrupts, the printed result and the exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import typer
from pydantic import Field

from rooftop import __version__, errors
from rooftop.errors import Misuse
from rooftop.files.document import Document
from rooftop.interrupts import taken_as_requests
from rooftop.solvers.running.stop import Stop
from rooftop.terminal.output import messages, print_document, say, tables

if TYPE_CHECKING:
    from rich.table import Table

Standing = TypeVar("Standing")


class SolvedDocument(Document):
    """What the documents of all solvers have in common."""

    rooftop: str = __version__
    remarks: list[str] = Field(default_factory=list)  # about the input, and about choices of the solver
    outcome: Literal["ok", "wrong"]
    valid: bool  # the result was checked independently of the solver
    reason: str | None = None  # why the result is wrong
    interrupted: bool = False


def verdict(reason: str | None) -> dict[str, Any]:
    """Return the fields of a SolvedDocument for a result that is wrong for a reason; None: it is right."""
    return {"outcome": "ok" if reason is None else "wrong", "valid": reason is None, "reason": reason}


@contextmanager
def progress(first: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner, the elapsed time and a line of text on a terminal. Yields the function that sets the text."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = messages()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(first, total=None)
        yield lambda text: bar.update(task, description=text)


@contextmanager
def stoppable(watch: Callable[[Standing], object]) -> Iterator[tuple[Stop, Callable[[Standing], bool]]]:
    """Let SIGINT and SIGTERM end the solver early in the block, with the result so far.

    Yields the stop and a callback for the solver, which passes on what it is told and returns whether to continue.
    """
    stop = Stop()

    def told(standing: Standing) -> bool:
        watch(standing)
        return not stop.requested

    with taken_as_requests(stop.request):
        yield stop, told


def finish(
    document: Document,
    as_json: bool,
    shown: Iterable[str | Table | None],
    *,
    wrong: Iterable[str] = (),
) -> None:
    """Print remarks, the document or `shown`, and what is wrong; then raise typer.Exit unless all is well.

    wrong  reasons beside the document's own
    """
    for remark in getattr(document, "remarks", ()):
        say(messages(), f"remark: {remark}")
    if as_json:
        print_document(document)
    else:
        for one in shown:
            if isinstance(one, str):
                say(tables(), one)
            elif one is not None:
                tables().print(one)
    own = getattr(document, "reason", None)
    reasons = [*([own] if own is not None else []), *wrong]
    for reason in reasons:
        say(messages(), f"wrong: {reason}")
    if reasons:
        raise typer.Exit(errors.WRONG)
    if getattr(document, "interrupted", False):
        raise typer.Exit(errors.INTERRUPTED)


def write_plot(path: Path, page: Callable[[], None], drawing: Callable[[], None]) -> None:
    """Write a page if the file's name ends in .html, else a drawing. Raises Misuse if the file cannot be written."""
    try:
        (page if path.suffix.lower() == ".html" else drawing)()
    except OSError as error:
        raise Misuse(f"--plot {path} cannot be written: {error.strerror or error}") from error
