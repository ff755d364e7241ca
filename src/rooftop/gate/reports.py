"""Write the reports of a gate, JUnit XML and a Markdown summary; each gate replaces those of the one before."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from rooftop.errors import Misuse, RooftopError
from rooftop.files.atomic import is_written_through, write_whole
from rooftop.terminal.output import check_writable
from rooftop.terminal.output_files import Files

if TYPE_CHECKING:
    from rooftop.gate.document import GateDocument

_UNENDED = "the gate did not finish"


class Reports:
    """The two report files, either of which may be None.

    They first say that the gate did not finish, so that a CI server never shows the reports of an earlier gate, however
    this one ends. The Markdown is appended to its file, since CI servers collect the summaries of all steps in one. A
    path that is not a regular file, such as /dev/stdout, is written once.
    """

    def __init__(self, junit: Path | None, markdown: Path | None) -> None:
        """Raise Misuse if either file is not writable."""
        # Folders are made where there are none.
        for option, path in (("--junit", junit), ("--markdown", markdown)):
            if path is not None and path.parent.exists():
                check_writable(option, path)
        self._junit, self._markdown = junit, markdown
        self._before = _held(markdown)
        self._files = Files()

    def __enter__(self) -> Reports:
        """Write that the gate did not finish."""
        self._error(_UNENDED, "error", begun=True)
        self.require_written()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Write the error that ended the gate."""
        if isinstance(error, RooftopError):
            self._error(str(error), type(error).__name__)
        elif isinstance(error, KeyboardInterrupt):
            self._error(f"{_UNENDED}: it was interrupted", "interrupted")
        elif error is not None:
            self._error(f"{_UNENDED}: {type(error).__name__}: {error}", "error")

    def _error(self, message: str, kind: str, *, begun: bool = False) -> None:
        if self._junit is None and self._markdown is None:
            return
        from rooftop.gate.junit import junit_error
        from rooftop.gate.markdown import error_summary

        junit, markdown = (
            None if begun and path is not None and is_written_through(path) else path
            for path in (self._junit, self._markdown)
        )
        self._files.write("--junit", junit, lambda: junit_error(message, kind))
        self._files.write("--markdown", markdown, lambda: self._before + error_summary(message))

    def go_to(self, junit: Path | None, markdown: Path | None) -> None:
        """Switch to these files, those of a resumed gate."""
        if markdown != self._markdown:
            self._before = _held(markdown)
        self._junit, self._markdown = junit, markdown

    def write(self, document: GateDocument) -> None:
        """Write the results."""
        from rooftop.gate.junit import junit_xml
        from rooftop.gate.markdown import summary

        self._files.write("--junit", self._junit, lambda: junit_xml(document))
        self._files.write("--markdown", self._markdown, lambda: self._before + summary(document))

    def require_written(self) -> None:
        """Raise Misuse where one could not be written."""
        self._files.require_written()


def _held(markdown: Path | None) -> str:
    """Return the present content of a regular file, to be kept in front of the summary."""
    if markdown is None or is_written_through(markdown) or not markdown.is_file():
        return ""
    with contextlib.suppress(OSError):
        text = markdown.read_text(encoding="utf-8", errors="surrogateescape")
        return text if not text or text.endswith("\n\n") else f"{text.rstrip()}\n\n"
    return ""


def report_refusal(arguments: Sequence[str], message: str) -> None:
    """Write an error to the reports named on a command line that the option parser refuses."""
    named: dict[str, Path] = {}
    for place, word in enumerate(arguments):
        option, equals, value = word.partition("=")
        if option in ("--junit", "--markdown"):
            following = value if equals else next(iter(arguments[place + 1 : place + 2]), "")
            if following and not following.startswith("--"):
                named[option] = Path(following)
    from rooftop.gate.junit import junit_error
    from rooftop.gate.markdown import error_summary

    with contextlib.suppress(OSError, Misuse):
        if (junit := named.get("--junit")) is not None:
            write_whole(junit, junit_error(message, "Misuse"))
        if (markdown := named.get("--markdown")) is not None:
            before, told = _held(markdown), error_summary(message)
            if not before.rstrip().endswith(told.rstrip()):  # the gate itself may have written it
                write_whole(markdown, before + told)
