"""Observe a command while it runs, find placement problems, and measure what they cost."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import rooftop
from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Kind
from rooftop.campaign.run import Ended
from rooftop.campaign.session import CampaignSession
from rooftop.command import check as checks
from rooftop.command.doubts.of_another_library import other_library
from rooftop.command.environment import own_environment
from rooftop.command.line import CommandLine
from rooftop.command.measurement import Measurement
from rooftop.command.mpi_library import of_another_library
from rooftop.command.not_started import not_started
from rooftop.command.process import Finished, Limits, Output, left_behind, run
from rooftop.compare.document import CompareDocument
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing, Comparison, prepared
from rooftop.documents import Doubt
from rooftop.errors import Misuse
from rooftop.machine import SystemFiles
from rooftop.machine.cgroup import cgroup_limits
from rooftop.machine.topology import Places, places
from rooftop.observe.recording import Recording
from rooftop.observe.sampler import Sampler
from rooftop.observe.threads import Ground, scene
from rooftop.pin.document import FixLine, PinDocument, cpu_figures, sampling, thread_figures
from rooftop.pin.findings import found
from rooftop.pin.fix import Fix, NoFix, fix
from rooftop.store.interrupted import Resume, of_kind

AS_GIVEN, WITH_FIX = "the command as given", "the command with the fix"
_ENOUGH_LOOKS = 10
_MENDABLE = ("unbound",)  # hints that binding fixes


@dataclass(frozen=True)
class Observed:
    """An observed command. `finished` is None if the user interrupted it."""

    recording: Recording
    finished: Finished | None


class Site(Protocol):
    """Where a command is observed: a machine, or recorded samples in tests."""

    def observe(self, command: CommandLine, environment: Mapping[str, str], limits: Limits) -> Observed:
        """Run a command to its end and sample it. Raises Misuse if it cannot be started."""
        ...

    def places(self, recording: Recording) -> Places:
        """Return the CPUs that the command was allowed to use."""
        ...

    def quota(self) -> float | None:
        """Return the CPU quota of the control group, in CPUs."""
        ...


class Here:
    """The real machine. `given`: the file that is the command's standard input; `output`: where its output goes."""

    def __init__(self, given: Path | None = None, output: Output = "null") -> None:
        self._given, self._output = given, output

    def observe(self, command: CommandLine, environment: Mapping[str, str], limits: Limits) -> Observed:
        sampler = Sampler()
        try:
            finished = run(
                command.words,
                limits,
                environment=own_environment(environment),
                observer=sampler,
                given=self._given,
                output=self._output,
            )
        except OSError as error:
            for option, file in (("--input", self._given), ("--output", self._output)):
                if isinstance(file, Path) and error.filename == str(file):
                    raise Misuse(f"{option} {file}: {error.strerror or error}") from error
            raise Misuse(not_started(command.words, error)) from error
        except KeyboardInterrupt:
            finished = None
        return Observed(sampler.ended(), finished)

    def places(self, recording: Recording) -> Places:
        # A program may widen the binding that it was started with.
        allowed = (facts.allowed for facts in recording.facts.values())
        return places(SystemFiles(), os.sched_getaffinity(0).union(*allowed))

    def quota(self) -> float | None:
        return cgroup_limits(SystemFiles()).cpu_quota


Pinned = Ended[PinDocument]  # complete as far as known even after an interrupt


