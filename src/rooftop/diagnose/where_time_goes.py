"""Where the cores' time goes, by what functions are for: allocation, page faults, calls of the system, waiting.

Names of functions are those of glibc, of the runtimes and of Linux. A library without symbols is known by its file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rooftop.observe.profile import HotFunction

ALLOCATION, FAULTS, CALLS, SWITCHES = "allocation", "page faults", "calls of the system", "switching threads"
BARRIERS, BLAS_WAITS, MESSAGES = "waiting in OpenMP", "waiting in a BLAS", "waiting in MPI"
COPIES, UNPACKING = "copying memory", "compression"

KERNEL = "[kernel"
# The first that fits counts; of the kernel, and of all other files.
_OF_THE_KERNEL: tuple[tuple[str | None, str], ...] = (
    (None, r"msr|irq|timer|tick|clockevent|perf_"),
    (
        FAULTS,
        r"page_fault|clear_page|mm_fault|anonymous|zap_|unmap|free_page|free_unref|release_pages|lru|cgroup|charge",
    ),
    (FAULTS, r"alloc_page|rmqueue|freelist|pte|pmd|tlb|vma|mmap|munmap|rmap|folio_add|get_free|madvise|mas_|brk"),
    (SWITCHES, r"futex|schedul|task_switch|wake|hrtimer|dequeue|enqueue|pick_next|switch_mm|select_task|yield"),
    (
        CALLS,
        r"read|write|vfs|filemap|iter|file|fdget|fget|ext4|xfs|shmem|overlay|syscall|SYSCALL|xas_|atime|pipe|sock|tcp",
    ),
)
_OF_PROGRAMS: tuple[tuple[str | None, str], ...] = (
    (ALLOCATION, r"^(malloc|c?free|calloc|realloc|(posix_)?memalign|aligned_alloc)(@.*)?$|^operator (new|delete)"),
    (
        ALLOCATION,
        r"^_+(libc_|int_)?(malloc|free|realloc|memalign|calloc)|malloc_consolidate|unlink_chunk|sys(trim|malloc)",
    ),
    (ALLOCATION, r"arena_get|tcache|alloc_slot|get_meta|enframe"),  # of glibc, and of musl's mallocng
    (ALLOCATION, r"^_?mi_|^je_|^tc_(malloc|free|new|delete)|^scalable_(malloc|free|calloc|realloc)"),  # linked in
    (BARRIERS, r"^gomp_|^__kmp_|^GOMP_barrier|kmp_flag|do_spin|do_wait"),
    (SWITCHES, r"^_*sched_yield(@|$)"),
    (BLAS_WAITS, r"blas_thread_server|blas_thread|exec_blas_async_wait"),
    (COPIES, r"^_*mem(cpy|move|pcpy)(_|@|$)"),
    (UNPACKING, r"^(inflate|LZ4_|ZSTD_|BZ2_|lzma_|blosc_|snappy_)"),
    (MESSAGES, r"opal_progress|ompi_|mca_|MPID|MPIR|MPL_|ucp_|uct_|ucs_|btl_|pml_|sm_poll|posix_ipc"),
)
_OF_FILES = (
    (ALLOCATION, r"libmimalloc|libjemalloc|libtcmalloc|libtbbmalloc"),
    (BARRIERS, r"libgomp|libomp\.|libiomp"),
    (UNPACKING, r"^lib(z|zstd|lz4|bz2|lzma|blosc2?|deflate|isal|sz|aec|snappy)[-.]"),
    (MESSAGES, r"libopen-pal|libmpi|mca_|libmpich|libucp|libuct|libucs"),
)
_BLAS_FILES = r"openblas|libmkl_|libblis"


def purpose(one: HotFunction) -> str | None:
    """Return what a function is for; None for anything else, such as computing."""
    rules = _OF_THE_KERNEL if one.file.startswith(KERNEL) else _OF_PROGRAMS
    for name, pattern in rules:
        if re.search(pattern, one.function):
            return name
    return next((name for name, pattern in _OF_FILES if re.search(pattern, one.file)), None)


def shares(functions: Sequence[HotFunction]) -> dict[str, float]:
    """Return the share of all samples by purpose."""
    found: dict[str, float] = {}
    for one in functions:
        if (name := purpose(one)) is not None:
            found[name] = found.get(name, 0.0) + one.share
    return found


def calls_blas(functions: Sequence[HotFunction]) -> bool:
    """Return whether time goes to a BLAS that has threads of its own."""
    return any(re.search(_BLAS_FILES, one.file) for one in functions)
