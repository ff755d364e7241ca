"""Write a gate as Markdown, for a comment on a pull request or a CI summary page."""

from __future__ import annotations

import re

from rooftop.command.number import figure
from rooftop.gate.document import BenchmarkResult, GateDocument
from rooftop.gate.text import headline, interval, revisions
from rooftop.text.plural import plural
from rooftop.text.visible import visible

# What Markdown, or GitHub's kind of it, would take for markup. @NAME would call somebody, even spelled as an entity.
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|~$>-])")
_SPELLED = {"&": "&amp;", "<": "&lt;", "@": "@<!-- -->"}
_SIGNS = {"regression": "❌", "wrong": "❌", "failed": "❌", "not resolved": "❔", "faster": "🚀", "fine": "✅"}
_HEAD = ("outcome", "benchmark", "speed of head ÷ base", "base", "head", "pairs", "A/A floor", "p", "")


def escaped(text: str) -> str:
    """Escape a text for Markdown, also within a table."""
    line = " ".join(text.split())
    return "".join(_SPELLED.get(letter, letter) for letter in re.sub(_MARKUP, r"\\\1", visible(line)))


def _row(one: BenchmarkResult) -> list[str]:
    look = one.shown
    cells = [f"{_SIGNS[one.outcome]} {one.outcome}", escaped(one.name)]
    if look is None:
        cells += [""] * 6
    else:
        medians = (one.base.median, one.head.median)
        cells += [
            escaped(interval(look)),
            *("" if median is None else figure(median, one.unit) for median in medians),
            str(look.pairs),
            "" if look.floor is None else f"{look.floor:.2%}",
            "" if one.p is None else f"{one.p:.2g}",
        ]
    return [*cells, escaped(one.told)]


def _code(text: str) -> str:
    """Return a code block with a fence longer than any run of backticks in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{visible(text)}\n{fence}"


def error_summary(message: str) -> str:
    """Return the summary of a gate without a document."""
    return f"## {_SIGNS['failed']} failed: the gate did not finish\n\n{escaped(message)}\n"


def summary(document: GateDocument) -> str:
    """Return the summary: verdict, figures, method, and the command that reproduces them."""
    machine = document.machine
    correction = {"holm": "Holm", "bh": "Benjamini–Hochberg"}[document.correction]
    confirmed = sum(one.confirmation is not None for one in document.benchmarks)
    lines = [f"## {_SIGNS[document.outcome]} {escaped(headline(document))}", ""]
    if told := revisions(document):
        lines += [escaped(told), ""]
    lines += ["| " + " | ".join(row) + " |" for row in (_HEAD, ["---"] * len(_HEAD), *map(_row, document.benchmarks))]
    lines += [
        "",
        "A ratio above 1 means that the head is better. Ratios are medians with 95 % sign-test intervals; the mean is "
        "added where it differs. A slowdown can show in the median, the mean or the distribution of the runs. Outputs "
        "were checked before and after timing. Both sides ran alternately in random order, and only neighbouring runs "
        f"were compared. A slowdown counts if it exceeds the threshold ({document.threshold:.2%} unless a benchmark "
        "sets its own) and the A/A floor, the difference that one side shows against itself. What looked slower "
        f"({confirmed} of {len(document.benchmarks)}) was measured again, and only these new pairs decide, at 5 % over "
        f"all benchmarks ({correction}).",
        "",
        f"Machine: {escaped(machine.processor)}, {plural(machine.cores, 'core')}. "
        f"Campaign {escaped(document.campaign)}. To reproduce:",
        "",
        _code(document.reproduce),
    ]
    lines += [f"- doubt: {escaped(doubt.sentence)}" for doubt in document.doubts]
    return "\n".join(lines) + "\n"
