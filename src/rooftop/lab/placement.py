"""Predict where OpenMP threads are placed on a machine, from its topology alone.

The machine may be one that hwloc makes up from a description such as ``pack:2 numa:4 core:8 pu:1`` (lstopo(1),
"Synthetic topologies"). Places and bindings are those of the OpenMP API 5.2, sections 10.1.3, 21.1.5 and 21.1.6:
threads start from the first place, as those of a program's first parallel region do.
"""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rooftop.documents import Machine
from rooftop.errors import Misuse, NothingMeasured
from rooftop.ladder.discovery import Found
from rooftop.machine.processor import format_cpu_list, parse_bitmap
from rooftop.measure.prediction import predict
from rooftop.report.prediction_text import expectation, formula_of, quantity_of
from rooftop.text.plural import plural

_LSTOPO = ("lstopo-no-graphics", "--no-io", "--of", "xml")
_LIMIT_S = 20.0
_KINDS = {"threads": "processor", "cores": "core", "sockets": "package", "numa_domains": "node", "ll_caches": "cache"}
_PLACE = r"\{\s*\d+(?:\s*:\s*\d+){0,2}(?:\s*,\s*\d+(?:\s*:\s*\d+){0,2})*\s*\}(?:\s*:\s*\d+(?:\s*:\s*-?\d+)?)?"
_LIST = re.compile(rf"{_PLACE}(?:\s*,\s*{_PLACE})*")
_ONE = re.compile(r"\{([^}]*)\}(?:\s*:\s*(\d+)(?:\s*:\s*(-?\d+))?)?")


class DoesNotFit(Misuse):
    """Places name processors that the machine does not have."""


@dataclass(frozen=True)
class Processor:
    """A hardware thread, by the system's number, and the numbers of what it is a part of; cache: the last level's."""

    processor: int
    core: int
    package: int
    node: int
    cache: int


def synthetic(description: str) -> str:
    """Return the XML of a synthetic hwloc topology. Raises Misuse, or NothingMeasured without lstopo."""
    words = [*_LSTOPO, "--input", description]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_LIMIT_S, check=False, errors="replace")
    except FileNotFoundError:
        raise NothingMeasured("lstopo is not installed (Debian and Ubuntu: apt install hwloc-nox)") from None
    if done.returncode != 0 or "<topology" not in done.stdout:
        said = " ".join(done.stderr.split())[:200]
        raise Misuse(f"the topology is {description!r}, expected one such as 'pack:2 numa:4 core:8 pu:1' ({said})")
    return done.stdout


def processors(xml: str) -> list[Processor]:
    """Return the processors of a machine in hwloc's order. Raises ValueError where there is none."""
    root = ET.fromstring(xml)
    parts: dict[str, list[frozenset[int]]] = {"Core": [], "Package": [], "NUMANode": [], "cache": []}
    units: list[int] = []
    deepest = max((found.get("type", "") for found in root.iter("object") if _is_cache(found)), default="")
    for item in root.iter("object"):
        kind = item.get("type", "")
        if kind == "PU":
            units.append(int(item.get("os_index", len(units))))
        elif kind in parts:
            parts[kind].append(frozenset(parse_bitmap(item.get("cpuset", "0x0"))))
        elif kind == deepest:
            parts["cache"].append(frozenset(parse_bitmap(item.get("cpuset", "0x0"))))
    if not units:
        raise ValueError("the topology's XML holds no processor")

    def part_of(kind: str, unit: int) -> int:
        return next((number for number, cpus in enumerate(parts[kind]) if unit in cpus), 0)

    kinds = ("Core", "Package", "NUMANode", "cache")
    return [Processor(unit, *(part_of(kind, unit) for kind in kinds)) for unit in units]


def _is_cache(item: ET.Element) -> bool:
    return re.fullmatch(r"L\d(d)?Cache", item.get("type", "")) is not None


