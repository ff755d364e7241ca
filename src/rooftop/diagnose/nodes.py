"""Where the threads of a program run, by NUMA node, and which node has room for them."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.diagnose.facts import Facts, ThreadFacts


def busiest(facts: Facts) -> Sequence[ThreadFacts]:
    """Return the busy threads of the process that runs most."""
    of_process: dict[int, list[ThreadFacts]] = {}
    for thread in facts.threads:
        of_process.setdefault(thread.process, []).append(thread)
    return max(of_process.values(), key=lambda threads: sum(one.run_s for one in threads), default=[])


def run_by_node(threads: Sequence[ThreadFacts]) -> dict[int, float]:
    """Return the shares of all threads' running time by node."""
    run_s = max(sum(one.run_s for one in threads), 1e-9)
    nodes = {node for one in threads for node in one.nodes}
    return {node: sum(one.nodes.get(node, 0.0) * one.run_s for one in threads) / run_s for node in sorted(nodes)}


def home(facts: Facts) -> int | None:
    """Return the node for all threads: of those with most cores, the one where they run most. None: not known."""
    shares = run_by_node(busiest(facts))
    return max(facts.node_cores, key=lambda node: (facts.node_cores[node], shares.get(node, 0.0)), default=None)
