"""Tune a rung: its parameters, the rung for a configuration, and the configurations to try first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from rooftop.ladder.experiment import Experiment
from rooftop.parameters.space import Configuration, Kind, Space
from rooftop.parameters.values import Value, number
from rooftop.subject.rung import WORKERS
from rooftop.tune.launch import variables

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung

STARTS = 5  # in addition to the default
_ALIKE = 0.01  # expected times that differ by a smaller ratio count as equal


def tuned_rung(rung: Rung, space: Space, configuration: Configuration) -> Rung:
    """Return a rung with the values of a configuration. Raises Misuse for parameters that it does not have."""
    by_kind = {space.kind(name): value for name, value in configuration.items()}
    counts = {kind: int(by_kind[kind]) for kind in ("ranks", "threads") if kind in by_kind}
    if rung.module.ranked and "threads" in counts:
        counts.setdefault("ranks", 1)
    parameters: dict[str, Any] = {}
    for name, value in configuration.items():
        if space.kind(name) == "param":
            worth = number(value)
            parameters[name] = value if worth is None else worth
    return rung.on(
        ranks=counts.get("ranks"),
        threads=counts.get("threads"),
        variables=variables(space, configuration),
        parameters=parameters,
    )


def tunable_parameters(rung: Rung) -> tuple[tuple[str, Kind, tuple[Value, ...]], ...]:
    """Return the tunables of a rung's experiment as parameters of `Options`."""
    found: list[tuple[str, Kind, tuple[Value, ...]]] = []
    for name, values in rung.declaration.tunables.items():
        workers = name in WORKERS and name not in rung.known_parameters
        if not (workers and name == "ranks" and not rung.module.ranked):
            found.append((name, cast(Kind, name) if workers else "param", tuple(values)))
    return tuple(found)


def configuration_words(space: Space, configuration: Configuration) -> list[str]:
    """Return the command-line options of ``tune`` for one configuration."""
    words: list[str] = []
    for name, value in configuration.items():
        kind = space.kind(name)
        words += [f"--{kind}", f"{name}={value}" if kind in ("env", "param") else str(value)]
    return words


def starting_places(
    space: Space, default: int, expected_s: Callable[[Configuration], float], count: int = STARTS
) -> list[int]:
    """Return the indices of the configurations expected to be fastest, the fastest first.

    Only one of those with the same expected time is returned, and none with that of the default.
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
    """Return a function for the expected seconds of a configuration; None if the experiment has no model.

    cases    parameters of the cases whose times are summed
    workers  ranks and threads, unless a configuration sets them

    Tunables set by neither a configuration nor a case have their first values.
    """
    model = declaration.expected_s
    if model is None:
        return None
    first = {name: values[0] for name, values in declaration.tunables.items()} | dict(workers)

    def seconds(configuration: Configuration) -> float:
        values = {name: value if (worth := number(value)) is None else worth for name, value in configuration.items()}
        return sum(model({**first, **case, **values}) for case in cases)

    return seconds
