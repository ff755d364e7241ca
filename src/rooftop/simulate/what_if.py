"""Changes of a platform or of an algorithm, what each gains, and what it would take to reach a target time.

``latency=/2,bandwidth=*2,node=*1.5,alltoall=bruck`` are four changes: figures of the platform are multiplied or
divided, a collective gets another algorithm, and ``progress=0.8`` lets messages proceed in so much of the computing
time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from rooftop.errors import Misuse
from rooftop.simulate.collectives import ALGORITHMS, check_algorithm
from rooftop.simulate.platform import Messages, Network, Node, Platform
from rooftop.text.plural import listed

_FACTOR = re.compile(r"([*/])((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)")
_MOST = 1e9
PROGRESS = "progress"


@dataclass(frozen=True)
class Change:
    """One change, as it was written: of a figure by a factor, of a collective's algorithm, or of the progress."""

    text: str
    name: str
    factor: float = 1.0
    algorithm: str = ""

    def platform(self, platform: Platform) -> Platform:
        """Return the platform with it. Raises Misuse where that makes no sense."""
        if self.name == PROGRESS:
            progress = platform.progress.model_copy(update={"share_outside_calls": self.factor})
            return platform.model_copy(update={"progress": progress})
        if self.name not in FIGURES:
            return platform
        try:
            return FIGURES[self.name](platform, self.factor)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            told = first["msg"].removeprefix("Value error, ").replace("Input should be", "expected a number")
            raise Misuse(f"--what-if {self.text} makes {place} {first['input']!r}: {told}") from error

    def algorithms(self, algorithms: Mapping[str, str]) -> dict[str, str]:
        """Return the algorithms with it."""
        return dict(algorithms) | ({self.name: self.algorithm} if self.algorithm else {})


def _messages(messages: Messages, latency: float = 1.0, overhead: float = 1.0, per_byte: float = 1.0) -> Messages:
    given = messages.model_dump(exclude_unset=True)
    given["latency_s"] = messages.latency_s * latency
    given["overhead_s"] = messages.overhead_s * overhead
    given["gap_s"] = messages.gap_s * overhead
    given["gap_s_per_byte"] = messages.gap_s_per_byte * per_byte
    if messages.handshake_s is not None:
        given["handshake_s"] = messages.handshake_s * latency
    if messages.by_size:
        # Of a measured time, what the shortest message takes is latency and overhead, and the rest is its bytes.
        short = messages.by_size[0].message_s

        def scaled(taken: float) -> float:
            return min(short, taken) * latency + max(0.0, taken - short) * per_byte

        given["by_size"] = [
            one.model_dump()
            | {"message_s": scaled(one.message_s)}
            | ({"exchange_s": scaled(one.exchange_s)} if one.exchange_s is not None else {})
            for one in messages.by_size
        ]
    return Messages.model_validate(given)


def _with_messages(platform: Platform, **factors: float) -> dict[str, Messages | None]:
    inside = platform.within_node
    return {
        "messages": _messages(platform.messages, **factors),
        "within_node": _messages(inside, **factors) if inside is not None else None,
    }


def _network(platform: Platform, **figures: float | None) -> Network:
    return Network.model_validate(platform.network.model_dump(exclude_unset=True) | figures)


def _latency(platform: Platform, factor: float) -> Platform:
    network = _network(platform, link_latency_s=platform.network.link_latency_s * factor)
    return platform.model_copy(update={"network": network, **_with_messages(platform, latency=factor)})


def _overhead(platform: Platform, factor: float) -> Platform:
    return platform.model_copy(update=_with_messages(platform, overhead=factor))


def _bandwidth(platform: Platform, factor: float) -> Platform:
    given = platform.network
    figures: dict[str, float | None] = {"link_bytes_per_s": given.link_bytes_per_s * factor}
    if given.injection_bytes_per_s is not None:
        figures["injection_bytes_per_s"] = given.injection_bytes_per_s * factor
    network = _network(platform, **figures)
    if given.backbone_bytes_per_s is not None:
        shape = network.shape.model_copy(update={"backbone_bytes_per_s": given.backbone_bytes_per_s * factor})
        network = network.model_copy(update={"shape": shape})
    per_byte = {"per_byte": 1 / factor}
    return platform.model_copy(update={"network": network, "messages": _messages(platform.messages, **per_byte)})


