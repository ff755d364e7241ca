"""Cures that can be tried from outside: variables of the environment, and the command line of a launcher.

Each cure has a name, by which --without leaves it out. It is tried where a suspicion asks for it.
"""

from __future__ import annotations

import platform
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from rooftop.command.preload import preloaded
from rooftop.diagnose.chunk_cache import better_cache
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.mpi_cures import algorithm_variables, eager_variables, yield_variables
from rooftop.diagnose.nodes import busiest, home
from rooftop.diagnose.where_time_goes import calls_blas
from rooftop.launchers.team import openmp
from rooftop.observe import chunk_cache
from rooftop.tune.launch import ALLOCATORS, allocator_library

ALL = "all"
BIND, FEWER_THREADS, ONE_BLAS_THREAD, YIELD, SLEEP = "bind", "fewer-threads", "one-blas-thread", "yield", "sleep"
ONE_THREAD = "one-thread"
SCHEDULE, ALLOCATOR, KEEP_MEMORY, HUGE_PAGES, BUFFER = "schedule", "allocator", "keep-memory", "huge-pages", "buffer"
EAGER, COLLECTIVE, INTERLEAVE, PYTHON_ALLOCATOR = "eager", "collective", "interleave", "python-allocator"
ONE_NODE = "one-node"
CHUNK_CACHE = "chunk-cache"
_BLAS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "GOTO_NUM_THREADS")
_PLACED = ("GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES")  # variables that may name cores of other nodes
_TUNABLES = "GLIBC_TUNABLES"
_WITH_HUGE_PAGES = (2, 35)  # of glibc: the first version that has glibc.malloc.hugetlb


@dataclass(frozen=True)
class Cure:
    """Another way to start the command. `line` is what a user types to apply it."""

    name: str
    line: str
    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Start:
    """How the command is started as given.

    bound         the same with threads bound to cores, if there is such a way: words, variables and the line
    build_folder  where libraries are built that are loaded before the program; None: nowhere
    """

    words: tuple[str, ...]
    environment: Mapping[str, str]
    bound: tuple[tuple[str, ...], Mapping[str, str], str] | None = None
    build_folder: Path | None = None


def _by_variables(name: str, start: Start, variables: Mapping[str, str]) -> list[Cure]:
    """Return the cure, unless these variables are set already, or there are none."""
    if all(start.environment.get(key) == value for key, value in variables.items()):
        return []
    line = " ".join(f"{key}={value}" for key, value in variables.items())
    return [Cure(name, line, start.words, dict(variables))]


def _bind(start: Start, _facts: Facts) -> list[Cure]:
    if start.bound is None:
        return []
    words, variables, line = start.bound
    return [Cure(BIND, line, words, variables)]


