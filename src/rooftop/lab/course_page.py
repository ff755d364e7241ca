"""The page of the course: every lab in order, with its question, its command and what the course says of it.

Nothing on it depends on the machine. A lab's section is made of the lab alone, so that taking one out or adding one
changes no other.
"""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.lab.lessons import chapters, short_name
from rooftop.ladder.discovery import Found
from rooftop.ladder.experiment import Prediction

_HEAD = """# The course, lab by lab

Written by `rooftop lab --course docs/guide/course.md`.

Each lab shows one effect of parallel programs: it predicts the effect from the figures of this machine, measures it,
and says whether the two agree. The labs stand in the order of a course. Each command takes some ten seconds, prints
prediction and measurement, and writes a picture. A formula gives how many times the time of the second variant the
first one takes, by how many seconds it takes longer, or the figure that is named. What `figure(…)`, `message(…)` and
`exchange(…)` are here, `rooftop probe` tells.
[Labs](labs.md) explains how one is made.
"""


def _predicted(prediction: Prediction) -> str:
    agree = f"agrees within a factor of {prediction.within:g}"
    if prediction.crowded is not None:
        agree += f", of {prediction.crowded:g} with more workers than cores"
    return f"- {prediction.quantity} = `{prediction.formula}` ({agree})"


def section(lab: Found) -> str:
    """Return what the page says of one lab, from its heading on."""
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
