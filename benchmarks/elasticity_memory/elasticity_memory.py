"""Measure what a node takes of memory in each rung of elasticity, and its largest cases."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import psutil
import typer
from pydantic import BaseModel

from benchmarks.form import RESULTS, ROOT, PageOption, machine, table, write_page
from rooftop.driver.executor import DriverFailed
from rooftop.driver.memory import available_bytes
from rooftop.driver.process import ProcessDriver
from rooftop.files.atomic import write_whole
from rooftop.ladder.discovery import Found, Module, find_experiment
from rooftop.launchers.team import Team
from rooftop.machine.identity import cores_now, physical_memory
from rooftop.machine.system_files import SystemFiles
from rooftop.settings import Settings

PAGE = RESULTS / "elasticity-memory.md"
SAMPLES = ROOT / ".rooftop" / "elasticity_memory" / "samples.json"
ASKED = 1.1  # times what is declared
#: Rungs that are asked for at this number of nodes in each direction.
LARGE = {
    "50-slices.avx2": 160,
    "60-symmetric": 160,
    "65-offsets": 160,
    "80-dictionary.avx2": 256,
    "90-sum-factorization": 256,
}
_VECTOR_BYTES = 24.0  # a node
_VERIFIER_VECTORS = 4
_FEW_ITERATIONS = 3
_LIMIT_S = 2 * 3600.0
_FAILED = "failed:"


@dataclass(frozen=True)
class Grown:
    """How memory grows with the mesh, in bytes a node.

    declared  the rung's working set
    running   the driver's peak in one run, without what is not the rung's
    whole     its peak from its start on: filling the matrix and the verifier's vectors included
    """

    declared: float
    running: float
    whole: float

    @property
    def met(self) -> bool:
        """Whether no more is taken than what is asked."""
        return self.running <= ASKED * self.declared


@dataclass(frozen=True)
class Solved:
    """A large case that was verified: the driver's peak, its verification included."""

    nodes: int
    iterations: int
    peak_bytes: int


class Wrong(RuntimeError):
    """A result was wrong: its memory and its time say nothing."""


def forget_peaks() -> None:
    """Set the peak of each process that this one started to what it holds now."""
    for one in psutil.Process().children(recursive=True):
        Path(f"/proc/{one.pid}/clear_refs").write_text("5", encoding="ascii")


def case_of(nodes: int, iterations: int) -> dict[str, int]:
    """Return the parameters of a cube."""
    return {"nx": nodes, "ny": nodes, "nz": nodes, "iterations": iterations}


def begin(driver: ProcessDriver, nodes: int, iterations: int) -> float | str:
    """Set a case up, run and verify it: what the rung declares in bytes, or why it is skipped. Raises Wrong."""
    reply = driver.case(case_of(nodes, iterations), 1, _LIMIT_S)
    if reply.outcome == "skipped":
        return reply.reason or "skipped"
    if reply.outcome != "ok" or reply.work is None:
        raise Wrong(f"{nodes} nodes in each direction: {reply.outcome}: {reply.reason}")
    return reply.work.working_set_bytes


def not_the_rungs(team: Team, *, ranked: bool) -> float:
    """Return the bytes a node that a driver holds in a run beside what its rung declares."""
    of_case = team.processes + 1 if ranked else 0  # a load on each rank, a displacement on the first
    return _VECTOR_BYTES * (1 + of_case)


def measure(module: Module, sizes: Sequence[int], team: Team) -> Grown | str:
    """Measure one rung at two sizes. Returns the reason where it cannot be run here. Raises Wrong, DriverFailed."""
    if module.status != "built":
        return module.reason or module.status
    own = module.team_in(team)
    held: list[tuple[int, float, int, int]] = []
    for nodes in sizes:
        with closing(ProcessDriver(module, own)) as driver:
            declared = begin(driver, nodes, _FEW_ITERATIONS)
            if isinstance(declared, str):
                return declared
            whole = driver.peak_bytes()
            forget_peaks()
            driver.sample(1, _LIMIT_S)
            held.append((nodes**3, declared, driver.peak_bytes(), whole))
    small, large = held
    grown = [(b - a) / (large[0] - small[0]) for a, b in zip(small[1:], large[1:], strict=True)]
    return Grown(grown[0], grown[1] - not_the_rungs(own, ranked=module.ranked), grown[2])


def solve(module: Module, nodes: int, per_node: float, team: Team) -> Solved | str:
    """Solve and verify one large case. Returns the reason where it cannot be run here. Raises Wrong, DriverFailed.

    per_node  bytes that it will take for each node
    """
    if module.status != "built":
        return module.reason or module.status
    needed, left = ASKED * per_node * nodes**3, available_bytes()
    if needed > left:
        return f"needs {needed / 2**30:.1f} GiB, and {left / 2**30:.1f} GiB are left"
    own = module.team_in(team)
    with closing(ProcessDriver(module, own)) as driver:
        declared = begin(driver, nodes, nodes)
        if isinstance(declared, str):
            return declared
        return Solved(nodes, nodes, driver.peak_bytes())


