"""The declarations that an ``experiments/NAME/experiment.py`` is made of.

Such a file holds data only and binds one name, ``experiment``::

    from rooftop.ladder.experiment import Case, Experiment

    experiment = Experiment(
        title="Dot product of two vectors",
        question="How many accumulators does a dot product need?",
        rate_unit="GFLOP/s",
        rate_scale=1e9,
        sizes={
            "quick": [Case(name="64Ki", parameters={"n": 65536}, nominal=2 * 65536)],
            "L": lambda: [Case(f"{n}", {"n": n}, 2.0 * n) for n in (1 << 20, 1 << 24)],
        },
    )

Rungs and peers are not declared: they are found by their file names (``rungs/NN-idea[.isa].cpp``, ``peers/name.cpp``).
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from rooftop.errors import Misuse
from rooftop.machine.file_system import file_system_of
from rooftop.machine.processor import ISAS


@dataclass(frozen=True)
class Case:
    """One layer, one grid, one instance.

    name        short, unique within its size
    parameters  what the driver's ``set_up`` takes, JSON values only
    nominal     work of one run as the rate counts it: rate = nominal / seconds / rate_scale
    workers     numbers of threads (of ranks, where a rung is an MPI program) that every rung is measured with, in turn
                and each against itself with the fewest; none: as many as the campaign has
    isa         the widest instruction set that all programs are held to in this case, whose peak is then what limits
                are computed from; none: the best that the processor has
    cold        each run begins without its files in the system's cache (rungs start anew, and drop them): limits count
                the device of the file system on which the experiment's files are
    """

    name: str
    parameters: dict[str, Any]
    nominal: float
    workers: Sequence[int] = ()
    isa: str | None = None
    cold: bool = False

    def __post_init__(self) -> None:
        """Refuse what could not be stored or divided by."""
        if not self.name or not self.name.isprintable():
            raise Misuse(f"a case's name is {self.name!r}, expected a short printable text")
        if not (math.isfinite(self.nominal) and self.nominal > 0):
            raise Misuse(f"case {self.name}: nominal is {self.nominal!r}, expected work of one run, a number above 0")
        rising = all(a < b for a, b in pairwise(self.workers))
        if not (rising and all(isinstance(count, int) and count > 0 for count in self.workers)):
            raise Misuse(f"case {self.name}: workers is {self.workers!r}, expected rising whole numbers above 0")
        if self.isa is not None and self.isa not in ISAS:
            raise Misuse(f"case {self.name}: isa is {self.isa!r}, expected one of {', '.join(ISAS)}")


@dataclass(frozen=True)
class Files:
    """Where the programs of an experiment keep the files that they read and write.

    variable  of the environment, which names the folder
    name      of the folder among temporary files, where the variable is not set
    """

    variable: str
    name: str

    @property
    def folder(self) -> Path:
        """The folder, which the first program makes that needs it."""
        return Path(os.environ.get(self.variable) or Path(tempfile.gettempdir()) / self.name)


@dataclass(frozen=True)
class Prediction:
    """What is expected of the machine, before it is measured, from the figures that the probes found.

    of       a rung's name
    over     another's: the formula gives how many times the time of this one `of` takes; None: the seconds of one run
    less     another's: the formula gives by how many seconds of one run `of` takes longer than this one
    formula  an expression of figure(metric, level=…, isa=…, precision=…), in the units of ``rooftop probe --json``, of
             cache(level) in bytes, of message(bytes) and exchange(bytes), the seconds that bytes take from one rank to
             another and both ways at once, of the case's parameters, of threads, cores and numa_nodes; with sqrt, log2,
             min and max
    up_to    another such expression, where the figures leave a range: its other end; None: a single value
    within   the factor within which prediction and measurement agree, of the ends of a range too
    crowded  the same where there are more workers than cores, which take turns; None: the same
    figure   the name of a figure that the rung tells beside its time, which is meant in place of the time
    """

    of: str
    formula: str
    over: str | None = None
    within: float = 2.0
    figure: str | None = None
    crowded: float | None = None
    less: str | None = None
    up_to: str | None = None

    def __post_init__(self) -> None:
        """Refuse what could not be judged."""
        if self.less is not None and (self.over, self.figure) != (None, None):
            raise Misuse(
                f"prediction of {self.of}: less is {self.less!r}, and over or figure is given, expected one of them"
            )
        for name, factor in (("within", self.within), ("crowded", self.crowded)):
            if factor is not None and not (math.isfinite(factor) and factor > 1):
                raise Misuse(f"prediction of {self.of}: {name} is {factor!r}, expected a factor above 1")

    @property
    def quantity(self) -> str:
        """What is predicted."""
        what = self.figure or "time"
        if self.less is not None:
            return f"{what} of {self.of} - {what} of {self.less}"
        return f"{what} of {self.of}" if self.over is None else f"{what} of {self.of} / {what} of {self.over}"


#: The chapters of the course that labs belong to, in its order.
CHAPTERS = ("Memory", "NUMA and coherence", "Core", "Threads", "MPI", "Networks", "Scaling", "Input and output")


@dataclass(frozen=True)
class Lesson:
    """What a lab has to do with the course.

    chapter   one of CHAPTERS
    place     of the lab in its chapter, from 1
    symptoms  what somebody sees whose program has the effect, each a short sentence
    course    the course's own figures: what each is about, and the figure as the course gives it
    corrects  where the course is wrong or dated: what is so instead, and how that is known
    placed    what the lab places on processors: a name, and OMP_PLACES and OMP_PROC_BIND of it, so that ``rooftop lab
              NAME --on TOPOLOGY`` shows where its threads would go on a machine that is not here
    """

    chapter: str
    place: float
    symptoms: Sequence[str]
    course: Mapping[str, str] = field(default_factory=dict)
    corrects: str = ""
    placed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what could not be listed."""
        if self.chapter not in CHAPTERS:
            raise Misuse(f"a lesson's chapter is {self.chapter!r}, expected one of {', '.join(CHAPTERS)}")
        if not self.symptoms or not all(one.strip() for one in self.symptoms):
            raise Misuse(f"a lesson's symptoms are {self.symptoms!r}, expected at least one sentence")