def _fewer_threads(start: Start, facts: Facts) -> list[Cure]:
    return _by_variables(FEWER_THREADS, start, openmp(threads=max(1, facts.cpus // max(1, facts.ranks))))


def _one_blas_thread(start: Start, _facts: Facts) -> list[Cure]:
    return _by_variables(ONE_BLAS_THREAD, start, dict.fromkeys(_BLAS, "1"))


def _one_thread(start: Start, facts: Facts) -> list[Cure]:
    return _by_variables(ONE_THREAD, start, openmp(threads=1)) if facts.openmp else []


def _yield(start: Start, facts: Facts) -> list[Cure]:
    return _by_variables(YIELD, start, yield_variables(start.words[0])) if facts.ranks else []


def _sleep(start: Start, _facts: Facts) -> list[Cure]:
    return _by_variables(SLEEP, start, {"OMP_WAIT_POLICY": "passive"})


def _schedule(start: Start, facts: Facts) -> list[Cure]:
    return _by_variables(SCHEDULE, start, {"OMP_SCHEDULE": "dynamic"}) if facts.openmp else []


def _allocator(start: Start, facts: Facts) -> list[Cure]:
    return _by_variables(ALLOCATOR, start, _allocator_variables(start)) if facts.sealed is None else []


def _allocator_variables(start: Start) -> dict[str, str]:
    """Return the variable that loads the first allocator that is installed; none where none is."""
    library = next((found for name in ALLOCATORS if (found := allocator_library(name))), None)
    return preloaded([library], start.environment) if library is not None else {}


def _python_allocator(start: Start, facts: Facts) -> list[Cure]:
    """Return the cure that allocates Python's small objects with that library, too, and not with Python's allocator."""
    if facts.sealed is not None or not any("python" in one.file for one in facts.hot or []):
        return []
    return _by_variables(PYTHON_ALLOCATOR, start, {"PYTHONMALLOC": "malloc", **_allocator_variables(start)})


def _tuned(name: str, start: Start, *tunables: str) -> list[Cure]:
    """Return the cure by tunables of glibc (glibc manual, Memory Allocation Tunables) beside those that are set."""
    before = [one for one in start.environment.get(_TUNABLES, "").split(":") if one]
    return _by_variables(name, start, {_TUNABLES: ":".join(dict.fromkeys([*before, *tunables]))})


def _keep_memory(start: Start, _facts: Facts) -> list[Cure]:
    kept = (f"glibc.malloc.{one}" for one in ("mmap_max=0", "trim_threshold=4294967296", "top_pad=67108864"))
    return _tuned(KEEP_MEMORY, start, *kept)


def _glibc() -> tuple[int, ...]:
    """Return the version of glibc; empty where the C library is another."""
    name, version = platform.libc_ver()
    return tuple(int(part) for part in version.split(".") if part.isdecimal()) if name == "glibc" else ()


def _huge_pages(start: Start, facts: Facts) -> list[Cure]:
    """Let malloc ask for huge pages: "always" gives them unasked, "never" not even then."""
    if _glibc() < _WITH_HUGE_PAGES or facts.huge_pages in ("always", "never"):
        return []
    return _tuned(HUGE_PAGES, start, "glibc.malloc.hugetlb=1")


def _buffer(start: Start, facts: Facts) -> list[Cure]:
    if (
        facts.sealed is not None
        or shutil.which("stdbuf") is None
        or (start.words and start.words[0].endswith("stdbuf"))
    ):
        return []
    words = ("stdbuf", "-i1M", "-o1M", *start.words)
    return [Cure(BUFFER, shlex.join(words), words)]


def _eager(start: Start, facts: Facts) -> list[Cure]:
    return _by_variables(EAGER, start, eager_variables(start.words[0])) if facts.ranks else []


def _collective(start: Start, facts: Facts) -> list[Cure]:
    return _by_variables(COLLECTIVE, start, algorithm_variables(start.words[0], facts.mpi or []))


def _interleave(start: Start, facts: Facts) -> list[Cure]:
    """Spread pages over all nodes. A launcher starts it as it starts any program: its ranks inherit the policy."""
    if facts.nodes < 2 or shutil.which("numactl") is None or start.words[0].endswith("numactl"):
        return []
    words = ("numactl", "--interleave=all", *start.words)
    return [Cure(INTERLEAVE, shlex.join(words), words)]


def _one_node(start: Start, facts: Facts) -> list[Cure]:
    """Run on one node, with no more threads than it has cores: what they touch lies on it, too. Ranks are not moved."""
    node, runs = home(facts), start.words[0].endswith("numactl")
    placed = any(name in start.environment for name in _PLACED)
    if facts.nodes < 2 or node is None or facts.ranks or runs or placed or shutil.which("numactl") is None:
        return []
    cores, busy = facts.node_cores[node], len(busiest(facts))
    threads = max(1, min(cores, busy))
    variables = openmp(threads=threads) if facts.openmp else {}
    if calls_blas(facts.hot or []):
        variables |= dict.fromkeys(_BLAS, str(threads))
    if not variables and busy > cores:
        return []
    words = ("numactl", f"--cpunodebind={node}", *start.words)
    line = " ".join([*(f"{name}={value}" for name, value in variables.items()), shlex.join(words)])
    return [Cure(ONE_NODE, line, words, variables)]


def _chunk_cache(start: Start, facts: Facts) -> list[Cure]:
    """Return the cure that a user applies in the program: here, a library before it has the program's list changed."""
    cache = better_cache(facts.chunks) if facts.chunks is not None else None
    if cache is None or start.build_folder is None:
        return []
    library = chunk_cache.library(start.build_folder)
    variables = chunk_cache.larger(library, cache.cache_bytes, cache.slots, start.environment)
    line = f"{cache.line} (tried by a library loaded before the program, which the cure does not need)"
    return [Cure(CHUNK_CACHE, line, start.words, variables)]


_KNOWN = {
    BIND: _bind,
    FEWER_THREADS: _fewer_threads,
    ONE_BLAS_THREAD: _one_blas_thread,
    ONE_THREAD: _one_thread,
    YIELD: _yield,
    SLEEP: _sleep,
    SCHEDULE: _schedule,
    ALLOCATOR: _allocator,
    KEEP_MEMORY: _keep_memory,
    HUGE_PAGES: _huge_pages,
    BUFFER: _buffer,
    EAGER: _eager,
    COLLECTIVE: _collective,
    INTERLEAVE: _interleave,
    ONE_NODE: _one_node,
    PYTHON_ALLOCATOR: _python_allocator,
    CHUNK_CACHE: _chunk_cache,
}


def in_turn(wanted: Iterable[Sequence[str]]) -> list[str]:
    """Return names from several lists, each once: the first of every list, then the second, and so on."""
    rounds = zip_longest(*wanted)
    return list(dict.fromkeys(name for one in rounds for name in one if name is not None))


def cures(wanted: Sequence[str], start: Start, facts: Facts, without: Sequence[str]) -> list[Cure]:
    """Return the cures of these names that this program and machine have."""
    if ALL in without:
        return []
    return [cure for name in dict.fromkeys(wanted) if name not in without for cure in _KNOWN[name](start, facts)]


def names() -> list[str]:
    """Return the names of all cures."""
    return list(_KNOWN)
