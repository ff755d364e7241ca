"""How often programs call the allocator and do input or output: told by native/call_counts, loaded before them.

Each process writes a file when it ends by itself or is replaced by another program (exec). None is written by a process
that a signal ends, by a static or setuid program, and by one that leaves through a system call of its own. Calls that
the C library makes itself are not seen: fread and fwrite count, the reads and writes of their buffers do not, and
neither do printf, fgets and the like. Programs that bring an allocator of their own (linked in, or with an operator new
that does not call malloc) are not seen to allocate.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from rooftop.command.files import ELF
from rooftop.command.preload import telling
from rooftop.settings import built

_FOLDER = "ROOFTOP_CALL_COUNTS"

# Names as native/call_counts/counts.h has them.
ALLOCATIONS = ("malloc", "calloc", "realloc", "reallocarray", "posix_memalign", "aligned_alloc", "memalign")
READS = ("read", "pread", "readv", "fread")
WRITES = ("write", "pwrite", "writev", "fwrite")
OPENS = ("open", "openat", "fopen")
CLOSES = ("close", "fclose")
SYNCS = ("fsync", "fdatasync")
# mmap: of anonymous memory only; munmap: of any.
# Not a call: the files of which more was read than they have, and the bytes beyond.
REREAD = "reread"
CALLS = (*ALLOCATIONS, "free", "mmap", "munmap", *READS, *WRITES, "lseek", *OPENS, *CLOSES, *SYNCS, REREAD)
INPUT_OUTPUT = (*READS, *WRITES, "lseek", *OPENS, *CLOSES, *SYNCS)

_LINE = re.compile(r"(?:size|([a-z_]+)) (\d+) (\d+)(?(1) (\d+))", re.ASCII)
_FILE_NAME = re.compile(r"_\d+(-\d+)?\.txt\Z", re.ASCII)  # behind the program's
_POWERS = 64

# elf(5): e_ident, with the class of the file, e_machine, e_phoff, e_phentsize, e_phnum
_ELF_HEADER = struct.Struct("=4sB11sxxH12xQ14xHH")
_ELF_64, _PT_INTERP = 2, 3


@dataclass(frozen=True)
class Calls:
    """Calls of a function, bytes that they asked for or moved, and nanoseconds inside.

    bytes  of calls that succeeded; for an allocation those asked for, none for free
    ns     0 for allocations; some 20 ns of each other call are the clock's
    """

    calls: int = 0
    bytes: int = 0
    ns: int = 0

    def __add__(self, other: Calls) -> Calls:
        return Calls(self.calls + other.calls, self.bytes + other.bytes, self.ns + other.ns)

    @property
    def mean_bytes(self) -> float | None:
        """Bytes per call; None without a call."""
        return self.bytes / self.calls if self.calls else None


@dataclass(frozen=True)
class CallCounts:
    """What processes called, added up.

    of         calls by the function's name; a name of CALLS that is missing was not called
    sizes      allocations by the power of two: at least 2^i and less than 2^(i+1) bytes, 0 bytes included in i = 0
    processes  number of programs that told theirs: one that is replaced by another (exec) counts for itself
    """

    of: Mapping[str, Calls] = field(default_factory=dict)
    sizes: Mapping[int, int] = field(default_factory=dict)
    processes: int = 0

    def __add__(self, other: CallCounts) -> CallCounts:
        of = {name: self.calls(name) + other.calls(name) for name in CALLS if name in self.of or name in other.of}
        powers = sorted({*self.sizes, *other.sizes})
        sizes = {power: self.sizes.get(power, 0) + other.sizes.get(power, 0) for power in powers}
        return CallCounts(of, sizes, self.processes + other.processes)

    def calls(self, *names: str) -> Calls:
        """Return the sum over functions."""
        return sum((self.of.get(name, Calls()) for name in names), Calls())

    @property
    def allocations(self) -> Calls:
        """Calls that allocate, with the bytes asked for; those of mmap are not among them."""
        return self.calls(*ALLOCATIONS)

    @property
    def reads(self) -> Calls:
        """All kinds of reads."""
        return self.calls(*READS)

    @property
    def rereads(self) -> Calls:
        """Files of which more was read than their size, and the bytes beyond: those were read before."""
        return self.calls(REREAD)

    @property
    def writes(self) -> Calls:
        """All kinds of writes."""
        return self.calls(*WRITES)

    @property
    def input_output(self) -> Calls:
        """All that is called on files; bytes are those read and written."""
        return self.calls(*INPUT_OUTPUT)

    def allocations_per_s(self, elapsed_s: float) -> float:
        """Return the rate of allocations over the time that the caller's run took."""
        return self.allocations.calls / elapsed_s

    def median_allocation(self) -> tuple[int, int] | None:
        """Return the bounds in bytes, [from, below), of the power of two in which the median allocation lies."""
        seen = 0
        for power in sorted(self.sizes):
            seen += self.sizes[power]
            if 0 < sum(self.sizes.values()) <= 2 * seen:
                return (1 << power if power else 0, 1 << (power + 1))
        return None


