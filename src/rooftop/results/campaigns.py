"""Which campaigns a page is written from: per size the newest in the store's folder, or those that were named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rooftop.documents import ClimbDocument, ExperimentResult


@dataclass(frozen=True)
class Campaign:
    """One experiment at one size, with the document that it stands in."""

    document: ClimbDocument
    experiment: ExperimentResult

    @property
    def floor(self) -> float | None:
        """The A/A floor: the least that a case's comparisons were judged by, since disturbed cases have higher ones."""
        floors = [
            comparison.floor for case in self.experiment.cases for rung in case.rungs for comparison in rung.comparisons
        ]
        return min(floors, default=None)


def newest_per_size(documents: Iterable[ClimbDocument], name: str, sizes: Sequence[str]) -> dict[str, Campaign]:
    """Return each size's campaign that was started last; a size without one is left out."""
    found: dict[str, Campaign] = {}
    for document in sorted(documents, key=lambda document: (document.started, document.campaign)):
        for experiment in document.experiments:
            if experiment.name == name and experiment.size in sizes and experiment.cases:
                found[experiment.size] = Campaign(document, experiment)
    return {size: found[size] for size in sizes if size in found}


def document_files(folder: Path) -> list[Path]:
    """Return the documents in the campaigns' folder."""
    return sorted(folder.glob("*.json"))
