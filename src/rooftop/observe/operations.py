"""Count a command's floating-point operations and lines from memory, in all and by functions, where perf can."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.command.perf_counts import Count, counting, read_counts
from rooftop.command.process import Finished
from rooftop.machine import SystemFiles
from rooftop.observe.operation_events import INSTRUCTIONS, LINE_BYTES, TWO_KINDS, Family, Operations, families
from rooftop.observe.profile import HZ, NoProfile, Run, parse_report, reported

_PROBE_S = 20.0
_REFUSED = ("perf_event_paranoid", "Access to performance monitoring")  # in what perf says
_SECTION = re.compile(r"# Samples: .* of event '(?:[^'/]*/)?([^'/:]+)", re.MULTILINE)

Function = tuple[str, str]  # file and name


class NoCounters(Exception):
    """Nothing could be counted; the text gives the reason."""


@dataclass(frozen=True)
class Chosen:
    """The events that a machine counts. `lacking`: what it does not count, with the reason."""

    flops: tuple[Operations, ...]
    memory: tuple[str, ...]
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True)
class Counted:
    """What was counted in one run.

    flops      by the events; empty: not known
    lines      from memory; None: not known
    least      smallest share of the time in which an event was counted
    events     as counted; memory: those of which `lines` is the sum
    functions  share of an event's counts by functions; empty: not known
    """

    finished: Finished
    flops: Mapping[Operations, float]
    lines: float | None
    instructions: float | None
    least: float
    events: Mapping[str, float]
    memory: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    functions: Mapping[str, Mapping[Function, float]] = field(default_factory=dict)

    @property
    def memory_bytes(self) -> float | None:
        """Return the bytes read from memory."""
        return self.lines * LINE_BYTES if self.lines is not None else None


def _refusal(event: str) -> str | None:
    """Return why an event is not counted; None if it is. Raises NoCounters where perf may count nothing."""
    with tempfile.TemporaryDirectory(prefix="rooftop-perf-") as folder:
        file = Path(folder) / "counts"
        words = counting(["true"], [event], file)
        try:
            done = subprocess.run(
                words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PROBE_S, check=False, text=True
            )
        except subprocess.TimeoutExpired:
            return f"perf stat took longer than {_PROBE_S:.0f} s"
        if any(text in done.stderr for text in _REFUSED):
            raise NoCounters("no counters: perf may not count them (kernel.perf_event_paranoid, expected 2 or less)")
        if done.returncode != 0 or not file.is_file():
            return f"perf does not know {event}"
        count = read_counts(file.read_text(encoding="utf-8", errors="replace")).get(event)
    if count is not None and count.value is not None:
        return None
    return f"{event} is {count.said.strip('<>') if count is not None and count.said else 'not counted'}"


def _memory(known: Sequence[Family]) -> Iterator[tuple[tuple[str, ...], str | None]]:
    """Yield the sets of events for lines from memory, each with the reason why it is not counted."""
    for family in known:
        for events in family.memory:
            yield events, next((reason for event in events if (reason := _refusal(event))), None)


def chosen(files: SystemFiles) -> Chosen:
    """Return which events this machine counts. Raises NoCounters where it counts none."""
    if shutil.which("perf") is None:
        raise NoCounters("a roofline point: perf is not installed (Debian: apt install linux-perf)")
    if (reason := _refusal("cycles")) is not None:
        raise NoCounters(f"no counters: {reason} here, as on many virtual machines: no roofline point")
    if files.path(TWO_KINDS).exists():
        raise NoCounters("a roofline point: the processor has two kinds of cores, and one counts no operations")
    known, lacking = families(files), []
    refused = {family.flops[0].event: _refusal(family.flops[0].event) for family in known}
    here = [family for family in known if refused[family.flops[0].event] is None]
    flops: tuple[Operations, ...] = ()
    if here:
        first, *others = here[0].flops
        flops = (first, *(one for one in others if _refusal(one.event) is None))
    else:
        lacking.append(f"floating-point operations: {'; '.join(str(reason) for reason in refused.values())}")
    reasons: list[str] = []
    for memory, reason in _memory(here[:1] or known):
        if reason is None:
            return Chosen(flops, memory, tuple(lacking))
        reasons.append(reason)
    lacking.append(f"traffic of memory: {'; '.join(reasons)}")
    if not flops:
        raise NoCounters(f"a roofline point: {'; '.join(lacking)}")
    return Chosen(flops, (), tuple(lacking))


def counted(words: Sequence[str], run: Run, files: SystemFiles) -> Counted:
    """Run a command twice below perf, and return what was counted. Raises NoCounters, and what `run` does.

    The second run tells functions apart, by samples that are taken every so many counts.
    """
    asked = chosen(files)
    events = [*(one.event for one in asked.flops), *asked.memory]
    with tempfile.TemporaryDirectory(prefix="rooftop-perf-") as folder:
        file = Path(folder) / "counts"
        finished = run(counting(words, [INSTRUCTIONS, *events], file))
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    counts = read_counts(text)
    if not text.strip():
        raise NoCounters(f"a roofline point: perf stat failed: {finished.said or 'it wrote nothing'}")
    lacking = list(asked.lacking)

    def total(names: Sequence[str], what: str) -> list[float] | None:
        """Return the counts of events; None, with the reason told, if one of them was not counted."""
        found = [counts.get(name, Count(None)).value for name in names]
        missed = [name for name, value in zip(names, found, strict=True) if value is None]
        if missed:
            lacking.append(f"{what}: {missed[0]} was not counted: the command runs too briefly to count all in turn")
            return None
        return [value for value in found if value is not None]

    operations = total([one.event for one in asked.flops], "floating-point operations")
    lines = total(asked.memory, "traffic of memory") if asked.memory else None
    told = [counts[name] for name in events if name in counts and counts[name].value is not None]
    happened = [name for name in events if (counts.get(name, Count(None)).value or 0) > 0]
    of_functions: dict[str, dict[Function, float]] = {}
    if operations and sum(operations) > 0:
        of_functions = _by_function(words, run, happened, finished.status, lacking)
    return Counted(
        finished,
        dict(zip(asked.flops, operations or [], strict=bool(operations))),
        sum(lines) if lines is not None else None,
        counts.get(INSTRUCTIONS, Count(None)).value,
        min((one.counted for one in told), default=1.0),
        {name: one.value for name, one in counts.items() if one.value is not None},
        asked.memory if lines is not None else (),
        tuple(lacking),
        of_functions,
    )


def parse_sections(text: str) -> dict[str, dict[Function, float]]:
    """Parse what perf report prints of several events: the share of each event's counts by functions."""
    parts = _SECTION.split(text)[1:]
    return {
        event: {(one.file, one.function): one.share for one in parse_report(lines)}
        for event, lines in zip(parts[::2], parts[1::2], strict=True)
    }


def _by_function(
    words: Sequence[str], run: Run, events: Sequence[str], status: int, lacking: list[str]
) -> dict[str, dict[Function, float]]:
    """Return the share of each event's counts by functions; empty, with the reason told, if it cannot be had.

    status  how the command ended as its events were counted: a run that ends otherwise is no other run of the same
    """
    with tempfile.TemporaryDirectory(prefix="rooftop-perf-") as folder:
        file = Path(folder) / "perf.data"
        asked = ",".join(f"{event}:u" for event in events)
        finished = run(("perf", "record", "-q", "-B", "-F", str(HZ), "-e", asked, "-o", str(file), "--", *words))
        try:
            if not file.is_file() or file.stat().st_size == 0:
                raise NoProfile(f"perf record failed: {finished.said or 'it wrote nothing'}")
            if finished.status != status:
                how = f"the run ended with status {finished.status}, and with {status} below perf stat"
                raise NoProfile(f"perf record failed: {how}{f': {finished.said}' if finished.said else ''}")
            return parse_sections(reported("perf", file))
        except NoProfile as reason:
            lacking.append(f"roofline points of functions: {reason}")
            return {}