class Pinning:
    """Observes a command, and compares it with the fixed one."""

    def __init__(self, bench: Bench, site: Site | None = None) -> None:
        self._bench = bench
        self._site = site

    def resume(self, how: Measurement, resume: Resume | None = None) -> Pinned | None:
        """Resume an interrupted comparison; return None if there is none.

        how     has the budget for the rest; everything else is as before
        resume  names the comparison; None: the newest that can be resumed
        """
        resume = resume or Resume()
        with self._bench.held() as (connection, _):
            if resume.campaign is None and not any(row.finished is None for row in of_kind(connection, "pin")):
                return None
        ended = Comparing(self._bench, "pin").compare(Options.of(how), resume=resume)
        return Pinned(with_cost(ended.beside, ended.document), ended.interrupted)

    def look(self, command: CommandLine, how: Measurement, for_s: float | None = None, *, cost: bool = True) -> Pinned:
        """Observe a command, and compare it with the fixed one. Raises Misuse, Busy.

        how    checks and limits of runs, and the budget of the comparison
        for_s  longest time to observe in seconds, after which the command is stopped; None: until it ends
        cost   whether to compare
        """
        terms = how.terms()  # raises Misuse before anything is run
        spec = how.spec(command)
        site = self._site or Here(spec.input, terms.output)
        limits = terms.limits if for_s is None else replace(terms.limits, timeout_s=min(for_s, how.timeout_s))
        began = datetime.now(UTC).isoformat(timespec="seconds")
        with self._bench.alone():
            observed = site.observe(command, {}, limits)
            ground = _ground(site, observed.recording)
            document = self._document(command, observed, ground, began)
            made = self._fix(document, ground, command)
            finished = observed.finished
            if finished is None:
                document.no_cost = "it was interrupted"
                return Pinned(document, interrupted=True)
            document.cut = finished.timed_out and for_s is not None and for_s <= how.timeout_s
            if not document.cut:
                document.failure = checks.failure(finished, terms.check, limits)
            if document.failure is not None:
                document.no_cost = "the command failed"
            elif made is None:
                document.no_cost = "there is no fix to compare it with"
            elif document.cut:
                document.no_cost = "the command did not finish in the time given by --for"
            elif not cost:
                document.no_cost = "--no-cost was given"
            if document.no_cost is not None or made is None:
                return Pinned(document, interrupted=False)
            again = site.observe(_line(made), made.launch.environment, limits)
            if again.finished is None:
                document.no_cost = "it was interrupted"
                return Pinned(document, interrupted=True)
            if reason := checks.failure(again.finished, terms.check, limits):
                document.no_cost = f"with the fix, the command {reason}"
                return Pinned(document, interrupted=False)
            document.left = [one.name for one in found(_ground(site, again.recording))]
        ended = Comparing(self._bench, "pin").compare(
            Options.of(
                how,
                commands=((command.words, AS_GIVEN), (made.launch.words, WITH_FIX)),
                environments=({}, made.launch.environment),
            ),
            beside=document.model_dump(mode="json", by_alias=True),
        )
        document.cost = ended.document
        return Pinned(document, ended.interrupted)

    def _document(self, command: CommandLine, observed: Observed, ground: Ground, began: str) -> PinDocument:
        finished = observed.finished
        left = finished.left if finished is not None else ()
        doubt = Doubt(
            doubt="Work may have been cut off",
            evidence=left_behind("the command", left),
            remedy="Check for & and &> in the command: in sh both run work in the background",
        )
        other = of_another_library(command.words)
        return PinDocument(
            doubts=[*([other_library(other)] if other is not None else []), *([doubt] if left else [])],
            rooftop=rooftop.__version__,
            started=began,
            command=list(command.words),
            status=finished.status if finished is not None else None,
            elapsed_s=(finished.elapsed_ns if finished is not None else observed.recording.elapsed_ns) * 1e-9,
            at_once=ground.level,
            quota=ground.quota,
            sampling=sampling(observed.recording),
            threads=[thread_figures(story) for story in ground.scene.stories],
            cores=cpu_figures(ground),
            findings=found(ground),
            hints=found(ground, hints=True),
        )

    def _fix(self, document: PinDocument, ground: Ground, command: CommandLine) -> Fix | None:
        """Return the fix after adding it to the document; None, after adding the reason, if there is none."""
        if len(ground.scene.weights) < _ENOUGH_LOOKS:
            document.no_fix = (
                f"only {len(ground.scene.weights)} samples were taken, too few to judge: let it run for at least 0.5 s"
            )
            return None
        wrong = [*document.findings, *(hint for hint in document.hints if hint.name in _MENDABLE)]
        try:
            made = fix(ground, command.words, wrong)
        except NoFix as reason:
            document.no_fix = str(reason)
            return None
        document.fix = made.launch.line
        document.fixes = [FixLine(launcher=launcher, line=line) for launcher, line in made.lines.items()]
        return made


def _ground(site: Site, recording: Recording) -> Ground:
    return Ground(scene(recording), site.places(recording), site.quota(), recording.busy)


def with_cost(seen: Mapping[str, Any] | None, cost: CompareDocument) -> PinDocument:
    """Return the document of an observation with its cost added."""
    document = PinDocument.model_validate(seen)
    document.cost = cost
    return document


class _Cost(Comparison):
    """The cost of a placement: a comparison whose document includes the observation."""

    def document(self, session: CampaignSession, *, interrupted: bool) -> PinDocument:
        return with_cost(session.beside, super().document(session, interrupted=interrupted))


def _write_page(document: PinDocument, path: Path) -> None:
    from rooftop.pin.page import write  # slow to import

    write(document, path)


KIND = Kind("pin", Options.from_stored, prepared, _Cost, _write_page)


def _line(made: Fix) -> CommandLine:
    return CommandLine(made.launch.words, made.launch.line)
