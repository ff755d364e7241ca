"""Count by simulation how often compare and gate call a difference that is not there, and find one that is.

The whole decision is simulated: pairs are taken in turns, looked at after each, ended when they are settled, and held
against an A/A floor of their own. Only the times are drawn instead of measured.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.stats import binom, binomtest

from benchmarks.form import Asked, asked_table, write_page
from rooftop.command.driver import as_module
from rooftop.command.line import CommandLine
from rooftop.command.spec import Spec
from rooftop.compare.document import comparisons, floor_of
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.gate.document import look_of
from rooftop.gate.judge import (
    first_rules,
    improvement_p_values,
    judge,
    regression_p_values,
    second_rules,
    suspected,
)
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.rules import Rules

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]

RUN_NS = 25e6
PAIRS = 60
ALIKE = 20
SHARES = ((0.5, 0.25), (0.25, 0.05), (1.0, 0.8), (1.0, 0.9))  # of fast runs, at the base and at the head
THRESHOLD = 0.05
MOST_FALSE, LEAST_FOUND, MOST_FINE = 0.05, 0.9, 1 / 400
RULES = Rules()


def two_speeds(fast_share: float) -> Draw:
    """Return runs that take 1 or 2, within 0.3 %."""

    def draw(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        return np.where(rng.random(count) < fast_share, 1.0, 2.0) * np.exp(0.003 * rng.standard_normal(count))

    return draw


def _normal(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    return np.exp(0.03 * rng.standard_normal(count))


def _cauchy(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    return np.maximum(1 + 0.02 * rng.standard_cauchy(count), 0.5)


def _pareto(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    return 1 + rng.pareto(0.9, count)  # without a mean


def _steps(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    return np.maximum(np.round(10 + rng.standard_normal(count)), 5.0) / 10


NOISE: dict[str, Draw] = {
    "normal, 3 %": _normal,
    "two speeds, 1 and 2": two_speeds(0.5),
    "Cauchy": _cauchy,
    "Pareto without a mean": _pareto,
    "steps of a tenth": _steps,
}


class Nobody:
    """Keeps and shows nothing."""

    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        """See Journal."""

    def sample_taken(self, case: CaseState, arm: Arm, sample: Sample) -> None:
        """See Journal."""

    def case_changed(self, case: CaseState) -> None:
        """See Journal."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See Watcher."""


def measured(draws: dict[str, Draw], rng: np.random.Generator, rules: Rules) -> CaseState:
    """Return a case of commands, measured by the bench's own rules on drawn times."""
    count = rules.max_blocks + 10  # and the runs that check and calibrate

    def recorded() -> dict[str, Recording]:
        return {name: Recording((RUN_NS * draw(rng, count)).tolist()) for name, draw in draws.items()}

    arms = [Arm(as_module(name, Spec(CommandLine((name,), name))), "command") for name in draws]
    case = CaseState("simulated", "commands", "commands", {}, 1.0, arms)
    terms = Terms(Team(), int(rng.integers(1 << 31)), share_s=1e9, budget="1e9 s", hang_limit_s=1e9, rules=rules)
    nobody = Nobody()
    CaseRun(case, terms, ReplayExecutor(recorded(), recorded()), nobody, nobody).run()
    return case


def called(draw: Draw, commands: int, seed: int) -> bool:
    """Whether a comparison of commands that are alike has any verdict."""
    rng = np.random.default_rng(seed)
    rules = replace(RULES, max_blocks=PAIRS)
    case = measured({f"command {place}": draw for place in range(commands)}, rng, rules)
    found = comparisons(case.arms, floor_of(case, RULES), RULES)
    return any(one.verdict != "not resolved" for one in found)


def gated(base: Draw, head: Draw, seed: int) -> str:
    """Return the outcome of a gate of one benchmark."""
    rng = np.random.default_rng(seed)
    first = measured({"base": base, "head": head}, rng, first_rules(THRESHOLD, 1, PAIRS, RULES))
    look, again = look_of(first, RULES), None
    assert look is not None
    if suspected(look, THRESHOLD):
        fresh = measured({"base": base, "head": head}, rng, second_rules(len(look.pairs), 1, PAIRS, RULES))
        again = look_of(fresh, RULES)
    looks, seconds, allowed = {"a": look}, {"a": again} if again is not None else {}, {"a": THRESHOLD}
    worse = regression_p_values(looks, seconds, allowed, "holm")["a"]
    better = improvement_p_values(looks, allowed, "holm")["a"]
    return judge(look, again, THRESHOLD, worse, better, RULES).outcome


