"""The documents that Rooftop's commands print with ``--json`` and that its report is drawn from.

Every document names its ``schema``; a field is never given another meaning under the same version. Times are in
seconds, rates in the experiment's own unit, bytes in bytes, and ratios are speed ratios: above 1 means that the subject
is faster than what it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from rooftop.driver.timeline import Timeline
from rooftop.files.document import Document
from rooftop.text.plural import some

Outcome = Literal["ok", "wrong", "skipped", "failed"]
Verdict = Literal["faster", "slower", "not resolved"]
Resolved = Literal["faster", "slower"]
Question = Literal["median", "mean", "distribution"]


class Roof(Document):
    """One limit of the machine, as a probe measured it."""

    # "fma", "read", "write", "copy", "triad", "latency", "core_to_core", "page_fault", "timer", "aa_noise", …
    metric: str
    value: float
    unit: str  # "flop/s", "byte/s", "reads/s", "s", "1" (a ratio)
    threads: int = 1
    level: str | None = None  # "L1", "L2", "L3", "memory"; "page cache" and "device" of files
    bytes: int | None = None  # working set of the measurement, all threads together
    isa: str | None = None  # "scalar", "sse2", "avx2", "avx512", "neon"
    precision: str | None = None  # "fp32", "fp64"
    detail: dict[str, Any] = Field(default_factory=dict)


class Machine(Document):
    """What the measurements were made on: what stays (identity, topology, roofs) and what held then (conditions)."""

    id: str  # a hash of what identifies the machine to the bench: the key of the probe cache
    processor: str
    architecture: str
    cores: int  # usable by this process, by affinity and cgroup
    threads_per_core: int
    numa_nodes: int
    memory_bytes: int  # usable by this process: the smaller of physical memory and cgroup limit
    caches: list[dict[str, Any]] = Field(default_factory=list)  # {"level": "L2", "bytes": …, "shared_by": 1}
    isas: list[str] = Field(default_factory=list)
    topology_xml: str | None = None  # as lstopo prints it
    # best seen: of the probe cache and this campaign's own brief measurements
    roofs: list[Roof] = Field(default_factory=list)
    # governor, smt, thp, cgroup, steal, load, compiler, flags, …
    conditions: dict[str, Any] = Field(default_factory=dict)
    missing: list[str] = Field(default_factory=list)  # facts that could not be had, each with its reason


class Comparison(Document):
    """A paired, interleaved comparison: the median of the paired log-ratios with a sign-test 95 % interval.

    resolved  which of median, mean and distribution show a difference, and what they say; where they contradict each
              other the verdict is "not resolved"
    mean      the ratio of the mean costs, with its 95 % interval; None below two pairs
    """

    against: str
    ratio: float
    lo: float
    hi: float
    pairs: int
    verdict: Verdict
    floor: float  # the A/A noise floor of this campaign, as a relative difference: 0.01 is 1 %
    resolved: dict[Question, Resolved] = Field(default_factory=dict)
    mean: float | None = None
    mean_lo: float | None = None
    mean_hi: float | None = None


class RungResult(Document):
    """One rung or peer on one case. Fields that the outcome leaves without meaning are None."""

    name: str
    kind: Literal["rung", "peer"]
    idea: str = ""  # first line of the source file's header
    outcome: Outcome
    reason: str | None = None
    stage: str | None = None  # at which a failed rung failed: "launch", "case", "calibrate", "sample", "verify", …
    error: float | None = None  # of the result, in the experiment's own measure
    tolerance: float | None = None
    algorithm: str | None = None
    iterations: int | None = None  # runs per sample
    samples_s: list[float] = Field(default_factory=list)  # seconds for one run, one per sample, in the order taken
    median_s: float | None = None
    lo_s: float | None = None  # sign-test 95 % interval of the median
    hi_s: float | None = None
    rate: float | None = None
    rate_unit: str | None = None
    limit: float | None = None  # the rate at this rung's own roof, in rate_unit
    limit_by: str | None = None  # "compute", "memory", "L3", "L2", "device", …
    roof_fraction: float | None = None
    work: dict[str, Any] | None = None  # fma_flops, add_flops, memory_bytes, working_set_bytes, algorithm
    threads: int | None = None
    binding: list[list[int]] | None = None  # cores that each thread was seen allowed to run on
    vs_below: Comparison | None = None
    vs_best_peer: Comparison | None = None
    vs_asked: list[Comparison] = Field(default_factory=list)  # with what else the experiment's targets name
    timeline: Timeline | None = None  # of its last verified run, where it tells what its ranks did when
    figures: dict[str, float] | None = None  # beside the time, of its last verified run; units are in the names

    @property
    def comparisons(self) -> list[Comparison]:
        """Every one that was made."""
        return [one for one in (self.vs_below, self.vs_best_peer, *self.vs_asked) if one is not None]


class PredictionResult(Document):
    """What was expected of a case from the machine's figures, and what was measured."""

    of: str  # a rung
    over: str | None = None  # another, whose time the time of `of` is divided by; None: seconds of one run
    less: str | None = None  # another, whose time is taken from the time of `of`
    figure: str | None = None  # a figure beside the time, which is meant in its place
    threads: int
    formula: str
    up_to: str | None = None  # the formula of the other end, where a range is predicted
    within: float  # the factor within which they agree
    figures: dict[str, float] = Field(default_factory=dict)  # that the formula used, as it names them
    predicted: float | None = None  # of a range: its lower end
    predicted_to: float | None = None  # its upper end; None: a single value
    measured: float | None = None
    lo: float | None = None  # 95 % interval of what was measured
    hi: float | None = None
    agrees: bool | None = None  # None where one of the two is lacking
    reason: str | None = None  # why one is


