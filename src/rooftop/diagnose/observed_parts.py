"""Parts of the page that show what was seen: efficiencies, threads over time, flame graphs, messages between ranks."""

from __future__ import annotations

from rooftop.diagnose import efficiencies, flame, pictures
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.report.figure_page import Cell, Part, Picture, Table
from rooftop.text.plural import plural
from rooftop.text.quantities import percent, seconds, size

_MOST_PAIRS = 100  # of ranks, in the table


def efficiency_table(document: DiagnoseDocument) -> list[Part]:
    """Return the tree of efficiencies."""
    found = document.efficiencies
    if found is None:
        return []
    rows = [("parallel efficiency", found.parallel_efficiency)]
    if (ranks := found.ranks) is not None:
        rows += [
            ("– MPI", ranks.parallel_efficiency),
            ("– – load balance of ranks", ranks.load_balance),
            ("– – communication efficiency", ranks.communication_efficiency),
        ]
    if (threads := found.threads) is not None:
        rows += [
            ("– threads", threads.parallel_efficiency),
            ("– – load balance of threads", threads.load_balance),
            ("– – serialisation", threads.serialisation),
        ]
    note = "Each is the product of those one step below it, after the POP Centre of Excellence (pop-coe.eu/node/69)."
    told = [line for line in efficiencies.lines(found) if line.startswith("overlap")]
    cells = [[Cell(name), Cell(percent(value), value)] for name, value in rows]
    return [Table("Efficiencies", ["factor", "value"], cells, frozenset({1}), " ".join([note, *told]))]


def lanes(document: DiagnoseDocument) -> list[Part]:
    """Return what each thread did over time."""
    found = document.timeline
    if found is None:
        return []
    caption = f"What each thread did for most of every {seconds(found.column_s)}. Waiting that spins counts as running."
    if found.left_out:
        caption += f" Not shown: {plural(found.left_out, 'thread')} that ran less, or started the ranks."
    says = f"What {plural(len(found.lanes), 'thread')} did over time; the table of threads has the sums."
    return [Picture("Threads over time", pictures.lanes(found), says, caption)]


def flame_graphs(document: DiagnoseDocument) -> list[Part]:
    """Return the flame graphs."""
    caption = (
        "Callers above, what they called below; the width is the share of samples. Press a frame to enlarge it."
        " Green: the kernel; orange: the allocator; red: waiting in OpenMP, MPI or a BLAS."
    )
    found = []
    for title, stacks in (
        ("Where time goes, by callers", document.facts.stacks),
        ("Where time goes, by functions of Python", document.facts.python_stacks),
    ):
        drawn = flame.figure(stacks) if stacks is not None else None
        if stacks is not None and drawn is not None:
            says = (
                f"Flame graph of {stacks.samples:,} samples; the JSON document has its {len(stacks.folded):,} stacks."
            )
            found.append(Picture(title, drawn, says, caption))
    return list(found)


def messages(document: DiagnoseDocument) -> list[Part]:
    """Return what ranks sent to each other."""
    ranks = document.facts.mpi or []
    pairs = [(rank, peer, told) for rank, one in enumerate(ranks) for peer, told in one.to.items()]
    if not pairs:
        return []
    pairs.sort(key=lambda pair: -pair[2].sent_bytes)
    rows = [
        [
            Cell(str(rank), float(rank)),
            Cell(str(peer), float(peer)),
            Cell(f"{told.messages:,}", float(told.messages)),
            Cell(size(float(told.sent_bytes)), float(told.sent_bytes)),
        ]
        for rank, peer, told in pairs[:_MOST_PAIRS]
    ]
    more = f"{len(pairs) - _MOST_PAIRS:,} pairs that sent less are not shown." if len(pairs) > _MOST_PAIRS else ""
    says = f"Bytes that {len(ranks)} ranks sent to each other; the table below has the figures."
    caption = "Messages from point to point; collective calls are not in it."
    columns = ["from rank", "to rank", "messages", "sent"]
    return [
        Picture("Messages between ranks", pictures.matrix(ranks), says, caption),
        Table("Pairs of ranks by what they sent", columns, rows, frozenset(range(4)), more),
    ]
