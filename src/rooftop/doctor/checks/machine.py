"""What of the machine makes samples differ: quotas, the clock, huge pages, hardware threads, a hypervisor."""

import os
import time

from rooftop.doctor.check import Found, Remedy, check, limited, ok
from rooftop.doctor.surroundings import Surroundings
from rooftop.machine.cgroup import cgroup_limits
from rooftop.machine.conditions import StealMeter, chosen, governors, steal_since_boot
from rooftop.text.quantities import percent, size


@check(
    "cgroup CPU quota",
    "machine",
    "the kernel stops all threads for part of each period: samples of more threads than that are meaningless",
    Remedy(
        command="docker update --cpus 0 CONTAINER",
        remark="or give whole processors instead, such as --cpuset-cpus; without it, fewer threads are used",
    ),
)
def quota(here: Surroundings) -> Found:
    """Compare the quota with the usable processors."""
    limits = cgroup_limits(here.files)
    cores = len(os.sched_getaffinity(0))
    if limits.cpu_quota is None:
        return ok("none")
    evidence = f"{limits.cpu_quota:g} processors' time on {cores}, stopped in {limits.throttled or 0} periods so far"
    return limited(evidence) if limits.cpu_quota < cores else ok(evidence)


@check(
    "cgroup memory limit",
    "machine",
    "cases that do not fit are skipped",
    Remedy(remark="raise the container's memory limit"),
)
def memory(here: Surroundings) -> Found:
    """Read the limit."""
    limit = cgroup_limits(here.files).memory_bytes
    return ok("none" if limit is None else f"{size(limit)}, respected by working sets")


@check(
    "frequency governor",
    "machine",
    "short samples start at a low clock: first runs look slow and samples spread",
    Remedy(
        command="echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
        root=True,
        remark="until the next boot",
    ),
)
def governor(here: Surroundings) -> Found:
    """Read it."""
    names = governors(here.files, os.sched_getaffinity(0))
    if names is None:
        return ok("not visible: firmware or the hypervisor decides")
    return ok(names) if names == "performance" else limited(f"{names}, expected performance")


@check(
    "transparent huge pages",
    "machine",
    "bandwidth and latency of large arrays include TLB misses; the figures for huge pages are skipped",
    Remedy(
        command="echo madvise | tee /sys/kernel/mm/transparent_hugepage/enabled",
        root=True,
        remark="until the next boot",
    ),
)
def thp(here: Surroundings) -> Found:
    """Read the setting."""
    mode = chosen(here.files.text("/sys/kernel/mm/transparent_hugepage/enabled"))
    if mode in ("always", "madvise"):
        return ok(mode)
    return limited("this kernel has none" if mode is None else f"{mode}, expected madvise or always")


@check(
    "SMT",
    "machine",
    "as many threads as processors are twice as many as cores: speed-ups stop at half of them",
    Remedy(
        command="echo off | tee /sys/devices/system/cpu/smt/control",
        root=True,
        remark="or measure with --threads set to the number of cores",
    ),
)
def smt(here: Surroundings) -> Found:
    """Read the setting."""
    control = here.files.text("/sys/devices/system/cpu/smt/control")
    active = here.files.number("/sys/devices/system/cpu/smt/active")
    if active == 1:
        return limited(f"on (control: {control}): two threads share a core's ports and caches")
    return ok(f"off (control: {control})" if control else "not visible; taken as off")


_NOTABLE = 0.01
_INTERVAL_S = 0.3


@check(
    "steal",
    "machine",
    "samples are slow whenever a neighbour runs: more pairs are needed, and small effects stay unresolved",
    Remedy(remark="no setting here helps: use a dedicated host, or measure when it is quiet"),
)
def steal(here: Surroundings) -> Found:
    """Measure it for a moment, and since boot."""
    meter = StealMeter(here.files)
    time.sleep(_INTERVAL_S)
    now, ever = meter.fraction(), steal_since_boot(here.files)
    if ever is None:
        return ok("not visible")
    evidence = f"{percent(ever)} of the time wanted since boot" + ("" if now is None else f", {percent(now)} just now")
    return limited(evidence) if max(ever, now or 0.0) > _NOTABLE else ok(evidence)
