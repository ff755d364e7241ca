"""Options of `rooftop simulate`: the program, the platform, the ranks, and what is to be changed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from pydantic import ValidationError
from pydantic.dataclasses import dataclass

from rooftop.command.option import Option
from rooftop.command.reported_values import read_time, time_text
from rooftop.command.request import MeasuredCommand
from rooftop.errors import Misuse, NotBuilt
from rooftop.parameters.space import counts
from rooftop.parameters.values import read_values
from rooftop.simulate.collectives import ALGORITHMS, check_algorithm
from rooftop.simulate.layout import MOST_RANKS, laid_out
from rooftop.simulate.placement import BLOCK, check_placements
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.program import Program, program_named
from rooftop.simulate.replay import MOST_REPLAYED, missing
from rooftop.simulate.simgrid import check_routable
from rooftop.simulate.what_if import Change, read_changes

SIMULATED = "What is simulated"
_MOST_POINTS = 64
_option = partial(Option, panel=SIMULATED)


def _read_ranks(called: str, said: str) -> tuple[int, ...]:
    found = counts(called, read_values(called, said))
    if len(found) > _MOST_POINTS:
        raise Misuse(f"{called} has {len(found)} numbers of ranks, expected at most {_MOST_POINTS}")
    for one in found:
        if one > MOST_RANKS:
            raise Misuse(f"{called} has {one}, expected at most {MOST_RANKS}")
    return tuple(found)


def _read_count(called: str, said: int) -> int:
    if said < 1:
        raise Misuse(f"{called} is {said}, expected 1 or more")
    return said


def _read_parameters(called: str, said: list[str]) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for text in said:
        name, equals, value = text.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not equals or not math.isfinite(number):
            raise Misuse(f"{called} is {text!r}, expected NAME=NUMBER")
        if name in found:
            raise Misuse(f"{called} sets {name} twice, expected once")
        found[name] = number
    return tuple(found.items())


def _read_algorithm(collective: str) -> Any:
    return lambda called, said: check_algorithm(collective, said, called)


def _read_what_if(called: str, said: str) -> str:
    read_changes(called, said)
    return said


def _read_placement(called: str, said: str) -> str:
    return ",".join(check_placements(called, said))


def _algorithm(collective: str) -> Option:
    names = ", ".join(ALGORITHMS[collective])
    return _option(
        f"--{collective}",
        f"Algorithm of {collective}: {names}, or best (default: {next(iter(ALGORITHMS[collective]))}).",
        metavar="NAME",
        read=_read_algorithm(collective),
    )


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """One simulation.

    words      the program, as a list of campaigns shows it
    described  the platform itself, so that a stored simulation does not depend on a file
    """

    words: tuple[str, ...] = ()
    platform: Annotated[
        str | None,
        _option("--platform", "Machine: a name of 'rooftop platform list', or a TOML file.", metavar="NAME|FILE.toml"),
    ] = None
    ranks: Annotated[
        tuple[int, ...],
        _option(
            "--ranks",
            "Numbers of ranks, such as 16,64,256.",
            said=str,
            read=_read_ranks,
            spell=str,
            part=lambda given: ",".join(map(str, given)) or None,
        ),
    ] = ()
    threads: Annotated[int, _option("--threads", "Threads of each rank.", said=int, read=_read_count)] = 1
    per_node: Annotated[
        int | None,
        _option(
            "--ranks-per-node", "Ranks on a node (default: as many as its cores hold).", said=int, read=_read_count
        ),
    ] = None
    alltoall: Annotated[str | None, _algorithm("alltoall")] = None
    bcast: Annotated[str | None, _algorithm("bcast")] = None
    allreduce: Annotated[str | None, _algorithm("allreduce")] = None
    parameters: Annotated[
        tuple[tuple[str, float], ...],
        _option(
            "--set",
            "Parameter of the program, such as nx=2048. Can be repeated.",
            metavar="NAME=NUMBER",
            said=list[str],
            read=_read_parameters,
            spell=lambda one: f"{one[0]}={one[1]:.17g}",
        ),
    ] = ()
    model: Annotated[
        bool, _option("--model", "Predict by counting alone: roofline, LogGP, contention. The usual method.")
    ] = False
    replay: Annotated[
        bool, _option("--replay", "Replay each message on the platform's links (SimGrid), beside the model.")
    ] = False
    what_if: Annotated[
        str | None,
        _option(
            "--what-if",
            "Changes, each alone and all together: factors of latency, overhead, bandwidth, node, compute and memory; "
            "progress; algorithms. Such as latency=/2,bandwidth=*2,alltoall=bruck.",
            metavar="CHANGES",
            read=_read_what_if,
        ),
    ] = None
    placement: Annotated[
        str | None,
        _option(
            "--placement",
            "Where ranks are, by replay: block (one node after the other), round-robin, or graph (by the bytes between "
            "them; needs pymetis). Of several, what each gains over the first.",
            metavar="block,round-robin,graph",
            read=_read_placement,
        ),
    ] = None
    target_s: Annotated[
        float | None,
        _option(
            "--target",
            "Time to reach, such as 10s: by which factor of one figure that would be.",
            said=str,
            read=read_time,
            spell=time_text,
        ),
    ] = None
    described: dict[str, Any] | None = None

    @property
    def program(self) -> Program:
        """What is simulated. Raises Misuse."""
        if not self.words:
            raise Misuse("there is no program to simulate: rooftop simulate NAME --platform P --ranks 16,64")
        return program_named(self.words[0])

    @property
    def algorithms(self) -> Mapping[str, str]:
        """Algorithms that were asked for, by collective."""
        asked = {name: getattr(self, name) for name in ALGORITHMS}
        return {name: value for name, value in asked.items() if value is not None}

    @property
    def changes(self) -> tuple[Change, ...]:
        """What is to be changed. Raises Misuse."""
        return read_changes("--what-if", self.what_if) if self.what_if is not None else ()

    @property
    def placements(self) -> tuple[str, ...]:
        """Where ranks are: the first is that of the points. Raises Misuse."""
        return check_placements("--placement", self.placement or BLOCK)

    def simulated(self) -> Platform:
        """Return the platform that was described. Raises ValueError where that is none."""
        try:
            return Platform.model_validate(self.described)
        except ValidationError as error:
            raise ValueError(f"the platform: {error.errors(include_url=False)[0]['msg']}") from error

    def _can_replay(self) -> None:
        """Raise Misuse or NotBuilt where nothing can be replayed as asked."""
        if self.model:
            raise Misuse("--model and --replay are two methods: expected one of them")
        if self.target_s is not None:
            raise Misuse("--target is found by the model: expected it without --replay")
        if max(self.ranks) > MOST_REPLAYED:
            raise Misuse(f"--ranks has {max(self.ranks)}, expected at most {MOST_REPLAYED} with --replay")
        if (why := missing()) is not None:
            raise NotBuilt(why)

    def prepared(self) -> Options:
        """Return it with the platform itself. Raises Misuse where the program cannot run so."""
        program = self.program
        if self.platform is None:
            raise Misuse("there is no platform: expected --platform NAME, one of 'rooftop platform list', or a file")
        if not self.ranks:
            raise Misuse("there are no ranks: expected --ranks 16,64,256")
        if self.replay:
            self._can_replay()
        elif self.placement not in (None, BLOCK):
            raise Misuse(f"--placement is {self.placement}, which the model does not know: expected it with --replay")
        platform = named_platform(self.platform)
        if self.replay:
            check_routable(platform.network.shape)
        given = program.given(dict(self.parameters))
        for ranks in self.ranks:
            laid_out(platform, ranks, self.threads, self.per_node)
            program.phases(ranks, self.threads, given)
        for change in self.changes:
            change.platform(platform)
        described = platform.model_dump(mode="json", exclude_unset=True)
        return replace(self, described=described)
