"""Variables of MPI libraries: which messages are sent at once, how a collective works, and whether waiting ranks yield.

Sources: ompi_info --param all all of Open MPI 4.1, mpivars of MPICH 4.0, ucx_info -c of UCX 1.13.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class MpiSettings:
    """The variables of one library; they have no effect on another.

    eager       those that set up to how many bytes a message is sent without waiting for the receiver
    algorithm   the variable that chooses a collective's algorithm; {lower} and {upper} are the collective's name
    chooses     what must be set beside it
    algorithms  by collective: the algorithm of the fewest messages, for short ones, and that of the fewest bytes
    yields      what makes waiting ranks give up their core
    """

    eager: tuple[str, ...]
    algorithm: str
    algorithms: Mapping[str, tuple[str, str]]
    chooses: Mapping[str, str] = field(default_factory=dict)
    yields: Mapping[str, str] = field(default_factory=dict)


#: By library, as launchers name them.
MPI_SETTINGS = {
    "openmpi": MpiSettings(
        eager=("OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_btl_sm_eager_limit", "UCX_RNDV_THRESH"),
        algorithm="OMPI_MCA_coll_tuned_{lower}_algorithm",
        algorithms={
            "Allreduce": ("recursive_doubling", "ring"),
            "Bcast": ("binomial", "scatter_allgather_ring"),
            "Allgather": ("bruck", "ring"),
            "Alltoall": ("modified_bruck", "pairwise"),
            "Reduce": ("binomial", "rabenseifner"),
        },
        chooses={"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"},  # without it algorithms are ignored
        yields={"OMPI_MCA_mpi_yield_when_idle": "1"},
    ),
    "mpich": MpiSettings(
        eager=("UCX_RNDV_THRESH", "MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE", "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE"),
        algorithm="MPIR_CVAR_{upper}_INTRA_ALGORITHM",
        algorithms={
            "Allreduce": ("recursive_doubling", "reduce_scatter_allgather"),
            "Bcast": ("binomial", "scatter_ring_allgather"),
            "Allgather": ("brucks", "ring"),
            "Alltoall": ("brucks", "pairwise"),
            "Reduce": ("binomial", "reduce_scatter_gather"),
        },
    ),
}
