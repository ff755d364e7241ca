"""A diagnosis as a campaign: an observation, and the comparison of the cures that it asks for, if it asks for any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Course
from rooftop.campaign.session import CampaignSession
from rooftop.compare.document import CompareDocument
from rooftop.compare.options import Options
from rooftop.compare.run import Comparison
from rooftop.compare.run import prepared as prepared_comparison
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.findings import complete
from rooftop.measure.case_state import CaseState


def kept(document: DiagnoseDocument, stands: Sequence[bool]) -> dict[str, Any]:
    """Return what is kept of an observation with its campaign. `command` is what lists of campaigns show."""
    return {
        "command": document.command,
        "document": document.model_dump(mode="json", by_alias=True),
        "stands": list(stands),
    }


def from_stored(content: Mapping[str, Any]) -> Options:
    """Return the options of a diagnosis. Raises ValueError where they, or the observation kept with them, are not read.

    An observation is read whole here, so that another version's is refused before anything runs.
    """
    try:
        DiagnoseDocument.model_validate((content.get("beside") or {}).get("document"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}") from error
    return Options.from_stored(content)


def _completed(session: CampaignSession, cost: CompareDocument | None) -> DiagnoseDocument:
    """Return the document of the observation that was kept, with the cures that were tried."""
    beside = session.beside or {}
    document = complete(DiagnoseDocument.model_validate(beside.get("document")), beside.get("stands", []), cost)
    document.campaign = session.store.campaign.id
    return document


class _Cures(Comparison):
    """Cures beside the command as given: a comparison whose document includes the observation."""

    def document(self, session: CampaignSession, *, interrupted: bool) -> DiagnoseDocument:
        return _completed(session, super().document(session, interrupted=interrupted))


class _Observation(Course[DiagnoseDocument]):
    """An observation after which there is nothing to try: its document is all that there is to keep."""

    def __init__(self, options: Options) -> None:
        self._options = options

    @property
    def cases(self) -> Sequence[CaseState]:
        return ()

    @property
    def marks(self) -> Mapping[str, Any]:
        return {"list of commands": " ::: ".join(text for _, text in self._options.commands)}

    def restore(self, session: CampaignSession) -> None:
        pass

    def measure(self, session: CampaignSession) -> None:
        pass

    def document(self, session: CampaignSession, *, interrupted: bool) -> DiagnoseDocument:
        return _completed(session, None)


def course(bench: Bench, options: Options, new: bool) -> Course[DiagnoseDocument]:
    """Return the course of a diagnosis: of one command there is nothing to compare."""
    return _Observation(options) if len(options.commands) == 1 else _Cures(bench, options, new)


def prepared(options: Options) -> Options:
    """Return them where they can be measured. Raises Misuse."""
    return options if len(options.commands) == 1 else prepared_comparison(options)
