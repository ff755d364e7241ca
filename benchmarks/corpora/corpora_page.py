"""A part's counts beside what is asked, in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks import form
from benchmarks.corpora.corpus_packages import Fetched
from benchmarks.corpora.corpus_steps import FAULTS, Kind, Outcome, Part

_COUNTED: tuple[Kind, ...] = ("right", "refused", *FAULTS, "left out")
_MOST_NAMED = 40


def share_refused(outcomes: Sequence[Outcome], task: str) -> float:
    """Return the share of a task's steps that were refused, of those that were not left out."""
    own = Counter(one.kind for one in outcomes if one.task == task)
    tried = sum(own.values()) - own["left out"]
    return own["refused"] / tried if tried else 0.0


def unmet(part: Part, outcomes: Sequence[Outcome]) -> list[str]:
    """Return what is asked and not so."""
    faults = Counter(one.kind for one in outcomes if one.is_fault)
    lines = [f"{kind}: {count}, expected none" for kind, count in sorted(faults.items())]
    for task, most in part.MOST_REFUSED.items():
        share = share_refused(outcomes, task)
        if share > most:
            lines.append(f"{task}: {share:.1%} refused, expected at most {most:.1%}")
    return lines


def _by_task(part: Part, outcomes: Sequence[Outcome]) -> str:
    rows = []
    for task in dict.fromkeys(one.task for one in outcomes):
        own = Counter(one.kind for one in outcomes if one.task == task)
        most = part.MOST_REFUSED.get(task)
        asked = "" if most is None else f"{most:.1%}"
        rows.append([task, *(own[kind] for kind in _COUNTED), f"{share_refused(outcomes, task):.1%}", asked])
    return form.table(["", *_COUNTED, "share refused", "asked, at most"], rows)


def _reasons(part: Part, outcomes: Sequence[Outcome], kind: Kind) -> str:
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for one in outcomes:
        if one.kind == kind:
            groups.setdefault((one.task, part.reason_group(one.reason)), []).append(one)
    rows = [
        [len(own), task, reason, f"{own[0].input}, {own[0].what}"]
        for (task, reason), own in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return form.table(["count", "", "reason", "for example"], rows)


def page(name: str, part: Part, packages: Sequence[Fetched], inputs: int, outcomes: Sequence[Outcome]) -> str:
    """Return the page."""
    parts: list[str] = [part.TEXT]
    if packages:
        rows = [
            [one.name, one.kind, one.version if one.folder is not None else f"not had: {one.reason}"]
            for one in packages
        ]
        parts.append(form.table(["package", "", "version"], rows))
    parts += [f"{inputs} inputs, {len(outcomes)} steps.", _by_task(part, outcomes)]
    short = unmet(part, outcomes)
    parts.append("As asked." if not short else f"Not as asked: {'; '.join(short)}.")
    faults = [one for one in outcomes if one.is_fault]
    if faults:
        rows = [[one.kind, one.input, one.what, one.task, one.reason[:300]] for one in faults[:_MOST_NAMED]]
        parts += ["## Faults", form.table(["", "input", "", "", "reason"], rows)]
        if len(faults) > _MOST_NAMED:
            parts.append(f"And {len(faults) - _MOST_NAMED} more.")
    for kind, title in (("refused", "Refused by name"), ("left out", "Left out")):
        if any(one.kind == kind for one in outcomes):
            parts += [f"## {title}", _reasons(part, outcomes, kind)]  # type: ignore[arg-type]
    return form.page(part.TITLE, f"corpora {name}", *parts)
