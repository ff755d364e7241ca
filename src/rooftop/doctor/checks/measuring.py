"""What measuring and its report can use: counters, tried for real, bound threads, a data folder, hwloc, a browser."""

import ctypes
import errno
import os
import platform
import struct

from rooftop.doctor.check import Check, Found, Remedy, check, limited, missing, newest, ok
from rooftop.doctor.surroundings import Surroundings

_SYSCALL = {"x86_64": 298, "aarch64": 241, "riscv64": 241, "ppc64le": 319}
_ATTR_BYTES = 112  # PERF_ATTR_SIZE_VER5 of linux/perf_event.h
_EXCLUDE_KERNEL_AND_HYPERVISOR = 1 << 5 | 1 << 6
_NO_COUNTERS = Remedy(remark="no setting here helps: use a host that gives its guests counters, or no hypervisor")
_EVENTS = {"cycles": 0, "instructions": 1, "cache misses": 3}  # PERF_COUNT_HW_…


def try_event(config: int) -> int:
    """Open a hardware event for this process, as perf_event_open(2) does; 0 or the error number."""
    number = _SYSCALL.get(platform.machine())
    if number is None:
        return errno.ENOSYS
    attributes = struct.pack("IIQQQQQ", 0, _ATTR_BYTES, config, 0, 0, 0, _EXCLUDE_KERNEL_AND_HYPERVISOR)
    buffer = ctypes.create_string_buffer(attributes, _ATTR_BYTES)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.syscall(number, buffer, 0, -1, -1, 0)
    if descriptor < 0:
        return ctypes.get_errno()
    os.close(descriptor)
    return 0


@check(
    "hardware counters",
    "measuring",
    "diagnoses rest on timing and on the models alone; nothing requires counters",
    Remedy(
        command="sysctl kernel.perf_event_paranoid=1",
        root=True,
        remark="until the next boot",
    ),
)
def counters(here: Surroundings) -> Found:
    """Try each of them."""
    paranoid = here.files.number("/proc/sys/kernel/perf_event_paranoid")
    answers = {name: try_event(config) for name, config in _EVENTS.items()}
    works = [name for name, error in answers.items() if error == 0]
    setting = f"perf_event_paranoid is {paranoid}"
    if len(works) == len(answers):
        return ok(f"{', '.join(works)} can be counted; {setting}")
    if works:
        return limited(f"only {', '.join(works)} can be counted; {setting}")
    error = next(iter(answers.values()))
    if error in (errno.EACCES, errno.EPERM):
        return missing(f"not permitted: {setting}, expected 2 or less")
    if error in (errno.ENOENT, errno.EOPNOTSUPP, errno.ENODEV):
        evidence = f"this machine has no counters, as many virtual ones ({os.strerror(error)}); {setting}"
        return missing(evidence, _NO_COUNTERS)
    return missing(f"the kernel refuses: {os.strerror(error)}; {setting}")


@check(
    "thread binding",
    "measuring",
    "threads wander between cores: samples spread more",
    Remedy(remark="allow sched_setaffinity in the container's or the service's system-call filter"),
)
def binding(here: Surroundings) -> Found:
    """Find out whether threads can be bound: bind this one to a CPU, then restore where it may run."""
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
    except OSError as error:
        return limited(f"sched_setaffinity: {error.strerror}")
    finally:
        os.sched_setaffinity(0, allowed)
    return ok(f"{len(allowed)} processors, threads can be bound to each")


@check(
    "data folder",
    "measuring",
    "no sample, probe or report can be kept",
    Remedy(command='export ROOFTOP_HOME="$HOME/.rooftop"', remark="any folder that you may write will do"),
    required=True,
)
def home(here: Surroundings) -> Found:
    """Ask whether it can be written."""
    folder = here.settings.home_folder
    return ok(str(folder)) if here.writable(folder) else missing(f"{folder} cannot be written")


hwloc = Check(
    "hwloc",
    "measuring",
    "the topology is read from /sys: the report draws the machine from the list of caches",
    newest("lstopo-no-graphics"),
    Remedy(debian=("hwloc-nox",)),
)


@check(
    "Chromium",
    "report",
    "the tests that look at the report in a browser are skipped; the report itself needs none to be written",
    Remedy(debian=("chromium",)),
)
def chromium(here: Surroundings) -> Found:
    """Look for a browser."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := here.which(name):
            return ok(path)
    return missing("no chromium or google-chrome")