Cases = Sequence[Case] | Callable[[], Sequence[Case]]


@dataclass(frozen=True)
class Experiment:
    """A problem's sizes, units and limits.

    title            one line
    question         what its ladder answers, one sentence
    rate_unit        such as "GFLOP/s"
    rate_scale       nominal units per rate unit: 1e9 for GFLOP/s
    sizes            size name to its cases, or to a function that gives them (called only when that size is used)
    tunables         parameter name to the values worth trying, the default first; "ranks" and "threads" are workers,
                     where no case has a parameter of that name
    conditions       what the values of tunables must meet together, each as ``rooftop tune --where`` takes it
    expected_s       the seconds that one run is expected to take, by a model, from a case's parameters, the tunables
                     and the numbers of ranks and threads; only ratios count: a tuning begins with the least
    merit            what the report says of it first; empty: the rate. ("time",): the time to solution. Other names are
                     those of figures beside the time, less is better: the quality reached in that time; each case shows
                     the first of them that its programs tell
    total            how the times of a case enter the total over cases: "mean" (as contests do) or "median"
    precision        the roofs that the work is held against: "fp32" or "fp64"
    slow_limit_s     a rung whose single run takes longer is skipped with that reason; None: only the budget limits it
    hang_limit_s     silence after which a driver is taken to hang
    predictions      what is expected of each case, shown beside what was measured
    files            where its files are, if it reads or writes any
    lesson           its place in the course, if it is a lab
    """

    title: str
    rate_unit: str
    rate_scale: float
    sizes: dict[str, Cases]
    question: str = ""
    tunables: dict[str, Sequence[Any]] = field(default_factory=dict)
    conditions: Sequence[str] = ()
    expected_s: Callable[[Mapping[str, Any]], float] | None = None
    merit: Sequence[str] = ()
    total: Literal["mean", "median"] = "mean"
    precision: str = "fp32"
    slow_limit_s: float | None = None
    hang_limit_s: float = 120.0
    predictions: Sequence[Prediction] = ()
    files: Files | None = None
    lesson: Lesson | None = None

    def __post_init__(self) -> None:
        """Refuse what would only show in the middle of a campaign."""
        if not self.sizes:
            raise Misuse(f"experiment {self.title!r} declares no sizes, expected at least 'quick'")
        if not (math.isfinite(self.rate_scale) and self.rate_scale > 0):
            raise Misuse(f"experiment {self.title!r}: rate_scale is {self.rate_scale!r}, expected a number above 0")
        if self.total not in ("mean", "median"):
            raise Misuse(f"experiment {self.title!r}: total is {self.total!r}, expected 'mean' or 'median'")
        if isinstance(self.merit, str) or ("time" in self.merit and len(self.merit) > 1):
            raise Misuse(
                f"experiment {self.title!r}: merit is {self.merit!r}, expected ('time',) or a tuple of figures' names"
            )
        for name in ("slow_limit_s", "hang_limit_s"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise Misuse(f"experiment {self.title!r}: {name} is {value!r}, expected seconds above 0")

    def cold_on(self, cases: Sequence[Case]) -> str | None:
        """Return the name of the file system whose files are not in the cache when a run of these cases begins.

        None where one of them may find them there.
        """
        if self.files is None or not all(case.cold for case in cases):
            return None
        return file_system_of(self.files.folder).name

    def cases(self, size: str) -> list[Case]:
        """Return the cases of `size`. Raises Misuse for an unknown size, no cases, or two cases of one name."""
        if size not in self.sizes:
            raise Misuse(f"size {size!r} is not one of {', '.join(self.sizes)} of experiment {self.title!r}")
        declared = self.sizes[size]
        cases = list(declared() if callable(declared) else declared)
        if not cases:
            raise Misuse(f"size {size!r} of experiment {self.title!r} has no cases")
        names = [case.name for case in cases]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise Misuse(f"size {size!r} of experiment {self.title!r} has two cases named {twice[0]!r}")
        cold = next((case.name for case in cases if case.cold), None)
        if cold is not None and self.files is None:
            raise Misuse(f"case {cold!r} of experiment {self.title!r} is cold, expected files=Files(…) that it drops")
        return cases
