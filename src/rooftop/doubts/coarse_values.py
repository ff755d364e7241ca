"""Values come in steps that are coarse beside them: smaller differences show in their mean only."""

from collections.abc import Iterator
from statistics import median

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.measure.shape import steps, strip
from rooftop.text.plural import some

ORDER = 44
ABOUT_THE_MACHINE = True


def find(evidence: Evidence) -> Iterator[Doubt]:
    told = [
        f"{name} {strip(values)} in steps of {step / median(values):.2g} of its median"
        for name, values in evidence.each_series()
        if (step := steps(values)) is not None
    ]
    if told:
        yield Doubt(
            doubt="Values come in coarse steps",
            evidence=some(told, "; "),
            remedy="Give the command more work, or let it print more digits: a smaller difference shows in the mean "
            "only, and takes many more pairs",
        )
