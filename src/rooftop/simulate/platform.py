"""A platform: what a simulation knows of a machine, each figure with where it is from.

A platform is a TOML file::

    title = "Two nodes of four cores"
    nodes = 2

    [node]
    cores = 4
    core_flops_per_s = 8e9
    memory_bytes_per_s = 40e9

    [network]
    topology = "crossbar"
    link_latency_s = 1e-6
    link_bytes_per_s = 10e9

    [messages]
    latency_s = 1e-6
    overhead_s = 0.5e-6

    [[sources]]
    figures = ["nodes", "node", "network", "messages"]
    how = "assumed"
    says = "round figures of a small cluster"

Every figure that a file gives has a source, by its own name or by that of its table.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from rooftop.simulate.figures import Bytes, Count, Described, Rate, Seconds, SecondsPerByte, Share
from rooftop.simulate.topologies import Topology

#: More cores than this are a slip, not a machine.
MOST_CORES = 100_000_000

Text = Annotated[str, Field(min_length=1, max_length=2000)]


class Node(Described):
    """What ranks of one node share.

    cores                     that compute
    hardware_threads          of each core
    groups                    of cores with memory of their own (NUMA nodes, sockets), of equal size
    core_flops_per_s          of any work
    core_flops_per_s_by_kind  of work of a kind, such as "fft", in its place
    memory_bytes_per_s        of the node, which its cores share
    core_memory_bytes_per_s   that one core alone can use; None: all of its group's
    memory_bytes              that there are; None: not known
    """

    cores: Count
    hardware_threads: Count = 1
    groups: Count = 1
    core_flops_per_s: Rate
    core_flops_per_s_by_kind: dict[str, Rate] = Field(default_factory=dict)
    memory_bytes_per_s: Rate
    core_memory_bytes_per_s: Rate | None = None
    memory_bytes: Bytes | None = None

    def flops_per_s(self, kind: str = "") -> float:
        """Return what a core does of this kind of work."""
        return self.core_flops_per_s_by_kind.get(kind, self.core_flops_per_s)

    @property
    def group_memory_bytes_per_s(self) -> float:
        """What the cores of a group share of their own memory."""
        return self.memory_bytes_per_s / self.groups

    @model_validator(mode="after")
    def _shared_out(self) -> Self:
        if self.cores % self.groups:
            raise ValueError(f"groups is {self.groups}: expected a divisor of the {self.cores} cores")
        one, all_of_group = self.core_memory_bytes_per_s, self.group_memory_bytes_per_s
        if one is not None and one > all_of_group:
            raise ValueError(
                f"core_memory_bytes_per_s is {one:g}: expected at most the {all_of_group:g} that a group of cores "
                "has (memory_bytes_per_s / groups)"
            )
        return self


class Network(Described):
    """The links between nodes.

    shape                  the topology and its dimensions, which a file writes among the figures below
    link_latency_s         of each link that a message crosses
    link_bytes_per_s       of each link, in each direction
    injection_bytes_per_s  between a node and its first link, in each direction; None: the link's
    """

    shape: Topology
    link_latency_s: Seconds
    link_bytes_per_s: Rate
    injection_bytes_per_s: Rate | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_file(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "shape" in given:
            return given
        own = {name: given[name] for name in given if name in cls.model_fields}
        return own | {"shape": {name: given[name] for name in given if name not in cls.model_fields}}

    @property
    def backbone_bytes_per_s(self) -> float | None:
        """What all messages between nodes share, where the topology has such a thing."""
        return getattr(self.shape, "backbone_bytes_per_s", None)

    @property
    def node_bytes_per_s(self) -> float:
        """What a node sends or receives at most, in each direction."""
        return self.injection_bytes_per_s or self.link_bytes_per_s


class MessageTime(Described):
    """Half a round trip of a message, as measured; and an exchange both ways at once."""

    bytes: Bytes
    message_s: Seconds
    exchange_s: Seconds | None = None


class Messages(Described):
    """What a message costs beside the links that it crosses, by LogGP (Alexandrov et al. 1995).

    latency_s          L: of hardware and library, without the links' own
    overhead_s         o: of a core for each message that it sends, and for each that it receives
    gap_s              g: at least between two messages of a rank
    gap_s_per_byte     G: for each byte beyond the first, where that is slower than the link
    eager_limit_bytes  beyond which a message waits for its receiver; None: none does
    handshake_s        that a message beyond it takes longer; None: a round trip, 2 (L + 2 o)
    by_size            times as measured, which replace the formula; between two sizes the time grows evenly, beyond
                       the last at its rate
    """

    latency_s: Seconds
    overhead_s: Seconds
    gap_s: Seconds = 0.0
    gap_s_per_byte: SecondsPerByte = 0.0
    eager_limit_bytes: Bytes | None = None
    handshake_s: Seconds | None = None
    by_size: tuple[MessageTime, ...] = ()

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        for one, next_ in pairwise(self.by_size):
            if next_.bytes <= one.bytes:
                raise ValueError(f"by_size has {next_.bytes} bytes after {one.bytes}: expected growing sizes")
        return self


class Progress(Described):
    """Who moves messages while their ranks compute.

    rule                       "calls": a message proceeds while its rank is in MPI; "thread": by a thread of the
                               library; "hardware": by the network card
    share_outside_calls        of the computing time in which a large message proceeds; None: 0 for "calls", else 1
    eager_share_outside_calls  the same of a message up to the eager limit; None: 1, since the sender has let go of it
    thread_cores               that the thread takes from the computing while messages are under way, where the node has
                               no spare core
    """

    rule: Literal["calls", "thread", "hardware"] = "calls"
    share_outside_calls: Share | None = None
    eager_share_outside_calls: Share | None = None
    thread_cores: Annotated[float, Field(strict=True, ge=0, le=64, allow_inf_nan=False)] = 0.0

    def share(self, *, eager: bool = False) -> float:
        """Return the share of a computing time in which a message proceeds."""
        if eager:
            return 1.0 if self.eager_share_outside_calls is None else self.eager_share_outside_calls
        if self.share_outside_calls is not None:
            return self.share_outside_calls
        return 0.0 if self.rule == "calls" else 1.0

    @model_validator(mode="after")
    def _thread(self) -> Self:
        if self.thread_cores and self.rule != "thread":
            raise ValueError(f"thread_cores is {self.thread_cores:g}: expected 0 where rule is {self.rule!r}")
        return self


class Source(Described):
    """Where figures are from.

    figures  by name (``node.cores``), or a whole table (``node``)
    how      "stated" by what is named; "follows" from stated figures by the formula that is told; "measured" here;
             "assumed": by nobody else
    """

    figures: Annotated[tuple[Text, ...], Field(min_length=1)]
    how: Literal["stated", "follows", "measured", "assumed"]
    says: Text


class Platform(Described):
    """A machine of equal nodes.

    title                 what it is, in a line
    about                 what else is to be known
    within_node           costs of messages between ranks of one node; None: those between nodes, without links
    sources               of every figure that was given
    """

    title: Text
    about: str = ""
    nodes: Count
    node: Node
    network: Network
    messages: Messages
    within_node: Messages | None = None
    progress: Progress = Progress()
    sources: Annotated[tuple[Source, ...], Field(min_length=1)]

    @property
    def cores(self) -> int:
        """Of all nodes."""
        return self.nodes * self.node.cores

    def figures(self) -> Iterator[tuple[str, Any]]:
        """Yield the figures that were given, each by its name: ``node.cores``."""
        yield "nodes", self.nodes
        for table in ("node", "network", "messages", "within_node", "progress"):
            part = getattr(self, table)
            if part is None or table not in self.model_fields_set:
                continue
            for name in part.model_dump(exclude_unset=True):
                value = getattr(part, name)
                if table == "network" and name == "shape":
                    shape = value.model_dump(exclude_unset=True)
                    yield from ((f"network.{each}", given) for each, given in shape.items())
                else:
                    yield f"{table}.{name}", value

    def source(self, figure: str) -> Source | None:
        """Return where a figure is from: what names it itself, else its table."""
        for name in (figure, figure.partition(".")[0]):
            for one in self.sources:
                if name in one.figures:
                    return one
        return None

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if self.cores > MOST_CORES:
            raise ValueError(
                f"{self.nodes} nodes of {self.node.cores} cores are {self.cores} cores: expected at most {MOST_CORES}"
            )
        shape = self.network.shape
        if shape.size is not None and shape.size != self.nodes:
            raise ValueError(
                f"the dimensions of the {shape.topology} make {shape.size} nodes: expected nodes = {self.nodes}"
            )
        names = [name for name, _ in self.figures()]
        known = {*names, *(name.partition(".")[0] for name in names)}
        for one in self.sources:
            for figure in one.figures:
                if figure not in known:
                    raise ValueError(f"sources name {figure!r}, which the file does not give")
        for name in names:
            if self.source(name) is None:
                raise ValueError(f"{name} has no source: expected its name in the figures of one of [[sources]]")
        return self
