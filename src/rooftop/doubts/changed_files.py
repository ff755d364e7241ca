"""Files of what was measured were changed meanwhile."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import some

ORDER = 5
ABOUT_THE_MACHINE = True

CHANGED_FILES = "changed_files"  # where the conditions of a session have them


def find(evidence: Evidence) -> Iterator[Doubt]:
    files = dict.fromkeys(file for conditions in evidence.conditions for file in conditions.get(CHANGED_FILES) or ())
    if files:
        yield Doubt(
            doubt="Samples of several programs are compared as one: files were changed while they were measured",
            evidence=some(list(files)),
            remedy="Measure again, and leave them as they are until the end: measure a copy, or revisions with gate",
        )
