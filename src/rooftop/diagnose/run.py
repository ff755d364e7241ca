"""Observe a command, suspect what holds it back, and try cures in pairs with the command as given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rooftop
from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Kind
from rooftop.campaign.run import Ended, run_campaign
from rooftop.command import check as checks
from rooftop.command.environment import own_environment
from rooftop.command.line import CommandLine, from_text
from rooftop.command.measurement import Measurement
from rooftop.compare.options import Options as CompareOptions
from rooftop.diagnose import cures
from rooftop.diagnose.again import read_again
from rooftop.diagnose.course import course, from_stored, kept, prepared
from rooftop.diagnose.cures import Cure, Start
from rooftop.diagnose.document import INTERRUPTED, Cause, DiagnoseDocument
from rooftop.diagnose.efficiencies import efficiencies
from rooftop.diagnose.findings import AS_GIVEN, UNPROVEN, complete
from rooftop.diagnose.observed import doubts, seen
from rooftop.diagnose.options import Options
from rooftop.diagnose.other_ranks import suggestion
from rooftop.diagnose.passes import Here
from rooftop.diagnose.reduced import applied_to
from rooftop.diagnose.shown_by import shown_by
from rooftop.diagnose.suspicions import suspicions
from rooftop.diagnose.timeline import timeline
from rooftop.errors import Misuse
from rooftop.measure.correction import least_pairs
from rooftop.observe.recording import Recording
from rooftop.observe.threads import Ground
from rooftop.pin.findings import found as placement_problems
from rooftop.pin.fix import NoFix, fix
from rooftop.schedulers.run import in_no_job
from rooftop.store.interrupted import Resume
from rooftop.text.nearest import nearest

_INTERVAL_S = 0.002
_MOST_CURES = 6
_BRIEF_S = 0.05  # a run with what is around it

Diagnosed = Ended[DiagnoseDocument]


def start_of(
    command: CommandLine, ground: Ground, environment: Mapping[str, str], build_folder: Path | None = None
) -> Start:
    """Return how the command is started, and how it is with its threads bound where that can be."""
    wrong = [
        *placement_problems(ground),
        *(one for one in placement_problems(ground, hints=True) if one.name == "unbound"),
    ]
    try:
        made = fix(ground, command.words, wrong)
    except NoFix:
        return Start(command.words, environment, build_folder=build_folder)
    bound = (made.launch.words, made.launch.environment, made.launch.line)
    return Start(command.words, environment, bound, build_folder)


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


def asked_of(command: CommandLine, options: Options) -> CompareOptions:
    """Return what is asked before anything is known of cures. Raises Misuse."""
    if options.reduced is not None:
        command = from_text(options.reduced, options.how.shell)
    options.how.terms()
    options.how.spec(command)
    check_names(options)
    own_cures(options, command)
    return CompareOptions.of(options.how, commands=((command.words, AS_GIVEN),), environments=({},), base_only=True)


def affordable(budget_s: float, run_s: float, pairs: int) -> int:
    """Return how many cures can be compared with the command as given in the time for trying them, six at most.

    The command as given runs twice in each round, for the noise floor. Each is checked and warmed up before. The more
    there are, the more pairs each needs.
    """
    runs = budget_s / max(run_s, _BRIEF_S)
    fitting = (
        count for count in range(1, _MOST_CURES + 1) if (count + 2) * (max(pairs, least_pairs(count)) + 2) <= runs
    )
    return max(fitting, default=0)


class Diagnosing:
    """Observes a command, and compares it with its cures."""

    def __init__(self, bench: Bench, site: Any = None) -> None:
        self._bench, self._site = bench, site

    def resume(self, how: Measurement, resume: Resume | None) -> Diagnosed:
        """Go on with trying cures where that was interrupted; a finished diagnosis is read again without running.

        how     has the budget for the rest; everything else is as before
        resume  names the diagnosis

        Raises Misuse and Busy.
        """
        resume = resume or Resume()
        if (document := read_again(self._bench, KIND, resume)) is not None:
            return Diagnosed(document, interrupted=False)
        permitted = in_no_job(self._bench.settings.home_folder)
        return run_campaign(self._bench, KIND, CompareOptions.of(how), resume=resume, permitted=permitted)

    def look(
        self, command: CommandLine, options: Options, looked: Callable[[Recording], None] | None = None
    ) -> Diagnosed:
        """Observe a command, or a smaller run in its place, and try cures. Raises Misuse and Busy.

        looked  is given what the sampler saw, before cures are tried
        """
        how, whole = options.how, command
        if options.reduced is not None:
            command = from_text(options.reduced, how.shell)
        terms, spec = how.terms(), how.spec(command)  # raises Misuse before anything is run
        check_names(options)
        own = own_cures(options, command)
        site = self._site or Here(self._bench, spec.input, terms.output, terms.check)
        began = datetime.now(UTC).isoformat(timespec="seconds")
        with self._bench.alone():
            observed = site.observe(command, terms.limits)
        if looked is not None:
            looked(observed.recording)
        found = seen(observed)
        suspected = suspicions(found)
        document = DiagnoseDocument(
            rooftop=rooftop.__version__,
            started=began,
            command=list(whole.words),
            reduced=list(command.words) if options.reduced is not None else None,
            status=observed.finished.status if observed.finished is not None else None,
            passes=observed.passes,
            facts=found,
            efficiencies=efficiencies(found),
            timeline=timeline(observed.recording, observed.ground.scene),
            doubts=doubts(observed),
        )
        if observed.finished is not None:
            document.failure = checks.failure(observed.finished, terms.check, terms.limits)
        stands = [one.stands and one.stake_s >= UNPROVEN * found.elapsed_s for one in suspected]
        environment, built = own_environment(), self._bench.settings.build_folder
        start = start_of(command, observed.ground, environment, built)
        wanted = cures.in_turn(one.cures for one in suspected)
        able = cures.cures(wanted, start, found, ())
        if options.reduced is not None:
            able = applied_to(able, start_of(whole, observed.ground, environment, built), found)
        fitting = [cure for cure in able if cure.name not in options.without and cures.ALL not in options.without]
        most = affordable(how.budget_s, found.elapsed_s, how.pairs or self._bench.rules.min_pairs) - len(own)
        chosen = [*own, *fitting[: max(0 if own else 1, most)]]
        if observed.interrupted:
            document.no_cures = INTERRUPTED
        elif document.failure is not None:
            document.no_cures = f"{'the command' if options.reduced is None else 'the smaller run'} failed"
        elif not chosen and able:
            document.no_cures = f"left out by --without {' '.join(options.without)}"
        elif not chosen:
            document.no_cures = "nothing was suspected that can be cured from outside"
        if document.no_cures is not None:
            chosen, fitting = [], []
        by_name = {cure.name: cure for cure in chosen}
        spared = {cure.name for cure in able} - by_name.keys()
        document.lines = {cure.name: cure.line for cure in chosen}
        document.not_tried = [cure.name for cure in fitting if cure not in chosen]
        shown = shown_by(self._bench.settings.root_folder)
        document.suspected = [
            Cause(
                finding=one.name,
                evidence=one.evidence,
                remedy=one.remedy,
                stake_s=one.stake_s,
                tried=[name for name in one.cures if name in by_name],
                left_out=[name for name in one.cures if name in spared],
                lab=shown[one.name].lab if one.name in shown else None,
                rung=shown[one.name].rung if one.name in shown else None,
                suggested=suggestion(command.words, found, one.name) if not options.commands else None,
            )
            for one in suspected
        ]
        if observed.interrupted:
            return Diagnosed(complete(document, stands, None), interrupted=True)
        asked = CompareOptions.of(
            how,
            commands=((command.words, AS_GIVEN), *((cure.words, cure.name) for cure in chosen)),
            environments=({}, *(cure.environment for cure in chosen)),
            base_only=True,
        )
        return run_campaign(self._bench, KIND, asked, beside=kept(document, stands))


def _write_page(document: DiagnoseDocument, path: Path) -> None:
    from rooftop.diagnose.page import write  # slow to import

    write(document, path)


KIND = Kind("diagnose", from_stored, prepared, course, _write_page)
