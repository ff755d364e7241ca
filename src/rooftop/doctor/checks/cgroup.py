"""Limits that a container or a service puts on this process."""

import os

from rooftop.doctor.check import Check, Found, limited, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings
from rooftop.machine.cgroup import cgroup_limits
from rooftop.text.quantities import size


def _quota(here: Surroundings) -> Found:
    limits = cgroup_limits(here.files)
    cores = len(os.sched_getaffinity(0))
    if limits.cpu_quota is None:
        return ok("none")
    evidence = f"{limits.cpu_quota:g} processors' time on {cores}, stopped in {limits.throttled or 0} periods so far"
    return limited(evidence) if limits.cpu_quota < cores else ok(evidence)


def _memory(here: Surroundings) -> Found:
    limit = cgroup_limits(here.files).memory_bytes
    return ok("none" if limit is None else f"{size(limit)}, respected by working sets")


quota = Check(
    name="cgroup CPU quota",
    group="machine",
    costs="the kernel stops all threads for part of each period: samples of more threads than that are meaningless",
    look=_quota,
    remedy=Remedy(
        command="docker update --cpus 0 CONTAINER",
        remark="or give whole processors instead, such as --cpuset-cpus; without it, fewer threads are used",
    ),
)
memory = Check(
    name="cgroup memory limit",
    group="machine",
    costs="cases that do not fit are skipped",
    look=_memory,
    remedy=Remedy(remark="raise the container's memory limit"),
)
