"""What ``rooftop results --json`` prints and the page is written from: campaigns, judgements and ladders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

import rooftop
from rooftop.documents import ClimbDocument, Doubt, ExperimentResult, Machine
from rooftop.files.document import Document
from rooftop.measure.limits import bandwidth, clock, clock_after_fma, fma_peak
from rooftop.measure.rules import Rules
from rooftop.measure.targets import Target, Targets
from rooftop.report.ladder import gain, total_steps
from rooftop.report.roofs import device_rate
from rooftop.results.judgement import TargetJudgement, covered, judge
from rooftop.results.steps import steps

_SETTINGS = ("governor", "turbo", "smt_active", "thp", "numa_balancing", "clock_source", "hypervisor", "affinity")


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


class Conditions(Document):
    """One campaign: when and under which conditions. Roofs in flop/s and byte/s, at the campaign's threads."""

    size: str
    campaign: str
    started: str
    rooftop: str
    machine: str  # its id
    cases: int
    threads: int
    precision: str
    isa: str | None  # that all cases are held to
    fma_peak: float | None
    memory_bandwidth: float | None
    clock: float | None = None  # Hz, of a chain of additions
    clock_after_fma: float | None = None  # the same straight after multiply-adds of the widest vectors
    device_rate: float | None = None  # of reading from the device, where cases are cold
    floor: float | None
    load: float | None
    stolen: float | None  # part of the campaign's time
    doubts: list[Doubt]


class Host(Document):
    """What stays of the machine over its campaigns; its name is not recorded."""

    id: str
    processor: str
    architecture: str
    cores: int
    threads_per_core: int
    numa_nodes: int
    memory_bytes: int
    caches: list[dict[str, Any]]
    isas: list[str]
    compiler: str | None
    flags: str | None
    settings: dict[str, Any]


class LadderRow(Document):
    """One rung or peer in the total over all cases."""

    name: str
    kind: str
    idea: str
    outcome: str
    rate: float | None
    over_below: float | None  # how many times as fast as the rung below, over the cases that both finished
    over_below_cases: int | None
    note: str


class Ladder(Document):
    """The total over all cases of one size."""

    size: str
    rate_unit: str
    of_cases: int
    rows: list[LadderRow]


class ResultsPage(Document):
    """One experiment: what was asked and what was reached."""

    name: str
    title: str
    rate_unit: str
    machines: list[Host]
    campaigns: list[Conditions]
    sizes: list[str]  # that targets are judged on, measured or not
    missing_sizes: list[str]
    targets: list[TargetJudgement]
    ladders: list[Ladder]
    budgets: dict[str, str]
    only: dict[str, list[str]]
    pairs: dict[str, int]
    outside: bool = False  # the bench's tree: the experiment is found by --from

    @property
    def doubts(self) -> dict[str, list[tuple[str, str]]]:
        """Every doubt with the sizes whose campaigns gave rise to it, and its evidence there."""
        found: dict[str, list[tuple[str, str]]] = {}
        for campaign in self.campaigns:
            for doubt in campaign.doubts:
                found.setdefault(doubt.name, []).append((campaign.size, doubt.evidence))
        return found


class ResultsDocument(Document):
    """What ``rooftop results --json`` prints."""

    schema_: Literal["rooftop/results/1"] = Field(default="rooftop/results/1", alias="schema")
    rooftop: str = rooftop.__version__
    pages: list[ResultsPage]


def _host(machine: Machine) -> Host:
    told = machine.conditions
    return Host(
        **machine.model_dump(include=set(Host.model_fields) & set(Machine.model_fields)),
        compiler=told.get("compiler"),
        flags=told.get("flags"),
        settings={name: told[name] for name in _SETTINGS if name in told},
    )


def _load(conditions: dict[str, Any]) -> float | None:
    load = conditions.get("load")
    return float(load[0]) if isinstance(load, list) and load else None


