"""What solvers that are measured through a campaign share: their requests, the terms of a case, and its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from pydantic import TypeAdapter

from rooftop.campaign.session import CampaignSession
from rooftop.driver.executor import Executor
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm
from rooftop.measure.case_state import CaseState, Terms
from rooftop.text.durations import budget_text

NO_LIMIT_S = 7 * 24 * 3600.0


@dataclass(frozen=True, kw_only=True)
class SolverRequest:
    """Base of requests. `budget_s`: seconds for timing; None: no limit. `seed`: of the order; None: a new one."""

    budget_s: float | None = None
    seed: int | None = None

    @property
    def how(self) -> Self:
        """Itself: see Asked."""
        return self

    def measured(self, **changes: Any) -> Self:
        """Return it with another budget or seed."""
        return replace(self, **changes)

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it: as JSON has it."""
        found: dict[str, Any] = TypeAdapter(type(self)).dump_python(self, mode="json")
        return found

    @classmethod
    def from_stored(cls, content: Mapping[str, Any]) -> Self:
        """Return what `stored` gave, whatever else is kept with it. Raises ValueError for what cannot be."""
        own = {one.name for one in fields(cls)}
        return TypeAdapter(cls).validate_python({key: value for key, value in content.items() if key in own})


def measure_pairs(
    session: CampaignSession,
    case: CaseState,
    executor: Executor,
    request: SolverRequest,
    pairs: int,
    team: Team | None = None,
) -> bool:
    """Measure a case until each comparison has so many pairs; return whether that was to its end.

    team  that runs it; None: this process alone
    """
    assert request.seed is not None
    budget_s = NO_LIMIT_S if request.budget_s is None else request.budget_s
    terms = Terms(
        team=team or Team(),
        seed=request.seed,
        share_s=budget_s,
        budget=budget_text(budget_s),
        hang_limit_s=NO_LIMIT_S,
        rules=replace(session.bench.rules, pairs=pairs, max_blocks=pairs + _broken_blocks(case)),
    )
    return session.run(case, executor, terms)


def _broken_blocks(case: CaseState) -> int:
    """Return how many blocks lack a side of their pairs, because a session was interrupted in them."""
    sides = [{sample.block for sample in arm.samples} for arm in case.arms if arm.samples]
    return case.blocks - len(set.intersection(*sides)) if sides else 0


def samples_s(arm: Arm, pairs: int | None = None) -> tuple[int, list[float]]:
    """Return the iterations that most samples of an arm have, and these samples' seconds for one run.

    pairs  only so many, the newest
    """
    counts: dict[int, list[float]] = {}
    for sample in arm.samples:
        counts.setdefault(sample.iterations, []).append(sample.run_s)
    if not counts:
        return arm.iterations, []
    iterations = max(counts, key=lambda one: (len(counts[one]), one))
    return iterations, counts[iterations][-pairs if pairs is not None else 0 :]


def sampled_arms(cases: Sequence[CaseState]) -> list[Arm]:
    """Return the arms of all cases."""
    return [arm for case in cases for arm in case.arms]
