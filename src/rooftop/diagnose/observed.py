"""What the passes saw of a command."""

from __future__ import annotations

from dataclasses import dataclass, field

from rooftop.command.process import Finished, left_behind
from rooftop.diagnose.chunk_facts import ChunkFacts
from rooftop.diagnose.document import Pass
from rooftop.diagnose.facts import CallFacts, Facts, HotLoop, RankFacts, facts
from rooftop.diagnose.function_facts import FunctionFacts
from rooftop.diagnose.region_facts import OpenMpFacts
from rooftop.diagnose.roofline import Roofline
from rooftop.diagnose.stacks import SampledThread, Stacks
from rooftop.documents import Doubt, Finding
from rooftop.machine import SystemFiles
from rooftop.machine.conditions import huge_page_mode
from rooftop.observe.profile import HotFunction
from rooftop.observe.recording import Recording
from rooftop.observe.threads import Ground
from rooftop.pin.findings import found as placement_problems


@dataclass
class Observed:
    """What the passes saw of a command, filled by one after the other.

    finished     of the first pass; None: it was interrupted
    interrupted  whether there would have been more passes, or more of one
    """

    recording: Recording
    ground: Ground
    finished: Finished | None
    passes: list[Pass] = field(default_factory=list)
    hot: list[HotFunction] | None = None
    hot_loop: HotLoop | None = None
    alone_s: float | None = None
    asleep_switches_per_s: float | None = None
    sealed: str | None = None
    calls: CallFacts | None = None
    functions: FunctionFacts | None = None
    chunks: ChunkFacts | None = None
    openmp: OpenMpFacts | None = None
    mpi: list[RankFacts] | None = None
    roofline: Roofline | None = None
    sampled: list[SampledThread] = field(default_factory=list)
    stacks: Stacks | None = None
    python_stacks: Stacks | None = None
    missing: list[str] = field(default_factory=list)
    interrupted: bool = False

    def ran(self, name: str, finished: Finished, spent_s: float | None = None) -> None:
        """Note that a pass was made."""
        self.passes.append(Pass(name=name, elapsed_s=finished.elapsed_ns * 1e-9, spent_s=spent_s))

    @property
    def sampled_s(self) -> float:
        """The processor time that the samples of the functions stand for: perf shows the kernel's to few users."""
        if self.finished is None:
            return 0.0
        kernel_seen = any(one.kernel for one in self.hot or [])
        return self.finished.user_s + (self.finished.system_s if kernel_seen else 0.0)


def seen(observed: Observed) -> Facts:
    """Return what was seen, as plain figures."""
    finished, ground = observed.finished, observed.ground
    if finished is not None:
        times = {"elapsed": finished.elapsed_ns * 1e-9, "user": finished.user_s, "system": finished.system_s}
    else:
        system_s = sum(story.facts.system_ns for story in ground.scene.stories) * 1e-9
        run_s = sum(story.run_s for story in ground.scene.stories)
        times = {"elapsed": ground.scene.elapsed_s, "user": max(0.0, run_s - system_s), "system": system_s}
    found = facts(observed.recording, ground.scene, len(ground.cpus), times)
    found.nodes, found.huge_pages = ground.places.nodes, huge_page_mode(SystemFiles())
    found.node_cores = ground.places.cores_by_node()
    for thread, story in zip(found.threads, ground.scene.busy, strict=True):
        thread.nodes = ground.places.shares_by_node(story.shares)
    found.hot, found.hot_loop, found.alone_s = observed.hot, observed.hot_loop, observed.alone_s
    found.sealed, found.asleep_switches_per_s = observed.sealed, observed.asleep_switches_per_s
    found.calls, found.chunks, found.function_calls = observed.calls, observed.chunks, observed.functions
    found.mpi, found.missing = observed.mpi, observed.missing
    found.sampled, found.stacks, found.python_stacks = observed.sampled, observed.stacks, observed.python_stacks
    found.openmp_regions, found.roofline = observed.openmp, observed.roofline
    found.placed = [
        Finding(name=one.name, evidence=one.evidence, remedy=one.remedy) for one in placement_problems(ground)
    ]
    return found


def doubts(observed: Observed) -> list[Doubt]:
    """Return why what was seen may not be all, or of something else: other programs used the same cores."""
    left = observed.finished.left if observed.finished is not None else ()
    cut_off = Doubt(
        doubt="Work may have been cut off",
        evidence=left_behind("the command", left),
        remedy="Let it stay in the foreground: a server, for example, has an option for that",
    )
    hints = placement_problems(observed.ground, hints=True)
    others = [
        Doubt(doubt="Other programs ran beside the command", evidence=one.evidence, remedy=one.remedy)
        for one in hints
        if one.name == "others"
    ]
    return [*([cut_off] if left else []), *others]