def most_that_can_be_found(fast: float, fewer: float) -> float:
    """Return the power of the best test of two shares at 5 %, with so many pairs and both shares known to it.

    By the lemma of Neyman and Pearson, against both sides having the share between.
    """
    counts = np.arange(PAIRS + 1)
    true = np.outer(binom.pmf(counts, PAIRS, 1 - fewer), binom.pmf(counts, PAIRS, 1 - fast)).ravel()
    middle = binom.pmf(counts, PAIRS, 1 - (fast + fewer) / 2)
    null = np.outer(middle, middle).ravel()
    best = np.argsort(-true / null)
    spent = np.cumsum(null[best])
    whole = int(np.searchsorted(spent, MOST_FALSE, "right"))
    part = (MOST_FALSE - (spent[whole - 1] if whole else 0.0)) / null[best[whole]]
    return float(true[best[:whole]].sum() + part * true[best[whole]])


def reached(count: int, trials: int) -> str:
    """Return a count with its 95 % interval (Clopper and Pearson, 1934)."""
    bounds = binomtest(count, trials).proportion_ci(0.95)
    return f"{count} of {trials} ({bounds.low:.1%} to {bounds.high:.1%})"


def _false(what: str, outcomes: list[bool], others: str = "") -> Asked:
    count, trials = sum(outcomes), len(outcomes)
    return Asked(what, f"at most {MOST_FALSE:.0%}", reached(count, trials) + others, count <= MOST_FALSE * trials)


def _shares(title: str, outcomes: list[str]) -> Asked:
    trials = len(outcomes)
    regressions, fine = outcomes.count("regression"), sum(one in ("fine", "faster") for one in outcomes)
    others = f"{fine} fine, the others not resolved" if fine else "the others not resolved"
    return Asked(
        f"gate, {title}",
        f"found in {LEAST_FOUND:.0%}, or not resolved; fine in at most 1 of 400",
        f"{reached(regressions, trials)} a regression, {others}",
        fine <= MOST_FINE * trials,
    )


def main(
    trials: Annotated[int, typer.Option("--trials", help="Comparisons and gates of each kind.")] = 400,
    campaigns: Annotated[int, typer.Option("--campaigns", help="Comparisons of many commands.")] = 400,
    page: Annotated[Path | None, typer.Option("--page", help="Write what came out beside what was asked.")] = None,
) -> None:
    """Count false alarms over five kinds of noise, and how often a change of shares is found."""
    lines: list[Asked] = []

    def told(line: Asked) -> None:
        lines.append(line)
        print(line.row, flush=True)
        if page is not None:
            write_figures(page, lines)

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each process has one processor
    with ProcessPoolExecutor() as pool:

        def every(one: Callable[[int], object], count: int) -> list[object]:
            return list(pool.map(one, range(count), chunksize=5))

        kinds = list(NOISE)
        for fast, fewer in SHARES:
            mean = (2 - fewer) / (2 - fast) - 1
            title = f"the fast speed in {fast:.0%} and {fewer:.0%} of the runs (mean {mean:+.0%})"
            outcomes = [str(one) for one in every(partial(_gated_shares, fast, fewer), trials)]
            told(_shares(title, outcomes))
        for kind in kinds:
            found = every(partial(_called_alike, kind, 2), trials)
            told(_false(f"compare, two alike, {kind}: any verdict", [bool(one) for one in found]))
        for kind in kinds:
            outcomes = [str(one) for one in every(partial(_gated_alike, kind), trials)]
            fine = f"; {outcomes.count('fine')} fine"
            told(_false(f"gate, two alike, {kind}: a regression", [one == "regression" for one in outcomes], fine))
        found = every(partial(_called_alike, kinds[0], ALIKE), campaigns)
        told(_false(f"compare, {ALIKE} alike at once, {kinds[0]}: any verdict", [bool(one) for one in found]))


def _called_alike(kind: str, commands: int, seed: int) -> bool:
    return called(NOISE[kind], commands, seed)


def _gated_alike(kind: str, seed: int) -> str:
    return gated(NOISE[kind], NOISE[kind], seed)


def _gated_shares(fast: float, fewer: float, seed: int) -> str:
    return gated(two_speeds(fast), two_speeds(fewer), seed)


def write_figures(page: Path, lines: list[Asked]) -> None:
    """Write what came out beside what was asked."""
    most = most_that_can_be_found(0.5, 0.25)
    about = "\n".join(
        [
            f"At most {PAIRS} pairs a look. A gate allows {THRESHOLD:.0%}; what its first look suspects is judged by",
            f"as many fresh pairs, and by a score that the first look has learned. With {PAIRS} pairs no test whatever",
            f"finds 50 % against 25 % of fast runs in more than {most:.1%} of trials at a level of {MOST_FALSE:.0%},",
            "not even one that knows both shares and allows no slowdown (lemma of Neyman and Pearson); fresh pairs",
            "alone leave less. So the others must be *not resolved*, with the reason and the number of pairs that",
            "would tell, and not *fine*. Where runs scatter too much for the threshold, so few pairs do not show that",
            "two are alike.",
        ]
    )
    title = "How often verdicts are right, by simulation: asked and reached"
    write_page(page, title, "simulated --page", asked_table(lines), about)