class CaseResult(Document):
    """One layer, one grid, one instance."""

    case: str
    parameters: dict[str, Any]
    nominal: float  # work that the rate counts, per run: rate = nominal / seconds / unit scale
    isa: str | None = None  # the instruction set that all programs are held to, whose FMA peak the limits are from
    cold_on: str | None = None  # the file system whose files are not in the cache when a run begins; None: cached
    rungs: list[RungResult]
    blocks: int = 0  # interleaved rounds taken
    stopped: str | None = None  # why sampling ended: "resolved", "budget", "blocks"
    predictions: list[PredictionResult] = Field(default_factory=list)


class ExperimentResult(Document):
    name: str
    title: str
    question: str = ""
    chapter: str | None = None  # of the course, where the experiment is a lab of it
    size: str
    threads: int
    rate_unit: str
    rate_scale: float = 1.0  # nominal units per rate unit: 1e9 for GFLOP/s
    precision: str = "fp32"  # of the FMA peaks that the limits are computed from
    merit: list[str] = Field(default_factory=list)  # "time", or figures that tell the quality; none: the rate
    cases: list[CaseResult]
    # per rung over all cases: name, kind, seconds (sum), rate (harmonic), cases (ok), of_cases, limit, roof_fraction
    totals: list[dict[str, Any]] = Field(default_factory=list)

    @property
    def isa(self) -> str | None:
        """The instruction set that all cases are held to; None where that differs, or they are held to none."""
        found = {case.isa for case in self.cases}
        return found.pop() if len(found) == 1 else None


class Finding(Document):
    """Something that is not as it should be: what, how that shows, and what to do about it."""

    name: str
    evidence: str
    remedy: str

    @property
    def sentence(self) -> str:
        """All of it on one line."""
        return f"{self.name}: {self.evidence}. {self.remedy}."

    def lines(self, *, verbose: bool = False) -> list[str]:
        """Return what a terminal shows behind the name: the evidence, and the remedy on lines of its own."""
        return [self.evidence, *self.remedy.splitlines()]


class Doubt(Finding):
    """A reason to distrust the measurement.

    about  everything that it is about, by name and each with its figure; the evidence has the first of many
    """

    name: str = Field(alias="doubt")
    about: list[str] = Field(default_factory=list)

    @classmethod
    def about_all(
        cls, doubt: str, about: list[str], remedy: str, *, lead: str = "", between: str = ", "
    ) -> Iterator[Doubt]:
        """Yield the doubt about these, `lead` before the first of them; nothing where there are none."""
        if about:
            yield cls(doubt=doubt, evidence=lead + some(about, between), remedy=remedy, about=about)

    def lines(self, *, verbose: bool = False) -> list[str]:
        """Return one line, and with `verbose` a line more for each of many that it is about."""
        several = len(self.about) > 1
        lead = self.evidence.partition(self.about[0])[0] if several else ""
        evidence = f"{len(self.about)}, such as {lead}{self.about[0]}" if several else self.evidence
        return [f"{evidence}. {self.remedy}", *(self.about if several and verbose else ())]


class CommandDocument(Document):
    """What the documents of campaigns about commands have in common."""

    schema_: str = Field(alias="schema")
    rooftop: str  # version
    campaign: str
    started: str  # ISO 8601, UTC
    metric: str
    unit: str
    better: Literal["lower", "higher"]
    machine: Machine
    doubts: list[Doubt] = Field(default_factory=list)
    reproduce: str | None = None  # command line that asks for the same again, with a new seed


class ClimbDocument(Document):
    """What ``rooftop climb --json`` prints and ``rooftop report`` draws."""

    schema_: Literal["rooftop/climb/1"] = Field(default="rooftop/climb/1", alias="schema")
    rooftop: str  # version
    campaign: str
    started: str  # ISO 8601, UTC
    machine: Machine
    experiments: list[ExperimentResult]
    doubts: list[Doubt] = Field(default_factory=list)


class FileSystemFacts(Document):
    """A mounted file system. Bytes are 0 where nothing tells them."""

    name: str  # tells it from all others that are mounted
    type: str  # "ext4", "tmpfs", "nfs4", …
    source: str
    mount_point: str
    kind: Literal["local", "memory", "remote", "overlay"]
    bytes: int
    free_bytes: int


class DeviceDocument(Document):
    """What ``rooftop probe --device FOLDER --json`` prints."""

    schema_: Literal["rooftop/probe-device/1"] = Field(default="rooftop/probe-device/1", alias="schema")
    rooftop: str
    measured: str  # ISO 8601, UTC
    cached: bool
    machine: str  # its id
    folder: str
    file_system: FileSystemFacts
    # "file_read", "file_write", "file_random_read", each "…_direct" too; of the levels "page cache" and "device"
    roofs: list[Roof] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)  # figures that could not be had, each with its reason


class ProbeDocument(Document):
    """What ``rooftop probe --json`` prints."""

    schema_: Literal["rooftop/probe/1"] = Field(default="rooftop/probe/1", alias="schema")
    rooftop: str
    measured: str  # ISO 8601, UTC
    cached: bool
    machine: Machine
