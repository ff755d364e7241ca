"""Which lab shows what a finding names on this machine, and which rung of a ladder got rid of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shown:
    """Where a finding is explained.

    lab   for `rooftop lab`
    rung  of a ladder, or of a lab where no ladder had the fault; None: there is none
    """

    lab: str
    rung: str | None = None


SHOWN_BY = {
    "serial section": Shown("amdahl", "winograd/50-bulk-clearing.avx2"),
    "imbalance of threads": Shown("loop_schedules", "elasticity/35-dynamic"),
    "critical sections": Shown("contended_locks", "labs/true_sharing/30-reduction"),
    "waiting at barriers": Shown("barriers", "elasticity/40-merged-sweeps"),
    "oversubscription": Shown("waiting", "labs/waiting/40-sleep"),
    "stacked threads": Shown("thread_placement", "labs/thread_placement/30-spread"),
    "first touch": Shown("numa_first_touch", "elasticity/32-first-touch"),
    "lock convoy": Shown("contended_locks", "labs/true_sharing/30-reduction"),
    "interpreter's lock": Shown("contended_locks"),
    "allocation": Shown("thread_allocators", "ant_colony/40-no-allocation"),
    "growing memory": Shown("thread_allocators", "ant_colony/40-no-allocation"),
    "copying memory": Shown("bandwidth_saturation"),
    "page faults": Shown("page_faults", "hdf5_io/80-huge-pages"),
    "false sharing": Shown("false_sharing", "labs/false_sharing/20-line-apart"),
    "strided access": Shown("row_and_column_order", "winograd/20-loop-order"),
    "dependent chain": Shown("dependency_chains", "winograd/30-simd128.avx2"),
    "threads of a BLAS": Shown("waiting", "winograd/90-fused.avx2"),
    "imbalance of ranks": Shown("weighted_partition", "elasticity/35-dynamic"),
    "communication": Shown("transfer_overlap", "ft/80-overlap.avx2"),
    "large collectives": Shown("reduce_scatter", "ft/90-shared-windows.avx2"),
    "small messages": Shown("message_times", "elasticity/46-two-steps"),
    "late sender": Shown("send_chain", "elasticity/37-overlap"),
    "input and output": Shown("ways_of_output", "hdf5_io/75-asynchronous"),
    "repeated reads": Shown("ways_of_output", "hdf5_io/12-sieve-buffer"),
    "small reads": Shown("ways_of_output", "hdf5_io/12-sieve-buffer"),
    "small writes": Shown("ways_of_output"),
}
