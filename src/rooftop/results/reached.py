"""A figure reached: what the measure of a target is on one case, or over all, against one opponent."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from rooftop.documents import CaseResult, ExperimentResult, RungResult
from rooftop.files.document import Document
from rooftop.measure.targets import BEST_PEER, Target, Targets
from rooftop.report.ladder import by_name, gain, measured, reason_of

PAIRED, MEDIANS, SUMS = "paired", "medians", "sums"


class Reached(Document):
    """A figure, or the reason why there is none.

    by         "paired": median of paired ratios; "medians": ratio of two medians; "sums": ratio of two sums of times
    against    the rung or peer that it was found against; algorithm is that one's
    lo, hi     95 % interval of a paired figure
    floor      the campaign's A/A floor, as a relative difference
    """

    value: float | None = None
    by: str | None = None
    against: str | None = None
    algorithm: str | None = None
    lo: float | None = None
    hi: float | None = None
    pairs: int | None = None
    floor: float | None = None
    reason: str | None = None


def no_time(rung: RungResult) -> str:
    """Why a rung or peer has no time."""
    return f"{rung.name} {rung.outcome}: {reason_of(rung)}" if rung.outcome != "ok" else f"{rung.name} was not timed"


def matching(rungs: Sequence[RungResult], pattern: str) -> RungResult | None:
    """The last rung or peer of the ladder whose name fits: among several, the highest rung."""
    fitting = [rung for rung in rungs if fnmatchcase(rung.name, pattern)]
    return fitting[-1] if fitting else None


def _timed(rungs: Sequence[RungResult]) -> list[RungResult]:
    return [*measured(rungs, "rung"), *measured(rungs, "peer")]


def _fastest(peers: Sequence[RungResult]) -> RungResult | None:
    return min(peers, key=lambda peer: peer.median_s or 0.0, default=None)


def _opponent(case: CaseResult, subject: RungResult, against: str, targets: Targets) -> RungResult | str:
    """The rung or peer that `against` means on this case, or why there is none."""
    peers = measured(case.rungs, "peer")
    if against == BEST_PEER:
        judged = subject.vs_best_peer.against if subject.vs_best_peer is not None else None
        best = next((peer for peer in peers if peer.name == judged), None) or _fastest(peers)
        reasons = [no_time(peer) for peer in case.rungs if peer.kind == "peer"]
        return best or f"no peer was timed{': ' + reasons[0] if reasons else ''}"
    if against in targets.opponents:
        algorithms = targets.opponents[against]
        fitting = [peer for peer in peers if any(fnmatchcase(peer.algorithm or "", one) for one in algorithms)]
        return _fastest(fitting) or f"no peer that used {' or '.join(algorithms)} was timed"
    named = matching(case.rungs, against)
    if named is None:
        return f"{against} was not measured"
    return named if named in _timed(case.rungs) else no_time(named)


def ratio(case: CaseResult, subject: RungResult, against: str, targets: Targets) -> Reached:
    """How many times as fast the subject is: paired where the campaign paired the two, else by their medians."""
    opponent = _opponent(case, subject, against, targets)
    if isinstance(opponent, str):
        return Reached(reason=opponent)
    found = Reached(against=opponent.name, algorithm=opponent.algorithm)
    for paired in subject.comparisons:
        if paired.against == opponent.name:
            found.value, found.by, found.floor = paired.ratio, PAIRED, paired.floor
            found.lo, found.hi, found.pairs = paired.lo, paired.hi, paired.pairs
            return found
    if not subject.median_s or not opponent.median_s:
        return Reached(reason=no_time(opponent))
    found.value, found.by = opponent.median_s / subject.median_s, MEDIANS
    return found


def on_case(target: Target, case: CaseResult, against: str | None, targets: Targets) -> Reached:
    """A target's figure on one case."""
    subject = matching([rung for rung in case.rungs if rung.kind == "rung"], target.subject)
    if subject is None:
        return Reached(reason=f"{target.subject} was not measured")
    if subject not in _timed(case.rungs):
        return Reached(reason=no_time(subject))
    if target.measure == "roof_fraction":
        fraction = subject.roof_fraction
        return Reached(value=fraction) if fraction is not None else Reached(reason="its roof is not known")
    if target.named is not None:
        value = (subject.figures or {}).get(target.named)
        return Reached(value=value) if value is not None else Reached(reason=f"{subject.name} tells no {target.named}")
    if target.measure == "error":
        return Reached(value=subject.error) if subject.error is not None else Reached(reason="no error was given")
    return ratio(case, subject, against or BEST_PEER, targets)


def in_total(target: Target, experiment: ExperimentResult, against: str) -> Reached:
    """How many times as fast the subject is as another rung, over the cases that both finished."""
    rungs = [name for kind, name in by_name(experiment) if kind == "rung"]
    names = {
        role: next((name for name in reversed(rungs) if fnmatchcase(name, pattern)), None)
        for role, pattern in (("subject", target.subject), ("against", against))
    }
    subject, below = names["subject"], names["against"]
    if subject is None or below is None:
        return Reached(reason=f"{against if subject else target.subject} was not measured")
    found = gain(experiment, subject, below)
    if found is None:
        return Reached(against=below, reason=f"no case has both {subject} and {below}")
    return Reached(value=found.ratio, by=SUMS, against=below, reason=found.scope or None)
