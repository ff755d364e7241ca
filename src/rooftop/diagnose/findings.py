"""Hold what was suspected against what the cures did: at most five findings, by their seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rooftop.compare.document import CommandComparison, CommandResult, CompareDocument
from rooftop.diagnose.document import Cause, DiagnoseDocument, TriedCure
from rooftop.diagnose.predicted import predicted
from rooftop.measure.rules import Rules

AS_GIVEN = "as given"
UNPROVEN = 0.12  # of the elapsed time at stake: less is told only if a cure proves it
OWN = "a cure of your own"
MOST = 5


def _gain_s(base_s: float, ratio: float) -> float:
    return base_s * (1 - 1 / ratio)


def _tried(result: CommandResult, line: str, found: CommandComparison | None, base_s: float | None) -> TriedCure:
    cure = TriedCure(name=result.name, line=line, outcome=result.outcome, reason=result.reason)
    if found is None:
        return cure
    cure.verdict, cure.ratio, cure.lo, cure.hi, cure.pairs = found.verdict, found.ratio, found.lo, found.hi, found.pairs
    if base_s is not None:
        cure.gain_s, cure.gain_lo_s, cure.gain_hi_s = (
            _gain_s(base_s, ratio) for ratio in (found.ratio, found.lo, found.hi)
        )
    return cure


def tried(cost: CompareDocument, lines: Mapping[str, str]) -> list[TriedCure]:
    """Return what each cure did, beside the command as given."""
    against = {one.subject: one for one in cost.comparisons if one.against == AS_GIVEN}
    base_s = next((one.median for one in cost.commands if one.name == AS_GIVEN), None) if cost.unit == "s" else None
    return [
        _tried(result, lines.get(result.name, result.name), against.get(result.name), base_s)
        for result in cost.commands
        if result.name != AS_GIVEN
    ]


def _helped(cures: Sequence[TriedCure]) -> list[TriedCure]:
    return [cure for cure in cures if cure.outcome == "ok" and cure.verdict == "faster"]


def _undecided(cure: TriedCure) -> bool:
    """Return whether there was too little time to tell whether a cure helps."""
    if cure.outcome == "skipped":
        return True
    few = cure.pairs is None or cure.pairs < Rules().min_pairs
    return cure.outcome == "ok" and few and (cure.ratio is None or cure.ratio > 1)


def _own(cures: Sequence[TriedCure], suspected: Sequence[Cause]) -> list[Cause]:
    """Return a finding for each cure that helped without a suspicion: the user's own."""
    known = {name for cause in suspected for name in cause.tried}
    return [
        Cause(
            finding=OWN,
            evidence=f"with {cure.line} the command is faster",
            remedy="apply it",
            stake_s=cure.gain_s or 0.0,
            tried=[cure.name],
            cure=cure,
        )
        for cure in _helped(cures)
        if cure.name not in known
    ]


def findings(
    suspected: Sequence[Cause], stands: Sequence[bool], cures: Sequence[TriedCure], least_s: float = 0.0
) -> list[Cause]:
    """Return at most five findings. Those that share the cure that helped most count once.

    stands   of each suspicion, whether it is told even if none of its cures helped
    least_s  at stake in others that are told while there was too little time for their cures
    """
    by_name = {cure.name: cure for cure in cures}
    found: list[Cause] = []
    owner: dict[str, tuple[int, int]] = {}  # of a cure: its place among a finding's cures, and that finding's place
    for cause, alone in zip(suspected, stands, strict=True):
        its = [by_name[name] for name in cause.tried if name in by_name]
        best = max(_helped(its), key=lambda cure: cure.ratio or 0.0, default=None)
        if best is None:
            if alone or (cause.stake_s >= least_s and any(_undecided(cure) for cure in its)):
                found.append(cause.model_copy())
            continue
        place = cause.tried.index(best.name)
        if best.name in owner:
            owners_place, at = owner[best.name]
            if place >= owners_place:
                continue
            owner[best.name] = (place, at)
            found[at] = cause.model_copy(update={"cure": best})
            continue
        owner[best.name] = (place, len(found))
        found.append(cause.model_copy(update={"cure": best}))
    found += _own(cures, suspected)
    return sorted(found, key=lambda cause: -cause.seconds)[:MOST]


def complete(document: DiagnoseDocument, stands: Sequence[bool], cost: CompareDocument | None) -> DiagnoseDocument:
    """Return the document with the cures that were tried, and the findings that follow."""
    document.cost = cost
    document.tried = tried(cost, document.lines) if cost is not None else []
    in_time, by_name = cost is not None and cost.unit == "s", {cure.name: cure for cure in document.tried}
    for cause in document.suspected:
        cause.predicted = predicted(cause, by_name, document.facts.elapsed_s, in_time=in_time)
    document.findings = findings(document.suspected, stands, document.tried, UNPROVEN * document.facts.elapsed_s)
    return document
