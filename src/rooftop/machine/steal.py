"""Steal: the share of time in which a hypervisor ran somebody else although this machine had work to do."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.machine.system_files import SystemFiles

_STEAL_FIELD = 7  # of user nice system idle iowait irq softirq steal; guest times are contained in user and nice


@dataclass(frozen=True)
class CpuTimes:
    """Ticks since boot, all processors together."""

    steal: int
    busy: int  # all but idle and waiting for input or output; steal included
    total: int


def parse_cpu_times(stat: str) -> CpuTimes | None:
    """Read the first line of /proc/stat; None where it is not as expected."""
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
    """Steal between its making and a call of ``fraction``: made when a campaign starts, asked when it ends."""

    def __init__(self, files: SystemFiles | None = None) -> None:
        self._files = files or SystemFiles()
        self._start = self._now()

    def _now(self) -> CpuTimes | None:
        return parse_cpu_times(self._files.text("/proc/stat") or "")

    def fraction(self) -> float | None:
        """Return steal over the time that this machine wanted to run, 0 to 1; None where it is not known yet."""
        now = self._now()
        if now is None or self._start is None or now.busy <= self._start.busy:
            return None
        return max(0.0, (now.steal - self._start.steal) / (now.busy - self._start.busy))


def steal_since_boot(files: SystemFiles) -> float | None:
    """Return steal over the time that this machine wanted to run since boot, 0 to 1."""
    now = parse_cpu_times(files.text("/proc/stat") or "")
    return now.steal / now.busy if now is not None and now.busy > 0 else None
