"""List the labs by chapter or symptom, and write the course page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rooftop.errors import Misuse
from rooftop.ladder.discovery import Found
from rooftop.ladder.experiment import CHAPTERS, Prediction
from rooftop.ladder.location import Place
from rooftop.text.nearest import nearest

GROUP_OF_LABS = "labs"
_NO_CHAPTER = "Others"
_HEAD = """# The course, lab by lab

Written by `rooftop lab --course docs/guide/course.md`.

Each lab shows one effect of parallel programs: it predicts the effect from the figures of this machine, measures it,
and says whether the two agree. The labs stand in the order of a course. Each command takes some ten seconds, prints
prediction and measurement, and writes a picture. A formula gives how many times the time of the second variant the
first one takes, by how many seconds it takes longer, or the figure that is named. What `figure(…)`, `message(…)` and
`exchange(…)` are here, `rooftop probe` tells.
[Labs](labs.md) explains how one is made.
"""


@dataclass(frozen=True)
class Chapter:
    """A chapter of the course and its labs, in their order."""

    title: str
    labs: tuple[Found, ...]


def short_name(lab: Found) -> str:
    """Return a lab's name without that of the group."""
    return lab.name.removeprefix(f"{GROUP_OF_LABS}/")


def _names(place: Place) -> list[str]:
    return [name for name in place.names() if name.startswith(f"{GROUP_OF_LABS}/")]


def find_labs(place: Place, refused: Callable[[str], None] | None = None) -> list[Found]:
    """Read all labs, in the order of their names. Raises Misuse where one cannot be read and nobody is told why."""
    if refused is not None:
        return place.find_all(_names(place), refused)
    return [place.find(name) for name in _names(place)]


def find_lab(place: Place, name: str) -> Found:
    """Read one lab, named with or without its group. Raises Misuse where there is none of that name."""
    known = _names(place)
    full = name if name.startswith(f"{GROUP_OF_LABS}/") else f"{GROUP_OF_LABS}/{name}"
    if full not in known:
        names = [one.removeprefix(f"{GROUP_OF_LABS}/") for one in known]
        raise Misuse(f"there is no lab {name!r}; {nearest(name, names, 'rooftop lab')}")
    return place.find(full)


def chapters(labs: Sequence[Found]) -> list[Chapter]:
    """Return the chapters that have labs, in the order of the course; those without a lesson come last."""

    def position(lab: Found) -> tuple[float, str]:
        lesson = lab.declaration.lesson
        return (lesson.place if lesson is not None else 0.0, lab.name)

    def title(lab: Found) -> str:
        lesson = lab.declaration.lesson
        return lesson.chapter if lesson is not None else _NO_CHAPTER

    every = [
        Chapter(one, tuple(sorted((lab for lab in labs if title(lab) == one), key=position)))
        for one in (*CHAPTERS, _NO_CHAPTER)
    ]
    return [chapter for chapter in every if chapter.labs]


def by_symptom(labs: Sequence[Found]) -> list[tuple[str, Found]]:
    """Return all symptoms in alphabetical order, each with the lab that explains it."""
    seen = [
        (symptom, lab)
        for lab in labs
        if lab.declaration.lesson is not None
        for symptom in lab.declaration.lesson.symptoms
    ]
    return sorted(seen, key=lambda one: (one[0].casefold(), one[1].name))


def entry(chapter: str, lab: Found) -> dict[str, Any]:
    """Return a lab as the command's document has it."""
    declaration, lesson = lab.declaration, lab.declaration.lesson
    return {
        "name": lab.name,
        "chapter": chapter,
        "title": declaration.title,
        "question": declaration.question,
        "symptoms": list(lesson.symptoms) if lesson else [],
        "course": dict(lesson.course) if lesson else {},
        "corrects": lesson.corrects if lesson else "",
        "status": lab.rungs[0].status,
        "reason": lab.rungs[0].reason,
    }


def _predicted(prediction: Prediction) -> str:
    agree = f"agrees within a factor of {prediction.within:g}"
    if prediction.crowded is not None:
        agree += f", of {prediction.crowded:g} with more workers than cores"
    formulas = " to ".join(f"`{one}`" for one in (prediction.formula, prediction.up_to) if one is not None)
    return f"- {prediction.quantity} = {formulas} ({agree})"


def section(lab: Found) -> str:
    """Return the section of one lab."""
    declaration, lesson = lab.declaration, lab.declaration.lesson
    lines = [f"### {declaration.title}", "", declaration.question, ""]
    if lesson is not None:
        lines += ["What is seen:", "", *(f"- {symptom}" for symptom in lesson.symptoms), ""]
    lines += ["```sh", f"./rooftop lab {short_name(lab)}", "```", ""]
    if declaration.predictions:
        lines += ["Predicted:", "", *(_predicted(one) for one in declaration.predictions), ""]
    if lesson is not None and lesson.course:
        lines += ["The course has:", "", *(f"- {what}: {figure}" for what, figure in lesson.course.items()), ""]
    if lesson is not None and lesson.corrects:
        lines += [f"**Corrected.** {lesson.corrects}", ""]
    return "\n".join(lines)


def course_page(labs: Sequence[Found]) -> str:
    """Return the page in Markdown."""
    parts = [_HEAD]
    for chapter in chapters(labs):
        parts += [f"## {chapter.title}\n", *(section(lab) for lab in chapter.labs)]
    return "\n".join(parts)
