"""The first lines: for each experiment one paragraph on how fast the top rung is, and compared with what."""

from __future__ import annotations

from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup

from rooftop.documents import CaseResult, ClimbDocument, Comparison, ExperimentResult, RungResult
from rooftop.report.ladder import Gain, Step, best_peer, gain, measured, step, total_steps
from rooftop.report.merit import Merit, merit_of
from rooftop.report.sections import Section
from rooftop.text.plural import plural

ORDER = 10


@dataclass(frozen=True)
class PeerSpan:
    """The top rung compared with the best peer of each case: the lowest and highest ratio, and the verdicts."""

    lowest: Comparison
    lowest_case: str
    highest: Comparison
    highest_case: str
    cases: int
    verdicts: str


@dataclass(frozen=True)
class Headline:
    """The facts in an experiment's paragraph."""

    experiment: ExperimentResult
    anchor: str
    where: str
    top: Step | None
    gain: Gain | None  # of the top rung over the first measured one
    first_is_lowest: bool
    peers: PeerSpan | None
    missing_peer: str
    merit: Merit | None  # in place of the rate
    troubles: str


def _verdicts(comparisons: list[Comparison]) -> str:
    counts = {
        verdict: sum(c.verdict == verdict for c in comparisons) for verdict in ("faster", "slower", "not resolved")
    }
    return ", ".join(f"{verdict} on {count}" for verdict, count in counts.items() if count)


def _peer_span(experiment: ExperimentResult, top: str) -> PeerSpan | None:
    found: list[tuple[Comparison, CaseResult]] = [
        (rung.vs_best_peer, case)
        for case in experiment.cases
        for rung in measured(case.rungs, "rung")
        if rung.name == top and rung.vs_best_peer
    ]
    if not found:
        return None
    lowest, lowest_case = min(found, key=lambda pair: pair[0].ratio)
    highest, highest_case = max(found, key=lambda pair: pair[0].ratio)
    verdicts = _verdicts([comparison for comparison, _ in found])
    return PeerSpan(lowest, lowest_case.case, highest, highest_case.case, len(found), verdicts)


def _troubles(rungs: list[RungResult]) -> str:
    counts = {outcome: sum(rung.outcome == outcome for rung in rungs) for outcome in ("wrong", "failed", "skipped")}
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)


def headline(experiment: ExperimentResult, anchor: str) -> Headline:
    """Return the headline of an experiment, from its totals or else from its first case."""
    steps = total_steps(experiment)
    where = f"over all {len(experiment.cases)} cases"
    if not steps and experiment.cases:
        case = experiment.cases[0]
        steps = [step(rung) for rung in case.rungs]
        where = f"on {case.case}" + (
            "" if len(experiment.cases) == 1 else f", the first of {len(experiment.cases)} cases"
        )
    ladder = [found for found in steps if found.kind == "rung"]
    right = [found for found in ladder if found.rate]
    top = right[-1] if right else None
    first = right[0] if len(right) > 1 else None
    peers = _peer_span(experiment, top.name) if top else None
    has_peer = any(best_peer(case) for case in experiment.cases)
    everything = [rung for case in experiment.cases for rung in case.rungs]
    return Headline(
        experiment=experiment,
        anchor=anchor,
        where=where,
        top=top,
        gain=gain(experiment, top.name, first.name) if top and first else None,
        first_is_lowest=bool(first) and first is ladder[0],
        peers=peers,
        missing_peer="" if peers else "It was not compared with a peer" if has_peer else "No peer could be measured",
        merit=merit_of(experiment),
        troubles=_troubles(everything),
    )


def render(document: ClimbDocument, pages: Environment) -> list[Section]:
    """Return one paragraph per experiment that is not a lab, and the number of doubts."""
    headlines = [
        headline(found, f"experiment-{at}") for at, found in enumerate(document.experiments) if found.chapter is None
    ]
    doubts = plural(len(document.doubts), "doubt")
    body = pages.get_template("sections/headlines.html").render(headlines=headlines, document=document, doubts=doubts)
    return [Section("results", "Results", Markup(body))]
