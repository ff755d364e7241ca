"""The nodes that ranks are spread over: those of the job that a campaign runs in, or hosts by their names.

A job of Rooftop's names how many nodes it has, and how many tasks each was asked for, in ROOFTOP_NODES: the launchers
know from the scheduler which nodes these are. Hosts that a user names are given to the launcher.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass, replace

from rooftop.errors import Misuse
from rooftop.launchers.team import Team
from rooftop.text.plural import plural

NODES = "ROOFTOP_NODES"
_TOLD = re.compile(r"([1-9]\d{0,5})x([1-9]\d{0,5})")
_HOST = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def read_hosts(called: str, said: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return the hosts in "a,b,c". Raises Misuse."""
    found = said.split(",") if isinstance(said, str) else list(said)
    for host in found:
        if _HOST.fullmatch(host) is None:
            raise Misuse(f"{called} has {host!r}, expected names of hosts such as a,b,c")
    if twice := next((host for place, host in enumerate(found) if host in found[:place]), None):
        raise Misuse(f"{called} names {twice!r} twice, expected each host once")
    return tuple(found)


def told(count: int, each: int) -> str:
    """Return the value of ROOFTOP_NODES."""
    return f"{count}x{each}"


def nodes_of_job() -> tuple[int, int] | None:
    """Return how many nodes this process's job has, and how many tasks each was asked for; None for one node."""
    match = _TOLD.fullmatch(os.environ.get(NODES, ""))
    if match is None or match[1] == "1":
        return None
    return int(match[1]), int(match[2])


def on_this_node(team: Team) -> Team:
    """Return a team that a job's nodes and tasks do not concern: rungs and probes are of one node, as its roof is."""
    return replace(team, here=True) if NODES in os.environ else team


@dataclass(frozen=True)
class Nodes:
    """What ranks are spread over. One node where neither is set.

    job    how many nodes the job has, and how many tasks each was asked for
    hosts  by their names
    """

    job: tuple[int, int] | None = None
    hosts: tuple[str, ...] = ()

    def team(self, ranks: int | None, threads: int) -> Team:
        """Return a team: on as few nodes of a job as its tasks permit, or on all hosts. Raises Misuse."""
        if ranks is None:
            return Team(threads=threads)
        if self.hosts:
            used = self.hosts[: min(len(self.hosts), ranks)]
            return Team(nodes=len(used), ranks=ranks, threads=threads, hosts=used)
        if self.job is None:
            return Team(ranks=ranks, threads=threads)
        count, each = self.job
        if ranks > count * each:
            needed = math.ceil(ranks / count)
            raise Misuse(
                f"{plural(ranks, 'rank')} are asked for in a job of {count} nodes with {plural(each, 'task')} each: "
                f"give --ntasks-per-node {needed}, or more --nodes"
            )
        nodes = math.ceil(ranks / each)
        return Team(nodes=nodes, ranks=ranks, threads=threads, of_several=nodes < count)


ONE_NODE = Nodes()
