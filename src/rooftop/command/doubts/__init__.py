"""Reasons to distrust the figures of commands, beside those about the machine. One file is one doubt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from rooftop.documents import Doubt
from rooftop.measure.arms import Arm, Sample
from rooftop.plugins import found


class Samples(dict[str, list[Sample]]):
    """The samples of each command, by its name.

    compared  the names that are compared with each other; none: all
    commands  the words of each
    """

    compared: Sequence[Collection[str]] = ()
    commands: Mapping[str, Sequence[str]] = MappingProxyType({})


def about_commands(arms: Iterable[Arm], compared: Sequence[Collection[str]] = ()) -> list[Doubt]:
    """Return every doubt that the samples support. Of one command there may be several arms, one in each case."""
    samples = Samples()
    samples.compared, commands = compared, {}
    for arm in [arm for arm in arms if arm.role != "twin"]:
        samples.setdefault(arm.name, []).extend(arm.samples)
        commands[arm.name] = arm.module.command
    samples.commands = commands
    return found(__name__, samples)