def _node(platform: Platform, factor: float, *, compute: bool = True, memory: bool = True) -> Platform:
    given = platform.node.model_dump(exclude_unset=True)
    names = [
        *(("core_flops_per_s",) if compute else ()),
        *(("memory_bytes_per_s", "core_memory_bytes_per_s") if memory else ()),
    ]
    given |= {name: given[name] * factor for name in names if given.get(name) is not None}
    if compute:
        by_kind = platform.node.core_flops_per_s_by_kind
        given["core_flops_per_s_by_kind"] = {kind: rate * factor for kind, rate in by_kind.items()}
    return platform.model_copy(update={"node": Node.model_validate(given)})


#: What a change may multiply, with what it changes. Bandwidth is that of links; the memory's belongs to the node.
FIGURES: Mapping[str, Callable[[Platform, float], Platform]] = {
    "latency": _latency,
    "overhead": _overhead,
    "bandwidth": _bandwidth,
    "node": _node,
    "compute": lambda platform, factor: _node(platform, factor, memory=False),
    "memory": lambda platform, factor: _node(platform, factor, compute=False),
}
#: Less of these is better, more of the others.
LESS_IS_BETTER = ("latency", "overhead")


def _read_change(called: str, text: str) -> Change:
    name, equals, value = (part.strip() for part in text.partition("="))
    known = [*FIGURES, PROGRESS, *ALGORITHMS]
    if name not in known:
        raise Misuse(f"{called} has {text.strip()!r}, expected a change of {listed(known)}")
    if name in ALGORITHMS:
        algorithm = check_algorithm(name, value, f"{called} {name}")
        return Change(f"{name}={value}", name, algorithm=algorithm)
    if name == PROGRESS:
        try:
            share = float(value)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            raise Misuse(f"{called} {name} is {value!r}, expected a share of the computing time, from 0 to 1")
        return Change(f"{name}={value}", name, share)
    found = _FACTOR.fullmatch(value)
    factor = float(found[2]) if found else 0.0
    if found is None or not equals or not 1 / _MOST <= factor <= _MOST:
        raise Misuse(f"{called} {name} is {value!r}, expected a factor such as *2 or /1.5, of 1e-9 to 1e9")
    return Change(f"{name}={value}", name, factor if found[1] == "*" else 1 / factor)


def read_changes(called: str, text: str) -> tuple[Change, ...]:
    """Return the changes of ``latency=/2,alltoall=bruck``. Raises Misuse, which calls the option as it is `called`."""
    changes = tuple(_read_change(called, part) for part in text.split(","))
    names = [one.name for one in changes]
    for name in names:
        if names.count(name) > 1:
            raise Misuse(f"{called} changes {name} {names.count(name)} times, expected once")
    return changes


def alone_and_together(changes: Sequence[Change]) -> list[tuple[str, Sequence[Change]]]:
    """Return each change alone and, of several, all of them together, with what they are called."""
    tried: list[tuple[str, Sequence[Change]]] = [(one.text, [one]) for one in changes]
    return [*tried, ("all of them", changes)] if len(changes) > 1 else tried


#: By how much better a figure is looked at: beyond that it is another machine.
MOST_BETTER = 1e4


@dataclass(frozen=True)
class Need:
    """What it takes to reach a target by one change alone.

    factor   of the figure; None: it cannot be reached by this
    least_s  the time where the figure is `most` times better
    most     the largest factor that was looked at
    """

    name: str
    factor: float | None
    least_s: float
    most: float


def needed(name: str, platform: Platform, target_s: float, seconds: Callable[[Platform], float]) -> Need:
    """Return by which factor of a figure a target is reached; `seconds` is the time on a platform."""
    sign = -1.0 if name in LESS_IS_BETTER else 1.0

    def taking(factor: float) -> float:
        return seconds(FIGURES[name](platform, factor**sign))

    most = MOST_BETTER
    while most > 1:
        try:
            least_s = taking(most)
            break
        except ValidationError:  # a figure that is large already leaves its range
            most /= 10
    else:
        least_s = taking(1.0)
    if taking(1.0) <= target_s:
        return Need(name, 1.0, least_s, most)
    if least_s > target_s:
        return Need(name, None, least_s, most)
    low, high = 0.0, math.log(most)
    for _ in range(50):  # the time falls evenly with the figure: halving finds the place
        middle = (low + high) / 2
        if taking(math.exp(middle)) <= target_s:
            high = middle
        else:
            low = middle
    return Need(name, math.exp(sign * high), least_s, most)
