"""Measure collectives and the algorithms that mock them, by the bench's own rules."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.collectives.collectives_page import is_collective
from benchmarks.collectives.crew import Crew
from benchmarks.collectives.mpi_libraries import Built
from rooftop.documents import ExperimentResult, Machine
from rooftop.driver.process import ProcessExecutor
from rooftop.ladder.discovery import Found, Module
from rooftop.ladder.experiment import Case
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.assemble import experiment_result
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.rules import Rules

SIZES = ("S", "quick")
RANKS = (2, 4)
# The slowest algorithm may spend half of a case's time: it may still be the best of the next case.
RULES = Rules(peer_allowance=0.5)
_SEED = 1


def is_lab_of_collectives(lab: Found) -> bool:
    """Whether a lab holds algorithms of messages against the MPI library's own."""
    return all(module.ranked for module in lab.rungs) and any(is_collective(module.name) for module in lab.rungs)


def cases_of(lab: Found) -> list[Case]:
    """Return the cases of all sizes, each once."""
    cases = {case.name: case for size in SIZES if size in lab.declaration.sizes for case in lab.declaration.cases(size)}
    return list(cases.values())


def state_of(lab: Found, case: Case, ranks: int) -> CaseState:
    """Return a case to be measured: the library's collectives are rungs, and what mocks them are their peers."""
    arms = []
    for module in lab.rungs:
        one = module.on(Team(threads=ranks))
        arms.append(Arm(one, "rung") if is_collective(module.name) else Arm(replace(one, kind="peer"), "peer"))
    return CaseState(lab.name, SIZES[0], f"{case.name}, {ranks} ranks", case.parameters, case.nominal, arms)


def needed(case: CaseState) -> list[Module]:
    """Return what a case needs drivers of: all its variants, and the twin of a collective, whichever is the fastest."""
    return [arm.module for arm in case.arms] + [arm.module for arm in case.arms if arm.role == "rung"]


@dataclass
class Told:
    """Keeps nothing: an arm has its samples. Tells what is measured."""

    library: str

    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        """See Journal."""

    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        """See Journal."""

    def case_changed(self, case: CaseState) -> None:
        """See Journal."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See Watcher."""
        if doing == "block 1":
            print(f"{self.library}: {case.experiment}, {case.name}", file=sys.stderr)


def measured(title: str, library: Built, share_s: float, budget: str, machine: Machine) -> list[ExperimentResult]:
    """Measure all cases of the labs of a library. Raises DriverFailed where its programs cannot be started.

    share_s  what timing a case may take; drivers are started before
    budget   of all, as the user wrote it
    """
    told = Told(title)
    found = []
    for ranks in RANKS:
        states = []
        for lab in library.labs:
            cases = [state_of(lab, case, ranks) for case in cases_of(lab)]
            terms = Terms(
                team=Team(threads=ranks),
                seed=_SEED,
                share_s=share_s,
                budget=budget,
                hang_limit_s=lab.declaration.hang_limit_s,
                rules=RULES,
            )
            crew = Crew(ProcessExecutor(library.launcher))
            try:
                crew.gather(needed(cases[0]), cases[0].parameters, terms.seed, terms.hang_limit_s)
                for case in cases:
                    CaseRun(case, terms, crew, told, told).run()
            finally:
                crew.dismiss()
            states += cases
        found += results(library.labs, states, machine, ranks)
    return found


def results(labs: Sequence[Found], states: Sequence[CaseState], machine: Machine, ranks: int) -> list[ExperimentResult]:
    """Return what was measured on so many ranks. What labs predict is not judged.

    Each case has the noise floor of its own twin alone: ranks that take turns differ more than others.
    """
    return [
        experiment_result(
            lab.name,
            SIZES[0],
            replace(lab.declaration, predictions=()),
            [case for case in states if case.experiment == lab.name],
            machine,
            ranks,
            floor=0.0,
            rules=RULES,
        )
        for lab in labs
    ]
