"""Which configurations a tuning tries first: those that a model of the experiment's own expects to be fastest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rooftop.ladder.experiment import Experiment
from rooftop.parameters.space import Configuration, Space
from rooftop.parameters.values import number

STARTS = 5  # beside the default
_ALIKE = 0.01  # of two whose expected times are nearer, the model knows no difference


def starting_places(
    space: Space, default: int, expected_s: Callable[[Configuration], float], count: int = STARTS
) -> list[int]:
    """Return the places of the configurations that are expected to be fastest, the fastest first.

    Of those that are expected to take the same time the first stands for all, and none that is like the default.
    """
    times = [expected_s(one) for one in space.configurations]
    known, found = [times[default]], list[int]()
    for place in sorted(range(len(times)), key=times.__getitem__):
        if len(found) == count:
            break
        if all(abs(times[place] - other) > _ALIKE * other for other in known):
            known.append(times[place])
            found.append(place)
    return found


def expectation(
    declaration: Experiment, cases: Sequence[Mapping[str, Any]], workers: Mapping[str, int]
) -> Callable[[Configuration], float] | None:
    """Return what gives the seconds that cases are expected to take; None where their experiment has no model.

    cases    parameters of each
    workers  ranks and threads, where a configuration does not say how many

    Tunables that neither a configuration nor a case sets have their first values.
    """
    model = declaration.expected_s
    if model is None:
        return None
    first = {name: values[0] for name, values in declaration.tunables.items()} | dict(workers)

    def seconds(configuration: Configuration) -> float:
        values = {name: value if (worth := number(value)) is None else worth for name, value in configuration.items()}
        return sum(model({**first, **case, **values}) for case in cases)

    return seconds