def _stolen(conditions: dict[str, Any]) -> float | None:
    for record in (conditions.get("at the end"), conditions):
        steal = record.get("steal") if isinstance(record, dict) else None
        if isinstance(steal, dict):
            share = steal.get("over_campaign", steal.get("over_interval"))
            if isinstance(share, (int, float)):
                return float(share)
    return None


def _conditions(campaign: Campaign) -> Conditions:
    document, experiment = campaign.document, campaign.experiment
    roofs = document.machine.roofs
    return Conditions(
        size=experiment.size,
        campaign=document.campaign,
        started=document.started,
        rooftop=document.rooftop,
        machine=document.machine.id,
        cases=len(experiment.cases),
        threads=experiment.threads,
        precision=experiment.precision,
        isa=experiment.isa,
        fma_peak=fma_peak(roofs, experiment.threads, experiment.precision, experiment.isa),
        memory_bandwidth=bandwidth(roofs, "memory", experiment.threads),
        clock=clock(roofs, experiment.threads),
        clock_after_fma=clock_after_fma(roofs, experiment.threads, experiment.isa),
        device_rate=device_rate(document.machine, experiment),
        floor=campaign.floor,
        load=_load(document.machine.conditions),
        stolen=_stolen(document.machine.conditions),
        doubts=document.doubts,
    )


def ladder(campaign: Campaign) -> Ladder:
    """Return the total of every rung and peer, each rung beside the one below it that has a total."""
    experiment = campaign.experiment
    ideas = {rung.name: rung.idea for case in experiment.cases for rung in case.rungs}
    rows = []
    below: str | None = None
    for step in total_steps(experiment):
        compares = step.kind == "rung" and step.rate is not None
        found = gain(experiment, step.name, below) if compares and below is not None else None
        rows.append(
            LadderRow(
                name=step.name,
                kind=step.kind,
                idea=ideas.get(step.name, ""),
                outcome=step.outcome,
                rate=step.rate,
                over_below=found.ratio if found is not None else None,
                over_below_cases=found.cases if found is not None else None,
                note="; ".join(text for text in (step.note, step.reason) if text),
            )
        )
        below = step.name if compares else below
    return Ladder(size=experiment.size, rate_unit=experiment.rate_unit, of_cases=len(experiment.cases), rows=rows)


def _judged(target: Target, campaign: Campaign | None, targets: Targets, rules: Rules) -> TargetJudgement:
    if campaign is None:
        return judge(target, None, targets, rules)
    experiment = campaign.experiment
    found = judge(target, experiment, targets, rules)
    if target.steps:
        cases = covered(target, experiment, targets)
        machine = campaign.document.machine
        found.steps = steps(cases, machine, experiment.threads, experiment.precision, experiment.isa)
    return found


def results_page(
    name: str, targets: Targets, documents: Sequence[ClimbDocument], rules: Rules, *, outside: bool = False
) -> ResultsPage | None:
    """Return an experiment's page from the newest campaign of each size; None where there is no campaign at all."""
    campaigns = newest_per_size(documents, name, targets.sizes)
    if not campaigns:
        return None
    newest = max(campaigns.values(), key=lambda campaign: campaign.document.started)
    machines = {campaign.document.machine.id: campaign.document.machine for campaign in campaigns.values()}
    totals = dict.fromkeys(target.size for target in targets.targets if target.measure == "total")
    return ResultsPage(
        name=name,
        title=newest.experiment.title,
        rate_unit=newest.experiment.rate_unit,
        machines=[_host(machine) for machine in machines.values()],
        campaigns=[_conditions(campaign) for campaign in campaigns.values()],
        sizes=targets.sizes,
        missing_sizes=[size for size in targets.sizes if size not in campaigns],
        targets=[_judged(target, campaigns.get(target.size), targets, rules) for target in targets.targets],
        ladders=[ladder(campaigns[size]) for size in totals if size in campaigns],
        budgets={size: targets.budgets[size] for size in targets.sizes if size in targets.budgets},
        only={size: targets.only[size] for size in targets.sizes if size in targets.only},
        pairs={size: targets.pairs[size] for size in targets.sizes if size in targets.pairs},
        outside=outside,
    )
