"""Observe a command, suspect what holds it back, and try cures in pairs with the command as given."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rooftop
from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Kind
from rooftop.campaign.run import Ended
from rooftop.campaign.session import CampaignSession
from rooftop.command import check as checks
from rooftop.command.environment import own_environment
from rooftop.command.line import CommandLine, from_text
from rooftop.command.measurement import Measurement
from rooftop.command.not_started import not_started
from rooftop.command.process import Finished, Limits, Output, run
from rooftop.compare.document import CompareDocument
from rooftop.compare.options import Options as CompareOptions
from rooftop.compare.run import Comparing, Comparison, prepared
from rooftop.diagnose import cures
from rooftop.diagnose.cures import Cure, Start
from rooftop.diagnose.document import Cause, DiagnoseDocument, Pass
from rooftop.diagnose.facts import Facts, HotFunction, RankFacts, facts
from rooftop.diagnose.findings import AS_GIVEN, complete
from rooftop.diagnose.options import Options
from rooftop.diagnose.suspicions import suspicions
from rooftop.errors import Misuse
from rooftop.launchers import launcher_of
from rooftop.machine import SystemFiles
from rooftop.machine.cgroup import cgroup_limits
from rooftop.machine.topology import places
from rooftop.observe import mpi_times
from rooftop.observe.profile import NoProfile, profile
from rooftop.observe.recording import Recording
from rooftop.observe.sampler import Sampler
from rooftop.observe.threads import Ground, scene
from rooftop.pin.findings import found as placement_problems
from rooftop.pin.fix import NoFix, fix
from rooftop.store.interrupted import Resume
from rooftop.text.nearest import nearest

_INTERVAL_S = 0.002
_MOST_CURES = 6
_BRIEF_S = 0.05  # a run with what is around it

Diagnosed = Ended[DiagnoseDocument]


@dataclass
class Observed:
    """What the passes saw of a command. `finished`: of the first pass; None: it was interrupted."""

    recording: Recording
    ground: Ground
    finished: Finished | None
    passes: list[Pass] = field(default_factory=list)
    hot: list[HotFunction] | None = None
    mpi: list[RankFacts] | None = None
    missing: list[str] = field(default_factory=list)


class Here:
    """The real machine. `given`: the file that is the command's standard input; `output`: where its output goes."""

    def __init__(self, bench: Bench, given: Path | None, output: Output) -> None:
        self._build_folder = bench.settings.build_folder
        self._given, self._output = given, output

    def observe(self, command: CommandLine, limits: Limits) -> Observed:
        """Run a command once for each pass. Raises Misuse if it cannot be started, and KeyboardInterrupt."""
        sampler = Sampler(interval_s=_INTERVAL_S, sleeps=True)
        try:
            finished = self._run(command.words, limits, {}, sampler)
        except OSError as error:
            raise Misuse(not_started(command.words, error)) from error
        recording = sampler.ended()
        allowed = (one.allowed for one in recording.facts.values())
        here = places(SystemFiles(), os.sched_getaffinity(0).union(*allowed))
        ground = Ground(scene(recording), here, cgroup_limits(SystemFiles()).cpu_quota, recording.busy)
        observed = Observed(recording, ground, finished)
        observed.passes.append(
            Pass(name="threads", elapsed_s=finished.elapsed_ns * 1e-9, spent_s=recording.spent_ns * 1e-9)
        )
        if finished.status == 0 and not finished.timed_out:
            self._profile(command, limits, observed)
            self._time_messages(command, limits, observed)
        return observed

    def _run(
        self, words: Sequence[str], limits: Limits, more: Mapping[str, str], sampler: Sampler | None = None
    ) -> Finished:
        return run(
            words,
            limits,
            environment=own_environment(more),
            observer=sampler,
            given=self._given,
            output=self._output,
        )

    def _profile(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        try:
            finished, functions = profile(command.words, lambda words: self._run(words, limits, {}))
        except (NoProfile, OSError) as reason:
            observed.missing.append(f"functions by their time: {reason}")
            return
        observed.passes.append(Pass(name="functions", elapsed_s=finished.elapsed_ns * 1e-9))
        observed.hot = [HotFunction(share=one.share, file=one.file, function=one.name) for one in functions]

    def _time_messages(self, command: CommandLine, limits: Limits, observed: Observed) -> None:
        launcher = launcher_of(command.words[0])
        if launcher is None:
            return
        if reason := mpi_times.missing(self._build_folder, launcher.name):
            observed.missing.append(f"MPI calls: {reason}")
            return
        library = mpi_times.library(self._build_folder, launcher.name)
        with tempfile.TemporaryDirectory(prefix="rooftop-mpi-") as folder:
            times = Path(folder) / "times"
            finished = self._run(command.words, limits, mpi_times.variables(library, times, own_environment()))
            try:
                ranks = mpi_times.read_times(times.read_text(encoding="ascii"))
            except FileNotFoundError:
                observed.missing.append("MPI calls: no rank told its times: the program exits without MPI_Finalize?")
                return
            except ValueError as reason:
                observed.missing.append(f"MPI calls: {reason}")
                return
        observed.passes.append(Pass(name="MPI calls", elapsed_s=finished.elapsed_ns * 1e-9))
        observed.mpi = [
            RankFacts(seconds=one.whole_ns * 1e-9, inside_s=one.inside_ns * 1e-9, calls=one.calls) for one in ranks
        ]


def seen(observed: Observed) -> Facts:
    """Return what was seen, as plain figures."""
    finished, ground = observed.finished, observed.ground
    times = {
        "elapsed": finished.elapsed_ns * 1e-9 if finished is not None else ground.scene.elapsed_s,
        "user": finished.user_s if finished is not None else 0.0,
        "system": finished.system_s if finished is not None else 0.0,
    }
    found = facts(observed.recording, ground.scene, len(ground.cpus), times)
    found.hot, found.mpi, found.missing = observed.hot, observed.mpi, observed.missing
    return found


def start_of(command: CommandLine, ground: Ground, environment: Mapping[str, str]) -> Start:
    """Return how the command is started, and how it is with its threads bound where that can be."""
    wrong = [
        *placement_problems(ground),
        *(one for one in placement_problems(ground, hints=True) if one.name == "unbound"),
    ]
    try:
        made = fix(ground, command.words, wrong)
    except NoFix:
        return Start(command.words, environment)
    return Start(command.words, environment, (made.launch.words, made.launch.environment, made.launch.line))


def own_cures(options: Options, command: CommandLine) -> list[Cure]:
    """Return the user's own cures. Raises Misuse."""
    found = []
    for text in options.tries:
        words = text.split()
        if not words or any("=" not in word or word.startswith("=") for word in words):
            raise Misuse(f"--try is {text!r}, expected variables such as OMP_SCHEDULE=dynamic,64")
        found.append(Cure(text, text, command.words, dict(word.split("=", 1) for word in words)))
    return [*found, *(Cure(text, text, from_text(text, options.how.shell).words) for text in options.commands)]


def check_names(options: Options) -> None:
    """Raise Misuse for a cure of --without that there is not."""
    known = [*cures.names(), cures.ALL]
    for name in options.without:
        if name not in known:
            raise Misuse(f"--without is {name!r}, which is no cure; {nearest(name, known)}")


def affordable(budget_s: float, run_s: float, pairs: int) -> int:
    """Return how many cures can be compared with the command as given in the time for trying them, six at most."""
    return min(_MOST_CURES, int(budget_s / max(run_s, _BRIEF_S) / pairs) - 1)


class Diagnosing:
    """Observes a command, and compares it with its cures."""

    def __init__(self, bench: Bench, site: Any = None) -> None:
        self._bench, self._site = bench, site

    def resume(self, how: Measurement, resume: Resume | None) -> Diagnosed:
        """Go on with trying cures where that was interrupted. Raises Misuse and Busy.

        how     has the budget for the rest; everything else is as before
        resume  names the diagnosis
        """
        ended = Comparing(self._bench, "diagnose").compare(CompareOptions.of(how), resume=resume or Resume())
        return Diagnosed(with_cures(ended.beside, ended.document), ended.interrupted)

    def look(self, command: CommandLine, options: Options) -> Diagnosed:
        """Observe a command, and try cures. Raises Misuse and Busy."""
        how = options.how
        terms, spec = how.terms(), how.spec(command)  # raises Misuse before anything is run
        check_names(options)
        own = own_cures(options, command)
        site = self._site or Here(self._bench, spec.input, terms.output)
        began = datetime.now(UTC).isoformat(timespec="seconds")
        with self._bench.alone():
            observed = site.observe(command, terms.limits)
        found = seen(observed)
        suspected = suspicions(found)
        document = DiagnoseDocument(
            rooftop=rooftop.__version__,
            started=began,
            command=list(command.words),
            status=observed.finished.status if observed.finished is not None else None,
            passes=observed.passes,
            facts=found,
        )
        if observed.finished is not None:
            document.failure = checks.failure(observed.finished, terms.check, terms.limits)
        stands = [one.stands for one in suspected]
        start = start_of(command, observed.ground, own_environment())
        wanted = cures.in_turn(one.cures for one in suspected)
        fitting = cures.cures(wanted, start, found, options.without)
        most = affordable(how.budget_s, found.elapsed_s, how.pairs or self._bench.rules.min_pairs) - len(own)
        chosen = [*own, *fitting[: max(0 if own else 1, most)]]
        by_name = {cure.name: cure for cure in chosen}
        document.lines = {cure.name: cure.line for cure in chosen}
        document.not_tried = [cure.name for cure in fitting if cure not in chosen]
        document.suspected = [
            Cause(
                finding=one.name,
                evidence=one.evidence,
                remedy=one.remedy,
                stake_s=one.stake_s,
                tried=[name for name in one.cures if name in by_name],
            )
            for one in suspected
        ]
        if document.failure is not None:
            document.no_cures = "the command failed"
        elif not chosen:
            document.no_cures = "nothing was suspected that can be cured from outside"
        if document.no_cures is not None:
            return Diagnosed(complete(document, stands, None), interrupted=False)
        asked = CompareOptions.of(
            how,
            commands=((command.words, AS_GIVEN), *((cure.words, cure.name) for cure in chosen)),
            environments=({}, *(cure.environment for cure in chosen)),
        )
        beside = {"document": document.model_dump(mode="json", by_alias=True), "stands": stands}
        ended = Comparing(self._bench, "diagnose").compare(asked, beside=beside)
        return Diagnosed(complete(document, stands, ended.document), ended.interrupted)


def with_cures(beside: Mapping[str, Any] | None, cost: CompareDocument) -> DiagnoseDocument:
    """Return the document of an observation with the cures that were tried."""
    kept = beside or {}
    return complete(DiagnoseDocument.model_validate(kept.get("document")), kept.get("stands", []), cost)


class _Cures(Comparison):
    """Cures beside the command as given: a comparison whose document includes the observation."""

    def document(self, session: CampaignSession, *, interrupted: bool) -> DiagnoseDocument:
        return with_cures(session.beside, super().document(session, interrupted=interrupted))


def _write_page(document: DiagnoseDocument, path: Path) -> None:
    from rooftop.diagnose.page import write  # slow to import

    write(document, path)


KIND = Kind("diagnose", CompareOptions.from_stored, prepared, _Cures, _write_page)
