"""Suspect threads on several NUMA nodes where one node's cores would be as fast: see suspicions.py.

Between nodes, lines that threads modify, locks and barriers take longer than within one, and so does memory of another
node. What is left of the cores' time without that is work. One node does it in work / cores; what the run takes beyond
is at stake, so that nothing is suspected where the other nodes' cores save more than the ways between nodes cost.
"""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.diagnose import cures
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.first_touch import toucher
from rooftop.diagnose.nodes import busiest, home, run_by_node
from rooftop.diagnose.suspicion import Suspicion
from rooftop.text.plural import plural

_ON = 0.1  # of the process's running time, from which on its threads are on a node
_FARTHER = 1.5  # times as long as local memory takes: lab remote_memory
_MOST_LOST = 0.95


def past_a_socket(facts: Facts, lines: float, runtime: float) -> Iterator[Suspicion]:
    """Yield that threads are on more nodes than their work is worth.

    lines    share of the samples that wait for a line that several threads modify
    runtime  the same of those that wait for each other in OpenMP, but for the slowest, in a BLAS, or for the system to
             switch threads
    """
    threads, node = busiest(facts), home(facts)
    shares = run_by_node(threads)
    on = [one for one, share in shares.items() if share >= _ON]
    # Ranks are bound by their launcher, and their messages between nodes are not told from others.
    if facts.nodes < 2 or facts.ranks or len(threads) < 2 or len(on) < 2 or node is None:
        return
    touching = toucher(threads)
    away = 0.0
    if touching is not None and touching.nodes:
        away = 1 - shares[max(touching.nodes, key=touching.nodes.__getitem__)]
    remote = away * (1 - 1 / _FARTHER)
    lost = min(_MOST_LOST, lines + runtime + remote)
    cores_s = facts.user_s + facts.system_s
    work_s = min(cores_s, facts.alone_s) if facts.alone_s is not None else cores_s * (1 - lost)
    serial_s = facts.at_level(1)
    width = min(facts.node_cores[node], len(threads))
    at_home_s = facts.at_level(0) + serial_s + max(0.0, work_s - serial_s) / width
    seen = {
        f"{lines:.0%} of the samples wait for a line that several threads modify": lines,
        f"{runtime:.0%} are in waiting for each other": runtime,
        f"one thread has touched the memory, and {away:.0%} of the time is spent away from its node": remote,
    }
    told = "; ".join(text for text, share in seen.items() if share >= 0.01)
    if told:
        yield Suspicion(
            "scaling past a socket",
            max(0.0, facts.elapsed_s - at_home_s),
            f"{plural(len(threads), 'thread')} run on {len(on)} of {facts.nodes} NUMA nodes; {told}; what is left, "
            f"{work_s:.3g} s of work, takes {plural(width, 'core')} of one node {at_home_s:.3g} s",
            f"at most {plural(facts.node_cores[node], 'thread')} of a process, on one node; further nodes get a "
            "process or a rank each, with memory of their own",
            (cures.ONE_NODE,),
            stands=False,
        )
