"""What an experiment's predictions come to on a machine, and whether the measurement agrees.

A formula is evaluated by simpleeval: arithmetic on figures, parameters and a few functions, and nothing else of Python.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import simpleeval  # type: ignore[import-untyped]

from rooftop.documents import Machine, PredictionResult, Roof
from rooftop.ladder.experiment import Prediction
from rooftop.measure.arms import Arm, paired_costs
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import comparison, spread
from rooftop.measure.figures import pairs_of
from rooftop.measure.pairings import Asked
from rooftop.measure.rules import Rules
from rooftop.parameters.values import REFUSED

_WHICH = ("level", "isa", "precision", "threads")
_FUNCTIONS = {"sqrt": math.sqrt, "log2": math.log2, "min": min, "max": max}


class NotKnown(Exception):
    """A figure that the formula needs is not known here; the message says which and why."""


def _why(machine: Machine, metric: str) -> str:
    """Return what the probes said of a figure that they did not find."""
    told = [line for line in machine.missing if metric in line]
    return told[0] if told else "no probe has measured it: run 'rooftop probe'"


def _same_but_place(roofs: Sequence[Roof]) -> bool:
    """Whether figures are of one kind, and differ in the processors that they are about."""
    return len({(roof.level, roof.isa, roof.precision, roof.threads, roof.unit) for roof in roofs}) == 1


@dataclass(eq=False)  # simpleeval hashes its functions
class Figures:
    """The function figure() of formulas, and what it was asked for."""

    machine: Machine
    threads: int
    used: dict[str, float] = field(default_factory=dict)

    def __call__(self, metric: str, **which: Any) -> float:
        """Return a figure of the probes, in their unit: at the case's number of threads where it depends on that, the
        median where it is known for several pairs of processors. Raises NotKnown.
        """
        name = " ".join([metric, *(str(value) for value in which.values())])
        if unknown := set(which) - set(_WHICH):
            raise NotKnown(
                f"figure('{metric}') is asked for by {', '.join(sorted(unknown))}, expected {', '.join(_WHICH)}"
            )
        found = [
            roof
            for roof in self.machine.roofs
            if roof.metric == metric and all(getattr(roof, key) == value for key, value in which.items())
        ]
        if "threads" not in which and len({roof.threads for roof in found}) > 1:
            found = [roof for roof in found if roof.threads == self.threads]
        if not found:
            raise NotKnown(f"{name} is not known here: {_why(self.machine, metric)}")
        if not _same_but_place(found):
            raise NotKnown(f"{name} is {len(found)} figures here: the formula must say which, by {', '.join(_WHICH)}")
        self.used[name] = median(roof.value for roof in found)
        return self.used[name]

    def message(self, size: float) -> float:
        """Return the seconds that a message of so many bytes takes from one rank to another. Raises NotKnown."""
        return self._by_size("message", size)

    def exchange(self, size: float) -> float:
        """Return the seconds in which two ranks send each other so many bytes at once. Raises NotKnown."""
        return self._by_size("message_exchange", size)

    def _by_size(self, metric: str, size: float) -> float:
        """Return a time between those of the sizes that the probe has measured, beyond them at the last one's rate."""
        found = sorted(
            (float(roof.detail["message_bytes"]), roof.value) for roof in self.machine.roofs if roof.metric == metric
        )
        if not found:
            raise NotKnown(f"{metric} is not known here: {_why(self.machine, metric)}")
        import numpy as np  # it takes long to import

        sizes, times = [one for one, _ in found], [one for _, one in found]
        value = float(np.interp(size, sizes, times)) * max(1.0, size / sizes[-1])
        self.used[f"{metric} of {size:g} bytes"] = value
        return value

    def cache(self, level: str) -> float:
        """Return the bytes of a data cache, such as "L2". Raises NotKnown."""
        for one in self.machine.caches:
            if one.get("level") in (level, f"{level}d"):
                self.used[f"cache {level}"] = float(one["bytes"])
                return float(one["bytes"])
        raise NotKnown(f"the size of cache {level} is not known here")


def _within(prediction: Prediction, workers: int, cores: int) -> float:
    """Return the factor that holds for so many workers."""
    return prediction.crowded if prediction.crowded is not None and workers > cores else prediction.within


