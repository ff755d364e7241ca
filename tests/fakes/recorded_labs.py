"""Labs and what climbing them gave, made up: one that agrees and misses, one that cannot run, and one of networks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from synthetic_machine import machine

from rooftop.documents import CaseResult, ClimbDocument, ExperimentResult, PredictionResult, RungResult
from rooftop.ladder.discovery import Found, Module
from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

README = """# `labs/strides`: made up

**Question.** Why?

**Not predicted.** The prefetcher hides half of the latency; no probe measures
how much.

**Source.** Nobody.
"""
GRAPH = '''"""A lab that shows a network."""


class Network:
    """As much of a graph as a picture needs."""

    def nodes(self, data):
        return [(0, {"pos": (0, 0)}), (1, {"pos": (1, 0)}), (2, {"pos": (1, 1)})]

    def edges(self, data):
        return [(0, 1, {}), (1, 2, {"links": 4})]


def graph(name):
    return Network()
'''
READS = Prediction(of="10-far", over="20-near", formula="figure('latency', level='memory') / 1e-9", within=1.5)


def lab(
    folder: Path, name: str, lesson: Lesson | None, rungs: Sequence[str] = ("10-far", "20-near"), source: str = ""
) -> Found:
    """Write a lab's files, and return it as it is found."""
    own = folder / name
    own.mkdir(parents=True)
    (own / "README.md").write_text(README, encoding="utf-8")
    file = own / ("lab.py" if source else "lab.cpp")
    file.write_text(source, encoding="utf-8")
    declaration = Experiment(
        title=f"The title of {name}",
        question=f"What does {name} cost?",
        rate_unit="reads/s",
        rate_scale=1.0,
        sizes={"quick": [Case("one", {}, 1.0)]},
        predictions=[READS],
        lesson=lesson,
    )
    modules = tuple(
        Module(one, "rung", file, file, f"The idea of {one}.", None, "built", ("none",), variant=one) for one in rungs
    )
    return Found(f"labs/{name}", own, declaration, modules, ())


def lesson(chapter: str, place: float, *symptoms: str) -> Lesson:
    """Return a lesson of the course."""
    return Lesson(chapter, place, symptoms, {"near and far": "1 and 99 s"}, corrects="It is 2 s since 1999.")


def labs(folder: Path) -> list[Found]:
    """Return four labs, in the order of their names: the last has no lesson."""
    return [
        lab(folder, "links", lesson("Networks", 1, "Far nodes are slow."), source=GRAPH),
        lab(folder, "sockets", lesson("Memory", 3, "The second socket is slow.")),
        lab(folder, "strides", lesson("Memory", 2, "Columns are slow.", "A loop is slow.")),
        lab(folder, "unsorted", None),
    ]


def _rung(name: str, median_s: float | None, figures: dict[str, float] | None = None) -> RungResult:
    if median_s is None:
        return RungResult(name=name, kind="rung", outcome="skipped", reason="not visible here: one socket")
    lo_s, hi_s = 0.9 * median_s, 1.2 * median_s
    return RungResult(name=name, kind="rung", outcome="ok", figures=figures, median_s=median_s, lo_s=lo_s, hi_s=hi_s)


def predicted(value: float | None, measured: float | None, **more: object) -> PredictionResult:
    """Return a prediction of the first rung beside what was measured."""
    told = {"of": "10-far", "over": "20-near", "threads": 1, "formula": READS.formula, "within": 1.5} | more
    if value is None or measured is None:
        return PredictionResult.model_validate({**told, "predicted": value, "reason": "10-far has no time: one socket"})
    judged = {"measured": measured, "lo": 0.9 * measured, "hi": 1.1 * measured}
    judged["agrees"] = value / 1.5 <= measured <= value * 1.5
    return PredictionResult.model_validate({**told, "predicted": value, "figures": {"latency": 1e-7}, **judged})


def result(one: Found, rungs: list[RungResult], predictions: list[PredictionResult]) -> ExperimentResult:
    """Return what climbing a lab gave, in one case."""
    case = CaseResult(case="one", parameters={}, nominal=1.0, rungs=rungs, predictions=predictions)
    declaration = one.declaration
    return ExperimentResult(
        name=one.name,
        title=declaration.title,
        question=declaration.question,
        size="quick",
        threads=2,
        rate_unit="reads/s",
        cases=[case],
    )


def climbed(found: Sequence[Found]) -> ClimbDocument:
    """Return what climbing the labs gave: the socket's cannot run here, and that of strides misses once."""
    links, sockets, strides, unsorted = found
    ran = [_rung("10-far", 3e-3), _rung("20-near", 1e-4)]
    told = [_rung("10-far", 3e-3, {"mean_distance": 5.5}), _rung("20-near", 1e-3, {"mean_distance": 5.0})]
    figure = predicted(5.0, 5.5, figure="mean_distance", over=None, formula="n / 3", lo=None, hi=None)
    return ClimbDocument(
        rooftop="0",
        campaign="20260101-000000-0000",
        started="2026-01-01T00:00:00+00:00",
        machine=machine(),
        experiments=[
            result(links, told, [figure]),
            result(sockets, [_rung("10-far", None), _rung("20-near", None)], [predicted(2.0, None)]),
            result(strides, ran, [predicted(25.0, 30.0), predicted(10.0, 30.0)]),
            result(unsorted, ran, []),
        ],
    )
