"""Variables of MPI libraries that may cure: which messages are sent at once, and how a collective works.

Sources: ompi_info --param all all of Open MPI 4.1, mpivars of MPICH 4.0, ucx_info -c of UCX 1.13.
"""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.diagnose.facts import MpiCall, RankFacts
from rooftop.launchers import launcher_of

EAGER_BYTES = 65536
_LONG_BYTES = 32768  # of a rank's part of one collective
# Variables of one library have no effect on the other.
_EAGER = {
    "openmpi": ("OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_btl_sm_eager_limit", "UCX_RNDV_THRESH"),
    "mpich": ("UCX_RNDV_THRESH", "MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE", "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE"),
}
_DYNAMIC_RULES = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}  # without them Open MPI ignores the algorithms
# By collective: the algorithm of the fewest messages, for short ones, and that of the fewest bytes, for long ones.
_ALGORITHMS = {
    "openmpi": {
        "Allreduce": ("recursive_doubling", "ring"),
        "Bcast": ("binomial", "scatter_allgather_ring"),
        "Allgather": ("bruck", "ring"),
        "Alltoall": ("modified_bruck", "pairwise"),
        "Reduce": ("binomial", "rabenseifner"),
    },
    "mpich": {
        "Allreduce": ("recursive_doubling", "reduce_scatter_allgather"),
        "Bcast": ("binomial", "scatter_ring_allgather"),
        "Allgather": ("brucks", "ring"),
        "Alltoall": ("brucks", "pairwise"),
        "Reduce": ("binomial", "reduce_scatter_gather"),
    },
}


def _libraries(word: str) -> tuple[str, ...]:
    """Return the MPI libraries whose programs the first word of a command may start."""
    launcher = launcher_of(word)
    return launcher.mpi if launcher is not None else ()


def may_be_openmpi(word: str) -> bool:
    """Return whether the first word of a command may start programs of Open MPI: a script may, too."""
    return launcher_of(word) is None or "openmpi" in _libraries(word)


def eager_variables(word: str) -> dict[str, str]:
    """Return the variables by which messages up to EAGER_BYTES are sent at once; none where no launcher is known."""
    names = [name for library in _libraries(word) for name in _EAGER.get(library, ())]
    return dict.fromkeys(names, str(EAGER_BYTES))


def dearest_collective(ranks: Sequence[RankFacts]) -> tuple[str, MpiCall] | None:
    """Return the collective with algorithms to choose from that most time goes to, with its calls by all ranks."""
    found: dict[str, MpiCall] = {}
    for name in _ALGORITHMS["openmpi"]:
        calls = [rank.by_name[name] for rank in ranks if name in rank.by_name]
        if calls:
            found[name] = MpiCall(
                calls=sum(one.calls for one in calls),
                inside_s=sum(one.inside_s for one in calls),
                sent_bytes=sum(one.sent_bytes for one in calls),
            )
    return max(found.items(), key=lambda one: one[1].inside_s, default=None)


def algorithm_variables(word: str, ranks: Sequence[RankFacts]) -> dict[str, str]:
    """Return the variables that choose another algorithm for the dearest collective; none where there is no choice."""
    dearest = dearest_collective(ranks)
    if dearest is None:
        return {}
    name, call = dearest
    long = call.sent_bytes > _LONG_BYTES * call.calls
    found: dict[str, str] = {}
    for library in _libraries(word):
        algorithm = _ALGORITHMS.get(library, {}).get(name, ("", ""))[long]
        if library == "openmpi":
            found |= {**_DYNAMIC_RULES, f"OMPI_MCA_coll_tuned_{name.lower()}_algorithm": algorithm}
        elif algorithm:
            found[f"MPIR_CVAR_{name.upper()}_INTRA_ALGORITHM"] = algorithm
    return found
