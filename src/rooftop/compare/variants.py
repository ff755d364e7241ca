"""Make commands for each value of parameters, as hyperfine's parameter lists and scans."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rooftop.command.line import CommandLine, places, read_commands, require_place, substituted
from rooftop.errors import Misuse
from rooftop.parameters.values import listed_texts, read_values

_MOST = 100  # commands: each is compared with each


@dataclass(frozen=True)
class Variant:
    """A command, and the values of the parameters that it was made with."""

    command: CommandLine
    values: Mapping[str, str]


def read_parameters(
    lists: Sequence[str], scan: tuple[str, str, str] | None, step: str | None
) -> dict[str, tuple[str, ...]]:
    """Return the values of each parameter, as texts. Raises Misuse.

    lists  NAME=VALUES of each, with commas between the values
    scan   a name, and the first and the last of its values
    step   between the values of `scan`; None: 1
    """
    if step is not None and scan is None:
        raise Misuse("--parameter-step-size is given without --parameter-scan, expected -P NAME MIN MAX -D STEP")
    found: dict[str, tuple[str, ...]] = {}
    split = [text.partition("=") for text in lists]
    named = [(name, tuple(listed_texts(values))) for name, _, values in split]
    if scan is not None:
        name, first, last = scan
        text = "..".join((first, last, *((step,) if step is not None else ())))
        named.append((name, tuple(map(str, read_values("--parameter-scan", text)))))
    for name, values in named:
        if not name.isidentifier():
            raise Misuse(f"a parameter is named {name!r}, expected a name of letters, digits and underscores")
        if name in found:
            raise Misuse(f"the parameter {name!r} is given twice, expected one list of its values")
        found[name] = values
    return found


def variants(
    arguments: Sequence[str],
    parameters: Mapping[str, Sequence[str]],
    beside: Sequence[str] = (),
    shell: str | None = None,
    *,
    words: bool = False,
) -> list[Variant]:
    """Return the commands of a command line's arguments, with each combination of the parameters' values.

    beside        texts in which the parameters may have places, too
    shell, words  see `read_commands`

    Raises Misuse, also for a parameter that has no place.
    """
    for name in parameters:
        require_place("--parameter-list", name, [*arguments, *beside], parameters)
    found = []
    for combination in itertools.product(*parameters.values()):
        values = dict(zip(parameters, combination, strict=True))
        commands = read_commands(substituted(arguments, values), shell, words=words)
        found += [Variant(one, values) for one in commands]
        if len(found) > _MOST:
            raise Misuse(
                f"there are more than {_MOST} commands to compare, expected fewer: 'rooftop tune' searches many values"
            )
    return found


def named(found: Sequence[Variant], names: Sequence[str]) -> list[Variant]:
    """Return the commands with names, as far as there are any; one name for all may have places. Raises Misuse."""
    if len(names) == 1 and places(names):
        names = [substituted(names, one.values)[0] for one in found]
    if len(names) > len(found):
        raise Misuse(
            f"--command-name is given {len(names)} times, expected at most one for each of {len(found)} commands"
        )
    told = [*names, *(one.command.text for one in found[len(names) :])]
    return [replace(one, command=replace(one.command, text=text)) for one, text in zip(found, told, strict=True)]
