"""The page in Markdown: deterministic, and without the paths of the machine that it was measured on."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rooftop.files.atomic import write_whole
from rooftop.measure.comparison_text import where
from rooftop.measure.rules import Rules
from rooftop.report.merit import written
from rooftop.results.document import ResultsPage
from rooftop.results.judgement import Judged, Summary, TargetJudgement
from rooftop.results.reached import MEDIANS
from rooftop.text import quantities
from rooftop.text.plural import plural
from rooftop.text.visible import visible

_ABSOLUTE_PATH = re.compile(r"(?<![\w.:/])/(?:[^\s/:,;'\"()|]+/)+([^\s/:,;'\"()|]*)")
# An underscore within a word is text in every dialect of Markdown.
_MARKUP = re.compile(r"([\\`*\[\]<|~]|(?<!\w)_|_(?!\w))")


def text(value: Any) -> str:
    """Return words as they may stand in a paragraph or a cell: one line, no markup, no path of the machine."""
    words = " ".join(str(value).split())
    short = _ABSOLUTE_PATH.sub(r"…/\1", words)
    return _MARKUP.sub(r"\\\1", short)


def figure(value: float | None, target: TargetJudgement) -> str:
    """Return a target's figure in its own form: 2.81×, 74 %, 1.9e-6, 28 ns."""
    if value is None:
        return quantities.ABSENT
    if target.named is not None:
        return written(target.named, value)
    if target.measure == "error":
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    return quantities.percent(value) if target.measure == "roof_fraction" else quantities.ratio(value)


def asked(target: TargetJudgement) -> str:
    """Return the figure that was asked for: ≥ 2.8×."""
    bound = target.at_least if target.at_least is not None else target.at_most
    sign = "≥" if target.at_least is not None else "≤"
    if target.measure in ("ratio", "total") and bound is not None:
        return f"{sign} {bound:g}×"
    return f"{sign} {figure(bound, target)}"


def reached(judged: Judged, target: TargetJudgement) -> str:
    """Return what was reached, with its interval, or how it was found where it has none."""
    found = judged.reached
    if judged.answer == "not measured":
        return quantities.ABSENT
    value = figure(found.value, target)
    bound = target.at_least if target.at_least is not None else target.at_most
    if judged.answer == "not met" and target.measure == "ratio" and value == figure(bound, target):
        value = f"{quantities.number(found.value, 5)}×"  # three digits would show what was asked
    if found.pairs is None:
        return f"{value} (medians)" if found.by == MEDIANS else value
    if found.lo is None or found.hi is None or found.pairs < Rules().min_pairs:
        return f"{value}, {found.pairs}"
    return f"{value} [{quantities.number(found.lo)}, {quantities.number(found.hi)}], {found.pairs}"


def answer(judged: Judged) -> str:
    """Return the answer, with the reason where there is no figure, and whether it is beyond doubt."""
    if judged.answer == "not measured":
        return f"not measured: {text(judged.reached.reason or 'no reason was recorded')}"
    if judged.answer == "not asked":
        return "not asked of this algorithm"
    words = "met" if judged.answer == "met" else "**not met**"
    return f"{words}, not resolved" if judged.resolved is False else words


def verdict(summary: Summary, target: TargetJudgement) -> str:
    """Return the verdict line of one target against one opponent."""
    if summary.same_as is not None:
        return f"the same as the {text(summary.same_as)} on every case."
    if summary.answer == "not measured":
        return f"**Not measured**: {text(target.reason or 'no case gave a figure')}."
    if target.measure == "total":
        word = "Met" if summary.answer == "met" else "Not met"
        scope = f", {text(target.reason)}" if target.reason else ""
        return f"**{word}**: {figure(summary.largest, target)} in the total, {asked(target)} asked{scope}."
    parts = [f"**Met on {summary.met} of {plural(summary.cases, 'case')}**"]
    if summary.not_measured:
        parts.append(f"{summary.not_measured} not measured")
    if summary.not_asked:
        parts.append(f"{summary.not_asked} more not asked, for their algorithm")
    if summary.not_resolved:
        parts.append(f"{summary.not_resolved} of the answers not resolved")
    spread = (
        f"geometric mean {figure(summary.geometric_mean, target)}, "
        f"smallest {figure(summary.smallest, target)} ({text(summary.smallest_case)}), "
        f"largest {figure(summary.largest, target)} ({text(summary.largest_case)})"
    )
    return f"{', '.join(parts)}; {spread}; {asked(target)} asked."


def _environment() -> Environment:
    pages = Environment(
        finalize=lambda value: visible(value) if type(value) is str else value,  # Markup is one, too
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=False,  # Markdown, escaped by `text`
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name in ("number", "percent", "quantity", "seconds", "size", "ratio"):
        pages.filters[name] = getattr(quantities, name)
    pages.filters["plural"] = plural
    pages.filters["where"] = where
    pages.filters["text"] = text
    pages.filters["quoted"] = shlex.quote
    pages.globals.update(figure=figure, asked=asked, reached=reached, answer=answer, verdict=verdict)
    return pages


def render(page: ResultsPage) -> str:
    """Return an experiment's page as Markdown, ending with one line break."""
    drawn = _environment().get_template("page.md.j2").render(page=page)
    drawn = re.sub(r"[ \t]+$", "", drawn, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", drawn).strip() + "\n"


def write(page: ResultsPage, path: Path) -> None:
    """Write a page, replacing what was there only once the new one is complete. Raises OSError."""
    write_whole(path, render(page))
