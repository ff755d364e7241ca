"""A lab that is a Python program, ``lab.py``: what rooftop/lab.hpp is to a lab in C++.

The file ends with its table of variants, from the bottom of the ladder up, and with the call that runs one of them::

    VARIANTS = (
        variant("10-bus", "One wire that all share.", Bus),
        variant("20-ring", "A wire from each node to the next.", Ring),
    )

    if __name__ == "__main__":
        raise SystemExit(drive_lab(Graphs, VARIANTS, __file__, sys.argv[1:]))
"""

from __future__ import annotations

import argparse
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rooftop.driver.peer import PeerDriver, SkipCaseError, Verdict, answer_requests, protocol_streams

__all__ = ["Lab", "LabRung", "SkipCaseError", "Verdict", "drive_lab", "exact", "variant"]


def exact(wrong: str) -> Verdict:
    """Return the verdict on a result that must be exact, from what is wrong with it: nothing where it is empty."""
    return Verdict(error=1.0 if wrong else 0.0, tolerance=0.0, wrong=wrong)


class Lab(ABC):
    """The data of one case, and the check of what a variant made of it.

    parameters  the names of what experiment.py may set
    checks      the parameters on which the tests verify every variant: the smallest, and what is odd
    """

    parameters: ClassVar[Sequence[str]] = ()
    checks: ClassVar[Sequence[Mapping[str, Any]]] = ()

    def __init__(self, given: Mapping[str, Any], seed: int, threads: int) -> None:
        """Take the parameters of a case. Raises ValueError naming the parameter and its value."""
        self.given = given
        self.seed = seed
        self.threads = threads

    @abstractmethod
    def poison(self) -> None:
        """Overwrite the result, so that a variant that leaves some of it untouched is caught."""

    @abstractmethod
    def verify(self) -> Verdict:
        """Compare the result with what must come out."""

    @abstractmethod
    def spoil(self) -> None:
        """Change a right result in the smallest way that verify() must catch. Called by the tests alone."""

    def figures(self) -> dict[str, float]:
        """Return what is known of the last run besides its time: what a prediction with `figure` is held against."""
        return {}


class LabRung(ABC):
    """One way to do a lab's work; made of the lab, which is not timed."""

    @abstractmethod
    def run(self) -> None:
        """Do what is timed, with the same result however often it is called."""

    def finish(self) -> None:  # noqa: B027 - most have nothing to bring
        """Bring the result into the lab, untimed."""

    def work(self) -> dict[str, Any]:
        """Return the work of one run, as rooftop/work.hpp has it; nothing by default."""
        return {}


@dataclass(frozen=True)
class Variant:
    """A rung of the lab's ladder: NN-idea, the idea in one sentence, and what makes it."""

    name: str
    idea: str
    create: Callable[[Any], LabRung]


variant = Variant


class LabCase:
    """A lab and one of its variants, as the driver of peers knows a case."""

    def __init__(self, lab: Lab, rung: LabRung) -> None:
        """Take both, set up."""
        self.lab = lab
        self._rung = rung

    def run(self) -> None:
        """Run the variant."""
        self._rung.run()

    def poison(self) -> None:
        """Overwrite the lab's result."""
        self.lab.poison()

    def work(self) -> dict[str, Any]:
        """Return the work of one run."""
        return self._rung.work()

    def verdict(self) -> Verdict:
        """Verify the result, and add the lab's figures."""
        self._rung.finish()
        verdict = self.lab.verify()
        figures = self.lab.figures()
        facts = [{"figures": figures}] if figures else []
        return Verdict(verdict.error, verdict.tolerance, verdict.wrong, facts)


def _made(make: Callable[[Mapping[str, Any], int, int], Lab], names: Sequence[str], variant: Variant) -> Any:
    """Return what sets up a case of a variant."""

    def set_up(given: dict[str, Any], seed: int, threads: int) -> LabCase:
        for name in names:
            if name not in given:
                raise ValueError(f"'{name}' is missing")
        for name in given:
            if name not in names:
                raise ValueError(f"'{name}' is not a parameter: expected {', '.join(names)}")
        lab = make(given, seed, threads)
        return LabCase(lab, variant.create(lab))

    return set_up


def _checked(case: LabCase) -> str:
    """Return what is wrong with a variant, or with the verifier; "" where nothing is."""
    for _ in range(2):
        case.poison()
        case.run()
        if wrong := case.verdict().wrong:
            return wrong
    case.lab.spoil()
    if not case.lab.verify().wrong:
        return "the verifier does not catch a result that was spoiled"
    case.poison()
    if not case.lab.verify().wrong:
        return "the verifier does not catch a result that was left untouched"
    return ""


def _check(lab: type[Lab], variants: Sequence[Variant], missing: str | None) -> int:
    """Verify all variants on the lab's own cases, and the verifier.

    Return 0 where all are right, 1 where one is wrong, 77 where all are skipped.
    """
    outcomes: list[str] = []
    for one in variants:
        for given in lab.checks:
            for threads in (1, 2):
                try:
                    if missing is not None:
                        raise SkipCaseError(missing)
                    wrong = _checked(_made(lab, lab.parameters, one)(dict(given), len(outcomes) + 1, threads))
                    outcome = "failed" if wrong else "ok"
                except SkipCaseError as reason:
                    outcome, wrong = "skipped", str(reason)
                outcomes.append(outcome)
                print(f"{outcome} {one.name} {dict(given)}, threads {threads}: {wrong}".rstrip(": "), file=sys.stderr)
    if not outcomes:
        raise ValueError("the lab has no variant or no checks: expected both")
    if "failed" in outcomes:
        return 1
    return 77 if set(outcomes) == {"skipped"} else 0


def drive_lab(
    lab: type[Lab], variants: Sequence[Variant], file: str, words: Sequence[str], missing: str | None = None
) -> int:
    """Do what the bench asks of a lab: `describe` or `run` one variant, or `check` all. Return the exit code.

    missing  why the lab cannot run here; None: it can
    """
    parser = argparse.ArgumentParser(prog=Path(file).parent.name)
    parser.add_argument("command", choices=("describe", "run", "check"))
    parser.add_argument("--module", help="taken, and not needed: the file itself")
    parser.add_argument("--variant", choices=[one.name for one in variants])
    asked = parser.parse_args(list(words))
    if asked.command == "check":
        return _check(lab, variants, missing)
    if asked.variant is None:
        parser.error("--variant is missing: expected one of the lab's")
    chosen = next(one for one in variants if one.name == asked.variant)
    with protocol_streams() as send:
        if asked.command == "describe":
            names = {"experiment": f"labs/{Path(file).parent.name}", "module": chosen.name, "isa": None}
            table = [[one.name, one.idea] for one in variants]
            here = {"supported": missing is None, "reason": missing}
            send({**names, **here, "variants": table, "parameters": list(lab.parameters)})
            return 0
        answer_requests(PeerDriver(_made(lab, lab.parameters, chosen)), missing, send)
    return 0