def places(here: Sequence[Processor], spelling: str) -> list[list[int]]:
    """Return OMP_PLACES as lists of processors.

    Raises Misuse for what is no such list, and DoesNotFit for processors that there are not.
    """
    if spelling in _KINDS:
        groups: dict[int, list[int]] = {}
        for one in here:
            groups.setdefault(getattr(one, _KINDS[spelling]), []).append(one.processor)
        return list(groups.values())
    if _LIST.fullmatch(spelling.strip()) is None:
        raise Misuse(f"OMP_PLACES is {spelling!r}, expected {', '.join(_KINDS)} or a list such as {{0:4}}:4:4")
    found: list[list[int]] = []
    for inside, count, stride in _ONE.findall(spelling):
        first = [number for item in inside.split(",") for number in _interval(item)]
        step = int(stride) if stride else len(first)
        found += [[number + step * i for number in first] for i in range(int(count) if count else 1)]
    known = {one.processor for one in here}
    if absent := sorted({number for place in found for number in place} - known):
        raise DoesNotFit(f"OMP_PLACES is {spelling!r}, and there is no processor {absent[0]} among {len(known)}")
    return found


def _interval(item: str) -> range:
    """Return the numbers of FIRST, FIRST:LENGTH or FIRST:LENGTH:STRIDE."""
    first, length, stride = (*(int(word) for word in item.split(":")), 1, 1)[:3]
    return range(first, first + length * stride, stride)


def place_numbers(count: int, threads: int, bind: str) -> list[int]:
    """Return each thread's place among `count`. Raises Misuse for another binding than close, spread and primary."""
    if bind not in ("close", "spread", "primary"):
        raise Misuse(f"OMP_PROC_BIND is {bind!r}, expected close, spread or primary")
    if bind == "primary":
        return [0] * threads
    if threads > count:  # as many threads of consecutive numbers to each place, one more to the first ones
        each, more = divmod(threads, count)
        return [place for place in range(count) for _ in range(each + (place < more))]
    if bind == "close":
        return list(range(threads))
    each, more = divmod(count, threads)  # as many consecutive places to each thread, which takes the first of them
    return [thread * each + min(thread, more) for thread in range(threads)]


@dataclass(frozen=True)
class Bound:
    """Where one thread may run: the cores, packages and nodes that its place has parts of."""

    thread: int
    processors: tuple[int, ...]
    cores: tuple[int, ...]
    packages: tuple[int, ...]
    nodes: tuple[int, ...]


def bound(here: Sequence[Processor], variables: Mapping[str, str], threads: int) -> list[Bound]:
    """Return where each thread goes with these values of OMP_PLACES (default: cores) and OMP_PROC_BIND (close).

    Raises Misuse for values that are none, and DoesNotFit for processors that there are not.
    """
    by_number = {one.processor: one for one in here}
    all_places = places(here, variables.get("OMP_PLACES", "cores"))
    taken = place_numbers(len(all_places), threads, variables.get("OMP_PROC_BIND", "close"))
    found: list[Bound] = []
    for thread, number in enumerate(taken):
        parts = [by_number[one] for one in all_places[number]]

        def each(kind: str, parts: Sequence[Processor] = parts) -> tuple[int, ...]:
            return tuple(sorted({getattr(part, kind) for part in parts}))

        found.append(Bound(thread, tuple(all_places[number]), each("core"), each("package"), each("node")))
    return found


def elsewhere(lab: Found, description: str, threads: int | None, here: Machine) -> Iterator[str]:
    """Yield lines about a lab on the synthetic machine that hwloc builds from a description.

    threads  None: one for each core of it
    here     whose figures predictions use, but for the numbers of cores and of memory nodes

    Raises Misuse where nothing of the lab is about places, or for a description that hwloc does not understand.
    """
    lesson = lab.declaration.lesson
    of_nodes = [one for one in lab.declaration.predictions if "numa_nodes" in one.formula]
    if lesson is None or not (lesson.placed or of_nodes):
        raise Misuse(f"--on is {description!r}, and {lab.name} does not place threads: expected a lab about placement")
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
        yield f"predicted there, {case.name}: {quantity_of(result)} = {formula_of(result)}: {expectation(result)}"


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
