"""What a lab about placement would do on a machine that is not here: where threads go, what it predicts there."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.documents import Machine
from rooftop.errors import Misuse
from rooftop.lab.placement import Bound, DoesNotFit, bound, processors, synthetic
from rooftop.ladder.discovery import Found
from rooftop.machine.cpu_list import format_cpu_list
from rooftop.measure.prediction import predict
from rooftop.report.prediction_text import expectation, quantity_of
from rooftop.text.plural import plural


def elsewhere(lab: Found, description: str, threads: int | None, here: Machine) -> Iterator[str]:
    """Yield lines about a lab on the machine that hwloc makes up from a description.

    threads  None: one for each core of it
    here     whose figures predictions use, but for the numbers of cores and of memory nodes

    Raises Misuse where nothing of the lab is about places, or for a description that hwloc does not understand.
    """
    lesson = lab.declaration.lesson
    of_nodes = [one for one in lab.declaration.predictions if "numa_nodes" in one.formula]
    if lesson is None or not (lesson.placed or of_nodes):
        raise Misuse(f"--on is {description!r}, and {lab.name} places nothing: expected a lab about placement")
    there = processors(synthetic(description))
    cores, nodes, packages = (len({getattr(one, kind) for one in there}) for kind in ("core", "node", "package"))
    team = threads or cores
    machine = f"{plural(packages, 'package')}, {plural(nodes, 'NUMA node')}, {plural(cores, 'core')}"
    yield f"{description}: {machine}; {plural(team, 'thread')}. Nothing runs there."
    for name, variables in lesson.placed.items():
        told = " ".join(f"{key}={value}" for key, value in variables.items())
        yield f"{name}: {told}"
        try:
            yield from _lines(bound(there, variables, team), nodes)
        except DoesNotFit as reason:
            yield f"  skipped, it does not fit there: {reason}"
    copied = here.model_copy(update={"cores": cores, "numa_nodes": nodes})
    case = lab.declaration.cases("quick")[0]
    for one in of_nodes:
        result = predict(one, copied, team, case.parameters)
        yield f"predicted there, {case.name}: {quantity_of(result)} = {result.formula}: {expectation(result)}"


def _lines(team: list[Bound], nodes: int) -> Iterator[str]:
    """Yield a line for each run of threads on the same nodes, and one that says how many nodes have threads."""
    start = 0
    while start < len(team):
        end = start
        while end + 1 < len(team) and team[end + 1].nodes == team[start].nodes:
            end += 1
        cpus = {number for one in team[start : end + 1] for number in one.processors}
        several = f"threads {start} to {end}" if end > start else f"thread {start}"
        where = f"node {format_cpu_list(set(team[start].nodes))}, package {format_cpu_list(set(team[start].packages))}"
        yield f"  {several}: {where}, processors {format_cpu_list(cpus)}"
        start = end + 1
    taken = len({node for one in team for node in one.nodes})
    yield f"  {taken} of {plural(nodes, 'NUMA node')} with threads: so much of the machine's memory bandwidth"
