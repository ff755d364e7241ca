"""A solution in one line."""

from __future__ import annotations

from rooftop.solvers.elasticity.document import ElasticityDocument
from rooftop.text.plural import plural
from rooftop.text.quantities import number


def _by_ranks(document: ElasticityDocument) -> str:
    if document.ranks is None:
        return ""
    by = f" by {plural(document.ranks, 'rank')}"
    if document.parts is not None:
        return f"{by} ({' x '.join(map(str, document.parts))})"
    if document.part_nodes is not None:
        return f"{by} ({min(document.part_nodes)} to {max(document.part_nodes)} nodes each)"
    return by


def line(document: ElasticityDocument) -> str:
    """Return size, unknowns, ranks, iterations, residual and times, and the error where the exact one is known."""
    error = "" if document.error is None else f", largest error {document.error:.2g} of the exact displacement"
    return (
        f"{document.name}: {document.size}, {document.unknowns} unknowns: "
        f"{plural(document.iterations, 'iteration')}{_by_ranks(document)}, true residual {number(document.residual)}, "
        f"set-up {document.setup_s:.2f} s of {document.seconds:.2f} s{error}"
    )
