"""A campaign in the course of a session: its cases are measured on its terms, and kept from the first sample on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import rooftop
from rooftop.campaign.bench import Bench, Place
from rooftop.command.doubts import about_commands
from rooftop.command.driver import Terms
from rooftop.command.measured_files import MeasuredFiles
from rooftop.command.measurement import Measurement
from rooftop.documents import Doubt, Machine
from rooftop.doubts import about_the_machine
from rooftop.doubts.machine import CHANGED_FILES
from rooftop.driver.executor import Executor
from rooftop.files.contents import shown
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState
from rooftop.measure.case_state import Terms as CaseTerms
from rooftop.measure.figures import series_of
from rooftop.measure.metric import Metric
from rooftop.measure.rules import Rules
from rooftop.measure.setup_times import RunTimes
from rooftop.store.campaign_store import CampaignStore
from rooftop.text.durations import budget_text


@dataclass(frozen=True)
class CampaignSession:
    """A session of a campaign.

    place    the machine as it is now
    how      what is measured in it, and how
    reading  nothing is measured: a document is made again
    files    those that its samples belong to
    """

    store: CampaignStore
    machine: Machine
    bench: Bench
    place: Place
    how: object
    reading: bool = False
    files: MeasuredFiles = field(default_factory=MeasuredFiles)

    def measure(
        self,
        case: CaseState,
        executor: Executor,
        share_s: float | None = None,
        rules: Rules | None = None,
        timeout_s: float | None = None,
    ) -> None:
        """Measure a case of commands to its end.

        share_s    of the budget; None: all of it
        rules      of its own; None: the bench's, with the number of pairs that was asked for
        timeout_s  of its own
        """
        how = self.how
        assert isinstance(how, Measurement)
        assert how.seed is not None
        rules = rules or replace(self.bench.rules, max_blocks=how.max_pairs)
        rules = replace(rules, pairs=min(max(rules.pairs, how.pairs or 0), rules.max_blocks))
        terms = CaseTerms(
            team=Team(),
            seed=how.seed,
            share_s=how.budget_s if share_s is None else share_s,
            budget=budget_text(how.budget_s),
            hang_limit_s=how.timeout_s if timeout_s is None else timeout_s,
            rules=rules,
        )
        self.run(case, executor, terms)

    def run(self, case: CaseState, executor: Executor, terms: CaseTerms, known: RunTimes | None = None) -> bool:
        """Measure a case on terms of its own; return whether that was to its end. `known`: see CaseRun."""
        finished = CaseRun(case, terms, executor, self.store, self.bench.watcher, known).run()
        if finished:
            self.store.case_finished(case)
        return finished

    def restore(self, case: CaseState, metric: Metric) -> bool:
        """Restore what earlier sessions found out of a case; return True when it needs no more measuring."""
        finished = self.store.restore(case)
        for arm in case.arms:
            arm.metric = metric
        return finished

    def pass_on(self, terms: Terms) -> None:
        """Print what went wrong beside the commands."""
        for complaint in terms.complaints:
            self.bench.watcher.remark(complaint)
        terms.complaints.clear()

    def notice_changes(self) -> None:
        """Look at the files that its samples belong to, and keep which of them were changed meanwhile."""
        self.files.look()
        if self.files.changed:
            self.store.add_condition(CHANGED_FILES, [shown(file) for file in self.files.changed])

    def end(self) -> None:
        """Keep the conditions at its end."""
        self.store.end_session(self.place.conditions())

    @property
    def beside(self) -> dict[str, Any] | None:
        """What was kept with what was asked, when it was begun or since then."""
        beside: dict[str, Any] | None = self.store.campaign.request.get("beside")
        return beside

    def keep_beside(self, found: Mapping[str, Any]) -> None:
        """Keep something that was found out before the first sample, and that a resumed campaign has to know."""
        self.store.keep_beside(found)

    def head(self) -> dict[str, Any]:
        """Return the fields of its document that do not follow from samples."""
        conditions = self.store.conditions()
        return {
            "rooftop": rooftop.__version__,
            "campaign": self.store.campaign.id,
            "started": self.store.campaign.started,
            "machine": self.machine.model_copy(update={"conditions": conditions[0] if conditions else {}}),
        }

    def known_roofs(self) -> Machine:
        """Return the machine with the roofs that were known in the campaign; nothing is measured.

        They are kept with it, so that its document is the same when it is made again.
        """
        if not self.reading and not self.store.roofs():
            self.store.add_roofs(self.bench.place.known_roofs(self.machine))
        return self.machine.model_copy(update={"roofs": self.store.roofs()})

    def doubts(
        self, floor: float | None, arms: Iterable[Arm] = (), compared: Sequence[Collection[str]] = ()
    ) -> list[Doubt]:
        """Return what is to be doubted of its figures, which these arms have; `compared`: see about_commands."""
        conditions = self.store.conditions()
        if not self.store.ended and not self.reading:  # it was interrupted, and what changed is not kept yet
            conditions = [*conditions, self.place.conditions()]
        sampled = list(arms)
        series = series_of(sampled)
        return [*about_the_machine(self.machine, conditions, floor, series), *about_commands(sampled, compared)]
