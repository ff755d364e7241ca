"""Purposes of functions, by names as perf reports them."""

from __future__ import annotations

import pytest

from rooftop.diagnose.where_time_goes import (
    ALLOCATION,
    BARRIERS,
    BLAS_WAITS,
    CALLS,
    COPIES,
    FAULTS,
    MESSAGES,
    SWITCHES,
    UNPACKING,
    purpose,
    shares,
)
from rooftop.observe.profile import HotFunction

KERNEL = "[kernel.kallsyms]"


@pytest.mark.parametrize(
    ("file", "function", "expected"),
    [
        ("libc.so.6", "malloc", ALLOCATION),
        ("libc.so.6", "_int_free", ALLOCATION),
        ("libc.so.6", "cfree@GLIBC_2.2.5", ALLOCATION),
        ("libc.so.6", "__libc_calloc", ALLOCATION),
        ("app", "operator new(unsigned long)", ALLOCATION),
        ("app", "alloc_slot", ALLOCATION),
        ("app", "mi_free", ALLOCATION),
        ("libmimalloc.so.2.0", "_mi_page_malloc", ALLOCATION),
        ("libjemalloc.so.2", "0x00000000000321f0", ALLOCATION),
        ("app", "free_nodes_of_the_users_list", None),
        ("libc.so.6", "__memset_avx2_unaligned_erms", None),
        ("libgomp.so.1.0.0", "0x000000000001f7da", BARRIERS),
        ("app", "__kmp_hyper_barrier_release", BARRIERS),
        ("libopenblasp-r0.3.21.so", "blas_thread_server", BLAS_WAITS),
        ("libopenblasp-r0.3.21.so", "dgemm_kernel_HASWELL", None),
        ("libc.so.6", "__memmove_avx_unaligned_erms", COPIES),
        ("app", "remember", None),
        ("libz.so.1.2.13", "0x000000000000ab68", UNPACKING),
        ("libzstd.so.1", "0x12", UNPACKING),
        ("libzmq.so.5", "0x12", None),
        ("gzip", "inflate", UNPACKING),
        ("libc.so.6", "__sched_yield", SWITCHES),
        ("libopen-pal.so.40", "opal_progress", MESSAGES),
        ("libmpich.so.12", "0x12", MESSAGES),
        (KERNEL, "clear_page_erms", FAULTS),
        (KERNEL, "__handle_mm_fault", FAULTS),
        (KERNEL, "finish_task_switch.isra.0", SWITCHES),
        (KERNEL, "futex_wake", SWITCHES),
        (KERNEL, "filemap_get_read_batch", CALLS),
        (KERNEL, "do_syscall_64", CALLS),
        (KERNEL, "handle_softirqs", None),
    ],
)
def test_purposes(file: str, function: str, expected: str | None) -> None:
    assert purpose(HotFunction(share=0.1, file=file, function=function)) == expected


def test_shares_add_up() -> None:
    functions = [HotFunction(share=0.25, file="libc.so.6", function=name) for name in ("malloc", "free", "qsort")]
    assert shares(functions) == {ALLOCATION: 0.5}
