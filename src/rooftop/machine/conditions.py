"""Conditions of the machine that may explain a measurement, such as governor and load (rule 10, docs/measuring.md)."""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.machine.cgroup import cgroup_limits
from rooftop.machine.processor import format_cpu_list, processor
from rooftop.machine.system_files import SystemFiles
from rooftop.settings import Settings

_STEAL_FIELD = 7  # of user nice system idle iowait irq softirq steal; user and nice include guest times
_CPU = "/sys/devices/system/cpu"


@dataclass(frozen=True)
class CpuTimes:
    """Ticks since boot, summed over all processors."""

    steal: int
    busy: int  # all but idle and iowait; includes steal
    total: int


def parse_cpu_times(stat: str) -> CpuTimes | None:
    """Parse the first line of /proc/stat; None if it is malformed."""
    words = stat.split("\n", 1)[0].split()
    if not words or words[0] != "cpu":
        return None
    try:
        ticks = [int(word) for word in words[1 : _STEAL_FIELD + 2]]
    except ValueError:
        return None
    if len(ticks) <= _STEAL_FIELD or min(ticks) < 0:
        return None
    return CpuTimes(ticks[_STEAL_FIELD], sum(ticks) - ticks[3] - ticks[4], sum(ticks))


class StealMeter:
    """Measure steal from the meter's creation (start of a campaign) to a call of ``fraction`` (its end)."""

    def __init__(self, files: SystemFiles | None = None) -> None:
        self._files = files or SystemFiles()
        self._start = self._now()

    def _now(self) -> CpuTimes | None:
        return parse_cpu_times(self._files.text("/proc/stat") or "")

    def fraction(self) -> float | None:
        """Return steal as a share of busy time, 0 to 1; None if nothing was counted."""
        now = self._now()
        if now is None or self._start is None or now.busy <= self._start.busy:
            return None
        return max(0.0, (now.steal - self._start.steal) / (now.busy - self._start.busy))


def steal_since_boot(files: SystemFiles) -> float | None:
    """Return steal as a share of busy time since boot, 0 to 1; None if it is unknown."""
    now = parse_cpu_times(files.text("/proc/stat") or "")
    return now.steal / now.busy if now is not None and now.busy > 0 else None


def chosen(text: str | None) -> str | None:
    """Return the bracketed word of "always [madvise] never", or the text itself if it has no brackets."""
    if text is None:
        return None
    match = re.search(r"\[([^\]]*)\]", text)
    return match[1] if match else text


def huge_page_mode(files: SystemFiles) -> str | None:
    """Return when the system backs memory by huge pages unasked: always, madvise or never; None: not known."""
    return chosen(files.text("/sys/kernel/mm/transparent_hugepage/enabled"))


def governors(files: SystemFiles, cpus: set[int]) -> str | None:
    """Return the frequency governors of these processors, such as "performance"; None if there are none."""
    names = {files.text(f"{_CPU}/cpu{cpu}/cpufreq/scaling_governor") for cpu in cpus} - {None, ""}
    return ", ".join(sorted(name for name in names if name)) or None


def turbo(files: SystemFiles) -> bool | None:
    """Return whether the clock may exceed its nominal frequency; None if unknown."""
    no_turbo = files.number(f"{_CPU}/intel_pstate/no_turbo")
    if no_turbo is not None:
        return no_turbo == 0
    boost = files.number(f"{_CPU}/cpufreq/boost")
    return None if boost is None else boost == 1


def build_conditions(build_folder: Path) -> dict[str, Any] | None:
    """Return how a build was compiled, from its build.json; None if that cannot be read."""
    try:
        record = json.loads((build_folder / "build.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict):
        return None
    return {
        "compiler": " ".join(str(record[key]) for key in ("compiler", "compiler_version") if record.get(key)) or None,
        "flags": record.get("flags"),
        "build": {key: value for key, value in record.items() if key in ("build_type", "isa_flags", "sanitize")},
    }


def conditions(
    *,
    interval_s: float = 0.2,
    files: SystemFiles | None = None,
    build_folder: Path | None = None,
    cpus: set[int] | None = None,
) -> dict[str, Any]:
    """Return the conditions as plain data; None where the system does not report a value. Fractions are 0 to 1.

    Takes ``interval_s`` seconds, during which steal is counted.
    """
    files = files or SystemFiles()
    usable = os.sched_getaffinity(0) if cpus is None else cpus
    meter = StealMeter(files)
    if interval_s > 0:
        time.sleep(interval_s)
    limits = cgroup_limits(files)
    load = (files.text("/proc/loadavg") or "").split()[:3]
    compiled = build_conditions(Settings().build_folder if build_folder is None else build_folder)
    return {
        "kernel": files.text("/proc/sys/kernel/osrelease"),
        "governor": governors(files, usable),
        "frequency_driver": files.text(f"{_CPU}/cpu{min(usable, default=0)}/cpufreq/scaling_driver"),
        "turbo": turbo(files),
        "smt": files.text(f"{_CPU}/smt/control"),
        "smt_active": None if (active := files.number(f"{_CPU}/smt/active")) is None else active == 1,
        "thp": huge_page_mode(files),
        "thp_defrag": chosen(files.text("/sys/kernel/mm/transparent_hugepage/defrag")),
        "numa_balancing": files.number("/proc/sys/kernel/numa_balancing"),
        "clock_source": files.text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "hypervisor": processor(files).hypervisor,
        "affinity": format_cpu_list(usable),
        "cgroup": {
            "version": limits.version,
            "cpu_quota": limits.cpu_quota,
            "memory_bytes": limits.memory_bytes,
            "throttled_periods": limits.throttled,
        },
        "steal": {
            "since_boot": steal_since_boot(files),
            "over_interval": meter.fraction(),
            "interval_s": interval_s,
        },
        "load": [float(word) for word in load if re.fullmatch(r"\d+\.\d+", word)],
        **(compiled or {"compiler": None, "flags": None, "build": {}}),
    }
