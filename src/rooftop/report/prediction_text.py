"""Predictions in words, for the terminal and the page."""

from __future__ import annotations

from rooftop.documents import PredictionResult
from rooftop.text.quantities import number, quantity


def quantity_of(result: PredictionResult) -> str:
    """Return what is predicted, such as "10-naive / 20-blocked" or "misses of 10-naive"."""
    what = result.of if result.less is None else f"{result.of} - {result.less}"
    if result.over is not None:
        what = f"{result.of} / {result.over}"
    return what if result.figure is None else f"{result.figure} of {what}"


def value_of(result: PredictionResult, value: float) -> str:
    """Return a value of the predicted quantity as text: a ratio, a time or another figure."""
    if result.over is not None:
        return f"{number(value)}×"
    return quantity(value, "s") if result.figure is None else number(value)


def predicted_of(result: PredictionResult) -> str:
    """Return what was predicted as text: a value, or the two ends of a range; "" where nothing was."""
    ends = [value for value in (result.predicted, result.predicted_to) if value is not None]
    return " to ".join(value_of(result, value) for value in ends)


def formula_of(result: PredictionResult) -> str:
    """Return the formula, or both of a range."""
    return result.formula if result.up_to is None else f"{result.formula} … {result.up_to}"


def verdict(result: PredictionResult) -> str:
    """Return whether prediction and measurement agree, or why that is unknown."""
    if result.agrees is None:
        return result.reason or "unknown"
    return f"{'agrees' if result.agrees else 'disagrees'} within a factor of {result.within:g}"


def sentence(result: PredictionResult) -> str:
    """Return prediction, measurement and verdict in one line."""
    predicted = "no prediction" if result.predicted is None else f"predicted {predicted_of(result)}"
    measured = "not measured"
    if result.measured is not None:
        measured = f"measured {value_of(result, result.measured)}"
        if result.lo is not None and result.hi is not None:
            measured += f" [{value_of(result, result.lo)}, {value_of(result, result.hi)}]"
    return f"{quantity_of(result)}: {predicted}, {measured}: {verdict(result)}"


def expectation(result: PredictionResult) -> str:
    """Return the predicted value with the figures used in the formula, or why there is none."""
    if result.predicted is None:
        return f"not predicted: {result.reason}"
    figures = ", ".join(f"{name} = {known:.3g}" for name, known in result.figures.items())
    return predicted_of(result) + (f" with {figures}" if figures else "")
