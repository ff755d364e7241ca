"""What lets a program's reads of files be measured from the device, in the folder of temporary files."""

import tempfile
from pathlib import Path

from rooftop.doctor.check import Check, Found, Remedy, check, limited, missing, newest, ok
from rooftop.doctor.surroundings import Surroundings
from rooftop.machine.file_system import DROP_CACHES, drops_caches, file_system_of, refuses_direct, refuses_io_uring
from rooftop.text.quantities import size

_LITTLE_BYTES = 2 << 30
_WHY = {
    "memory": "its files lie in memory, and nothing is ever read from a device",
    "remote": "a server or a host has a cache, too, which cannot be dropped from here",
    "overlay": "its files lie in a folder of another file system, which counts",
}


def _scratch() -> Path:
    return Path(tempfile.gettempdir())


@check(
    "temporary files",
    "machine",
    "what is read from there is no evidence about this machine's disk, or does not fit",
    Remedy(
        command="export TMPDIR=/var/tmp",
        remark="any folder on a local disk will do; rooftop probe --device measures one",
    ),
)
def file_system(here: Surroundings) -> Found:
    """Return the name of the file system and its free space."""
    found = file_system_of(_scratch(), here.files)
    evidence = f"{_scratch()}: {found.name}, {size(found.free_bytes)} free"
    if found.kind in _WHY:
        return limited(f"{evidence}; {_WHY[found.kind]}")
    return ok(evidence) if found.free_bytes >= _LITTLE_BYTES else limited(f"{evidence}, expected 2 GiB")


@check(
    "page cache",
    "measuring",
    "cold runs may find pages that others have mapped, and what a file system keeps beside its files",
    Remedy(remark="run as root, outside a container whose /proc/sys is read-only"),
)
def page_cache(here: Surroundings) -> Found:
    """Ask whether all of it can be dropped."""
    if here.is_root and drops_caches(here.files):
        return ok(f"can be dropped as a whole ({DROP_CACHES}), and file by file")
    return limited(f"{DROP_CACHES} cannot be written; files are dropped one by one, by posix_fadvise")


@check(
    "O_DIRECT",
    "measuring",
    "the device cannot be measured past the cache, only with the cache dropped",
    Remedy(command="export TMPDIR=/var/tmp", remark="a folder on ext4, XFS or another file system that takes it"),
)
def direct(here: Surroundings) -> Found:
    """Open a file with it."""
    reason = refuses_direct(_scratch())
    return ok(f"{_scratch()} takes it") if reason is None else missing(f"{_scratch()} does not take it: {reason}")


@check(
    "io_uring",
    "measuring",
    "programs that queue reads by io_uring cannot be run; nothing of the bench requires it",
    Remedy(
        command="sysctl kernel.io_uring_disabled=0",
        root=True,
        remark="until the next boot; a container's filter of system calls may refuse it, too",
    ),
)
def io_uring(here: Surroundings) -> Found:
    """Set up a ring."""
    reason = refuses_io_uring()
    if reason is None:
        return ok("permitted")
    setting = here.files.number("/proc/sys/kernel/io_uring_disabled")
    return missing(f"refused: {reason}" + ("" if setting is None else f"; kernel.io_uring_disabled is {setting}"))


fio = Check(
    "fio",
    "peers",
    "reads from the device are not compared with fio's in the same minute",
    newest("fio"),
    Remedy(debian=("fio",)),
)
