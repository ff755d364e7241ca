"""Turns a configuration into a rung that is measured: its workers, its variables, and the parameters of its cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rooftop.parameters.space import Configuration, Kind, Space
from rooftop.parameters.values import Value, number
from rooftop.subject.rung import WORKERS
from rooftop.tune.launch import variables

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung


def tuned_rung(rung: Rung, space: Space, configuration: Configuration) -> Rung:
    """Return a rung as a configuration has it. Raises Misuse for what it does not have."""
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
    """Return the parameters, as `Options` have them, that a rung's experiment declares as tunables."""
    found: list[tuple[str, Kind, tuple[Value, ...]]] = []
    for name, values in rung.declaration.tunables.items():
        workers = name in WORKERS and name not in rung.known_parameters
        if not (workers and name == "ranks" and not rung.module.ranked):
            found.append((name, cast(Kind, name) if workers else "param", tuple(values)))
    return tuple(found)


def configuration_words(space: Space, configuration: Configuration) -> list[str]:
    """Return the options that say one configuration on the command line of ``tune``."""
    words: list[str] = []
    for name, value in configuration.items():
        kind = space.kind(name)
        words += [f"--{kind}", f"{name}={value}" if kind in ("env", "param") else str(value)]
    return words
