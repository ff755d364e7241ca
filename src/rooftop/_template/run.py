"""Times one command, with its A/A floor, from the options to the document and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from rooftop._template.options import Options
from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course, Kind
from rooftop.campaign.session import CampaignSession
from rooftop.command.driver import CommandExecutor, Terms, as_module
from rooftop.command.identity import meaning
from rooftop.command.line import CommandLine
from rooftop.compare.document import CommandResult, command_result, floor_of
from rooftop.documents import CommandDocument
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState

NAME = "template"


class TemplateDocument(CommandDocument):
    """What the command prints with ``--json``."""

    schema_: Literal["rooftop/template/1"] = Field(default="rooftop/template/1", alias="schema")
    command: CommandResult
    floor: float | None = None  # A/A, as a relative difference; None when no pair of twins was taken
    stopped: str | None = None  # why sampling ended: "resolved", "budget", "blocks"; None: interrupted


class _Timing(Course[TemplateDocument]):
    """The course of one campaign: a single case with a single arm, which gets a twin."""

    def __init__(self, bench: Bench, options: Options, _new: bool) -> None:
        self._bench, self._options, self._terms = bench, options, options.how.terms()
        self._metric = self._terms.measured.metric
        command = CommandLine(options.words, " ".join(options.words))
        self._specs = {command.text: options.how.spec(command)}
        arms = [Arm(as_module(name, spec), "command", metric=self._metric) for name, spec in self._specs.items()]
        self._case = CaseState(NAME, size="commands", name="command", parameters={}, nominal=1.0, arms=arms)

    @property
    def cases(self) -> Sequence[CaseState]:
        return [self._case]

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"command": " ".join(self._options.words)} | meaning(self._specs.values())

    @property
    def terms(self) -> Sequence[Terms]:
        return [self._terms]

    def restore(self, session: CampaignSession) -> None:
        session.restore(self._case, self._metric)

    def measure(self, session: CampaignSession) -> None:
        session.measure(self._case, self._bench.executor or CommandExecutor(self._specs, self._terms))

    def document(self, session: CampaignSession, *, interrupted: bool) -> TemplateDocument:
        floor = floor_of(self._case, self._bench.rules)
        return TemplateDocument(
            **session.head() | self._options.how.head(),
            command=command_result(self._case.arms[0]),
            floor=floor,
            stopped=self._case.stopped,
            doubts=session.doubts(floor, self._case.arms),
        )


def _write_page(document: TemplateDocument, path: Path) -> None:
    from rooftop.compare.page import command_cells, command_columns  # what draws takes long to import
    from rooftop.report.figure_page import Findings, Table, write_figure_page

    table = Table("Command", command_columns(document.unit), [command_cells(document.command)], frozenset({1, 3}))
    aside = f"Campaign {document.campaign}, begun {document.started}, on {document.machine.processor}"
    doubts = Findings("Doubts", document.doubts)
    write_figure_page(path, document.command.name, aside, [table, doubts], document.rooftop)


KIND = Kind(NAME, Options.from_stored, Options.prepared, _Timing, _write_page)