def predict(prediction: Prediction, machine: Machine, threads: int, parameters: Mapping[str, Any]) -> PredictionResult:
    """Return what a prediction comes to on this machine; without a value, the reason."""
    figures = Figures(machine, threads)
    names = {**parameters, "threads": threads, "cores": machine.cores, "numa_nodes": machine.numa_nodes}
    functions = {
        **_FUNCTIONS,
        "figure": figures,
        "cache": figures.cache,
        "message": figures.message,
        "exchange": figures.exchange,
    }
    evaluator = simpleeval.SimpleEval(names=names, functions=functions)
    result = PredictionResult(
        of=prediction.of,
        over=prediction.over,
        less=prediction.less,
        figure=prediction.figure,
        threads=threads,
        formula=prediction.formula,
        up_to=prediction.up_to,
        within=_within(prediction, threads, machine.cores),
    )
    ends: list[float] = []
    for formula in (prediction.formula, prediction.up_to):
        if formula is None:
            continue
        try:
            value = evaluator.eval(formula)
        except NotKnown as error:
            result.reason = str(error)
            return result
        except REFUSED as error:
            result.reason = f"the formula has no value: {error}"
            return result
        result.figures = dict(figures.used)
        if isinstance(value, bool) or not isinstance(value, int | float) or not (math.isfinite(value) and value > 0):
            result.reason = f"the formula gives {value!r}, expected a number above 0"
            return result
        ends.append(float(value))
    result.predicted = min(ends)
    if max(ends) > min(ends):
        result.predicted_to = max(ends)
    return result


def _plain(arm: Arm) -> str:
    """Return a rung's name without its number of workers."""
    return arm.module.name.partition(", ")[0]


def _pairs(prediction: Prediction, arms: Sequence[Arm]) -> list[tuple[Arm, Arm | None]]:
    """Return the arms that a prediction is about, once for each number of workers of the case."""
    rungs = [arm for arm in arms if arm.role == "rung"]
    found: list[tuple[Arm, Arm | None]] = []
    for one in rungs:
        if _plain(one) != prediction.of:
            continue
        other = prediction.over or prediction.less
        beside = [arm for arm in rungs if _plain(arm) == other and arm.module.workers == one.module.workers]
        if other is None or beside:
            found.append((one, beside[0] if beside else None))
    return found


def asked_by(predictions: Sequence[Prediction], arms: Sequence[Arm]) -> tuple[Asked, ...]:
    """Return the comparisons that must be measured to judge predictions."""
    return tuple(
        Asked(subject=over.name, against=one.name)
        for prediction in predictions
        for one, over in _pairs(prediction, arms)
        if over is not None and prediction.figure is None
    )


def _tell_figure(result: PredictionResult, name: str, one: Arm, over: Arm | None) -> None:
    """Add the figure that an arm told beside its time, or how many times as much it is as the other's."""
    own = (one.figures or {}).get(name)
    base = 1.0 if over is None else (over.figures or {}).get(name)
    lacking = one if own is None else over if base is None else None
    if own is None or base is None:
        result.reason = result.reason or f"{lacking.name if lacking else one.name} tells no figure {name!r}"
    elif base == 0:
        result.reason = result.reason or f"{name} of {result.over} is 0"
    else:
        result.measured = own / base


def _measure(result: PredictionResult, one: Arm, over: Arm | None, floor: float, rules: Rules) -> None:
    """Add what was measured."""
    if result.figure is not None:
        _tell_figure(result, result.figure, one, over)
        return
    if over is None:
        times = spread([sample.run_s for sample in one.samples])
        if times is not None:
            result.measured, result.lo, result.hi = times.median, times.lo, times.hi
        return
    if result.less is not None:
        longer = spread([ours - theirs for ours, theirs in zip(*paired_costs(one, over), strict=True)])
        if longer is not None:
            result.measured, result.lo, result.hi = longer.median, longer.lo, longer.hi
        return
    compared = comparison(one.name, pairs_of(over, one), floor, rules)
    if compared is not None:
        result.measured, result.lo, result.hi = compared.ratio, compared.lo, compared.hi


def judged(
    predictions: Sequence[Prediction], case: CaseState, machine: Machine, threads: int, floor: float, rules: Rules
) -> list[PredictionResult]:
    """Return each prediction of a case beside what was measured."""
    results = []
    for prediction in predictions:
        for one, over in _pairs(prediction, case.arms):
            result = predict(prediction, machine, one.module.workers or threads, case.parameters)
            unmeasured = next((arm for arm in (one, over) if arm is not None and arm.outcome != "ok"), None)
            if unmeasured is None:
                _measure(result, one, over, floor, rules)
            else:
                why = unmeasured.reason or "the campaign ended before its turn"
                result.reason = result.reason or f"{unmeasured.name} has no time: {why}"
            if result.predicted is not None and result.measured is not None:
                highest = result.predicted_to if result.predicted_to is not None else result.predicted
                result.agrees = result.predicted / result.within <= result.measured <= highest * result.within
            elif result.reason is None:
                result.reason = "there are too few pairs of samples"
            results.append(result)
    return results
