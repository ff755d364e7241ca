"""What lets a program's reads of files be measured from the device, in the folder of temporary files."""

import tempfile
from pathlib import Path

from rooftop.doctor.check import Check, Found, Remedy, limited, missing, ok
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


def _file_system(here: Surroundings) -> Found:
    found = file_system_of(_scratch(), here.files)
    evidence = f"{_scratch()}: {found.name}, {size(found.free_bytes)} free"
    if found.kind in _WHY:
        return limited(f"{evidence}; {_WHY[found.kind]}")
    return ok(evidence) if found.free_bytes >= _LITTLE_BYTES else limited(f"{evidence}, expected 2 GiB")


def _page_cache(here: Surroundings) -> Found:
    if here.is_root and drops_caches(here.files):
        return ok(f"can be dropped as a whole ({DROP_CACHES}), and file by file")
    return limited(f"{DROP_CACHES} cannot be written; files are dropped one by one, by posix_fadvise")


def _direct(here: Surroundings) -> Found:
    reason = refuses_direct(_scratch())
    return ok(f"{_scratch()} takes it") if reason is None else missing(f"{_scratch()} does not take it: {reason}")


def _io_uring(here: Surroundings) -> Found:
    reason = refuses_io_uring()
    if reason is None:
        return ok("permitted")
    setting = here.files.number("/proc/sys/kernel/io_uring_disabled")
    return missing(f"refused: {reason}" + ("" if setting is None else f"; kernel.io_uring_disabled is {setting}"))


def _fio(here: Surroundings) -> Found:
    line = here.first_line("fio", "--version")
    return ok(line) if line else missing("no fio found")


file_system = Check(
    name="temporary files",
    group="machine",
    costs="what is read from there is no evidence about this machine's disk, or does not fit",
    look=_file_system,
    remedy=Remedy(
        command="export TMPDIR=/var/tmp",
        remark="any folder on a local disk will do; rooftop probe --device measures one",
    ),
)
page_cache = Check(
    name="page cache",
    group="measuring",
    costs="cold runs may find pages that others have mapped, and what a file system keeps beside its files",
    look=_page_cache,
    remedy=Remedy(remark="run as root, outside a container whose /proc/sys is read-only"),
)
direct = Check(
    name="O_DIRECT",
    group="measuring",
    costs="the device cannot be measured past the cache, only with the cache dropped",
    look=_direct,
    remedy=Remedy(
        command="export TMPDIR=/var/tmp", remark="a folder on ext4, XFS or another file system that takes it"
    ),
)
io_uring = Check(
    name="io_uring",
    group="measuring",
    costs="programs that queue reads by io_uring cannot be run; nothing of the bench requires it",
    look=_io_uring,
    remedy=Remedy(
        command="sysctl kernel.io_uring_disabled=0",
        root=True,
        remark="until the next boot; a container's filter of system calls may refuse it, too",
    ),
)
fio = Check(
    name="fio",
    group="peers",
    costs="cold reads are not held against fio in the same minute",
    look=_fio,
    remedy=Remedy(debian=("fio",)),
)