def library(build_folder: Path) -> Path:
    """Return where the library is built."""
    return built(build_folder, "native/libcall_counts.so")


def missing(build_folder: Path) -> str | None:
    """Return the reason why calls cannot be counted; None where they can."""
    wanted = library(build_folder)
    return None if wanted.is_file() else f"{wanted} is not built: 'rooftop build', on Linux with glibc"


def why_silent(word: str, environment: Mapping[str, str]) -> str | None:
    """Return why a program that is started by this word cannot be seen to call anything; None if no reason is known.

    Of a script, its interpreter counts, which is not looked at here. What the program starts may be seen all the same.
    """
    found = word if "/" in word else shutil.which(word, path=environment.get("PATH"))
    if found is None:
        return None
    try:
        with Path(found).open("rb") as opened:
            state = os.fstat(opened.fileno())
            linked = _is_linked(opened)
    except (OSError, ValueError, OverflowError, struct.error):
        return None
    before = "no library can be loaded before its own"
    others = (state.st_mode & stat.S_ISUID and state.st_uid != os.geteuid()) or (
        state.st_mode & stat.S_ISGID and state.st_gid != os.getegid()
    )
    if others:
        return f"{found} runs with another's rights (setuid or setgid): {before}"
    return f"{found} is linked statically, or for another processor: {before}" if not linked else None


def _is_linked(file: IO[bytes]) -> bool:
    """Return whether a program has a loader of this bench's kind: ELF of 64 bits with PT_INTERP. Scripts have one."""
    head = file.read(_ELF_HEADER.size)
    if not head.startswith(ELF):
        return True
    _, bits, _, machine, at, size, number = _ELF_HEADER.unpack(head)
    file.seek(at)
    types = [struct.unpack_from("=I", file.read(size))[0] for _ in range(number)]
    own = Path("/proc/self/exe")
    with own.open("rb") as bench:
        own_machine = _ELF_HEADER.unpack(bench.read(_ELF_HEADER.size))[3]
    return bits == _ELF_64 and machine == own_machine and _PT_INTERP in types


def variables(library: Path, folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the program's environment must have beside its own variables.

    folder  that of the files; it exists
    """
    return telling(library, _FOLDER, folder, environment)


def read_process(text: str) -> CallCounts:
    """Read what one process wrote. Raises ValueError telling what is wrong with it."""
    of: dict[str, Calls] = {}
    sizes: dict[int, int] = {}
    for line in text.splitlines():
        if (match := _LINE.fullmatch(line)) is None or (match[1] is not None and match[1] not in CALLS):
            raise ValueError(f"the line of counts {line!r}: expected 'size POWER CALLS' or 'NAME CALLS BYTES NS'")
        first, second = int(match[2]), int(match[3])
        if match[1] is None:
            if first >= _POWERS or first in sizes:
                raise ValueError(f"the line of counts {line!r}: expected each power below {_POWERS} once")
            sizes[first] = second
        elif match[1] in of:
            raise ValueError(f"the line of counts {line!r}: {match[1]} was told before")
        else:
            of[match[1]] = Calls(first, second, int(match[4]))
    if not text.endswith("\n"):
        raise ValueError("the text of counts does not end with a line's end: it was cut short")
    if lacking := [name for name in CALLS if name not in of]:
        reason = "the text was cut short, or the library is another version's ('rooftop build')"
        raise ValueError(f"no counts of {', '.join(lacking)}: {reason}")
    return CallCounts({name: of[name] for name in CALLS if of[name] != Calls()}, sizes, 1)


def total(processes: Iterable[CallCounts]) -> CallCounts:
    """Return the sum over processes."""
    return sum(processes, CallCounts())


def by_program(folder: Path) -> dict[str, CallCounts]:
    """Read the files that processes wrote, added up by the program's name.

    Raises ValueError telling which file is wrong. One that is empty belongs to a process that was killed as it ended.
    """
    found: dict[str, CallCounts] = {}
    for file in sorted(folder.glob("*.txt")):
        program = _FILE_NAME.sub("", file.name)
        try:
            if text := file.read_text(encoding="ascii"):
                found[program] = found.get(program, CallCounts()) + read_process(text)
        except ValueError as reason:
            raise ValueError(f"{file.name}: {reason}") from None
    return found


def read_counts(folder: Path) -> CallCounts:
    """Read what all processes wrote, added up. Raises ValueError without any, and for a file that is wrong."""
    counts = total(by_program(folder).values())
    if not counts.processes:
        raise ValueError(
            "no process told its calls: a static or setuid program cannot, nor one that a signal ended, that may not "
            "open files, or that cleared its environment before it started another"
        )
    return counts