def parts(small: dict[str, Grown | str], large: dict[str, tuple[int, Solved | str]], sizes: Sequence[int]) -> list[str]:
    """Return what stands on the page."""
    rows = [
        [name, "", "", f"skipped: {one}", ""]
        if isinstance(one, str)
        else [name, f"{one.declared:.0f}", f"{one.running:.0f}", "met" if one.met else "more", f"{one.whole:.0f}"]
        for name, one in sorted(small.items())
    ]
    measured = [grown for grown in small.values() if isinstance(grown, Grown)]
    shown = [
        f"Asked: while it runs, a rung holds at most {ASKED:g} times the working set that it declares. Bytes per node, "
        f"from cubes of\n{sizes[0]} and {sizes[1]} nodes in each direction. The last column is the driver's peak since "
        "its start: it includes filling the\nmatrix, "
        f"{_VERIFIER_VECTORS * _VECTOR_BYTES:.0f} bytes for the verifier, and on each rank the load of the whole mesh.",
        table(["rung", "declared", "in a run", "", "with set-up and verification"], rows),
        f"{sum(one.met for one in measured)} of {len(measured)} met.",
    ]
    if large:
        rows = [
            [name, f"{nodes}³", "", f"skipped: {one}"]
            if isinstance(one, str)
            else [name, f"{nodes}³", str(one.iterations), f"{one.peak_bytes / 2**30:.1f}"]
            for name, (nodes, one) in sorted(large.items())
        ]
        shown += [
            "## The largest cases",
            "Each is verified by the experiment's verifier after as many iterations as there are planes of nodes: by "
            "then a load\non the last plane has reached all of them. The peak is the driver's, with verification.",
            table(["rung", "nodes", "iterations", "peak, GiB"], rows),
        ]
    return shown


def large_cases(words: Sequence[str]) -> dict[str, int]:
    """Return rungs and nodes from words such as 65-offsets=160; none from "none". Raises ValueError."""
    if list(words) == ["none"]:
        return {}
    pairs = [word.partition("=") for word in words]
    return {name: int(nodes) for name, _, nodes in pairs}


class Kept(BaseModel):
    """What was measured, or why it was not, by rung; large cases with their nodes in each direction."""

    sizes: tuple[int, int]
    where: str
    small: dict[str, Grown | str] = {}
    large: dict[str, tuple[int, Solved | str]] = {}

    @property
    def right(self) -> bool:
        """Whether nothing failed and no rung took more than what is asked."""
        told = [*self.small.values(), *(one for _, one in self.large.values())]
        failed = any(isinstance(one, str) and one.startswith(_FAILED) for one in told)
        return not failed and all(one.met for one in told if isinstance(one, Grown))


def run(found: Found, kept: Kept, large: dict[str, int], only: str, file: Path) -> None:
    """Measure all, print each as it comes, and keep it."""
    team = Team(threads=cores_now())
    modules = {module.name: module for module in found.rungs if only in module.name}
    for name, module in modules.items():
        try:
            kept.small[name] = measure(module, kept.sizes, team)
        except (Wrong, DriverFailed) as failure:
            kept.small[name] = f"{_FAILED} {failure}"
        print(name, kept.small[name], flush=True)
        write_whole(file, kept.model_dump_json(indent=1))
    for name, nodes in large.items():
        if name not in modules:
            continue
        grown = kept.small[name]
        try:
            per_node = grown.whole if isinstance(grown, Grown) else 0.0
            kept.large[name] = nodes, grown if isinstance(grown, str) else solve(modules[name], nodes, per_node, team)
        except (Wrong, DriverFailed) as failure:
            kept.large[name] = nodes, f"{_FAILED} {failure}"
        print(name, *kept.large[name], flush=True)
        write_whole(file, kept.model_dump_json(indent=1))


def main(
    sizes: Annotated[tuple[int, int], typer.Option(help="Nodes in each direction of two cubes.")] = (32, 96),
    large_rungs: Annotated[
        list[str] | None,
        typer.Option("--large", metavar="RUNG=NODES", help="A largest case; may be repeated. none: leave them out."),
    ] = None,
    only: Annotated[str, typer.Option(help="Measure rungs whose name contains this again, and keep the others.")] = "",
    samples: Annotated[Path, typer.Option(help="File that keeps what was measured.")] = SAMPLES,
    to: PageOption = PAGE,
) -> int:
    """Measure and write the page. Exit code 1 where a rung took more than asked or a result was wrong."""
    settings = Settings()
    found = find_experiment(settings.root_folder / "experiments", settings.build_folder, "elasticity")
    names = {module.name for module in found.rungs}
    try:
        large = LARGE if large_rungs is None else large_cases(large_rungs)
    except ValueError as error:
        told = f"--large is {' '.join(large_rungs or ())}, expected rungs with nodes such as 65-offsets=160, or none"
        raise typer.BadParameter(told) from error
    if unknown := sorted(set(large) - names):
        raise typer.BadParameter(
            f"--large is {', '.join(unknown)}, expected rungs of elasticity: {', '.join(sorted(names))}"
        )
    if not 2 <= sizes[0] < sizes[1]:
        raise typer.BadParameter(f"--sizes is {sizes}, expected two whole numbers from 2, the smaller one first")
    memory = physical_memory(SystemFiles()) / 2**30
    kept = Kept(sizes=sizes, where=f"{machine()}, {memory:.0f} GiB, {cores_now()} threads or ranks")
    if only and samples.is_file():
        before = Kept.model_validate_json(samples.read_text(encoding="utf-8"))
        if before.sizes != kept.sizes:
            raise typer.BadParameter(
                f"--sizes is {kept.sizes}, expected {before.sizes}, those of the rungs that are kept"
            )
        kept = before.model_copy(update={"where": kept.where})
    samples.parent.mkdir(parents=True, exist_ok=True)
    run(found, kept, large, only, samples)
    text = parts(kept.small, kept.large, kept.sizes)
    write_page(to, "What a node of the grid takes of memory", "elasticity_memory", *text, on=kept.where)
    return 0 if kept.right else 1
