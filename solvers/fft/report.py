"""The report in NPB's format, with the solver's own lines."""

from __future__ import annotations

from rooftop.solvers.fft.document import FtDocument, Overlap
from rooftop.text.quantities import number


def _fortran(value: float) -> str:
    """Format a number as Fortran's 1pe22.12 with a D, as NPB prints checksums."""
    return f"{value:22.12E}".replace("E", "D")


def npb_lines(document: FtDocument) -> list[str]:
    """Return the report in the format of NPB's FT (NPB 3.4, ft.f90 and print_results)."""
    size = f"{document.nx:4d}x{document.ny:4d}x{document.nz:4d}"
    lines = [
        " NAS Parallel Benchmarks, FT, by Rooftop's solver",
        "",
        f" Size                : {size}",
        f" Iterations          :     {document.iterations:10d}",
        f" Number of processes :     {document.ranks:10d}",
        f" Threads of each     :     {document.threads:10d}",
        "",
    ]
    lines += [
        f" T = {t:4d}     Checksum = {_fortran(re)} {_fortran(im)}" for t, (re, im) in enumerate(document.checksums, 1)
    ]
    if document.class_ == "U":
        lines.append(
            " No published checksums for this size: " + ("sampled values are right" if document.verified else "wrong")
        )
    else:
        lines.append(f" Result verification {'successful' if document.verified else 'failed'}")
    lines += [f" class = {document.class_}", "", " FT Benchmark Completed."]

    def figure(name: str, text: str) -> str:
        return f" {name:<16}= {text:>24}"

    lines += [
        figure("Class", document.class_),
        figure("Size", size),
        figure("Iterations", str(document.iterations)),
    ]
    if document.seconds is not None and document.mops is not None:
        workers = document.ranks * document.threads
        lines += [
            figure("Time in seconds", number(document.seconds)),
            figure("Total processes", str(document.ranks)),
            figure("Mop/s total", f"{document.mops:.2f}"),
            figure("Mop/s/worker", f"{document.mops / workers:.2f}"),
        ]
    lines += [
        figure("Operation type", "floating point"),
        figure("Verification", "SUCCESSFUL" if document.verified else "UNSUCCESSFUL"),
        figure("Memory, GiB", f"{document.memory_bytes / 2**30:.2f}"),
    ]
    return lines


def share_text(found: Overlap) -> str:
    """Return the hidden share, with its interval if it has one, such as "61% [58, 64]"."""
    share = f"{found.hidden:.0%}"
    if found.hidden_lo is None or found.hidden_hi is None:
        return share
    return f"{share} [{100 * found.hidden_lo:.0f}, {100 * found.hidden_hi:.0f}]"


def overlap_lines(found: Overlap) -> list[str]:
    """Return what the pipeline hides."""
    return [
        f"Pipelined beside blocking, {found.pairs} pairs: {number(found.pipelined_s)} s beside "
        f"{number(found.blocking_s)} s.",
        f"Ranks wait {number(found.pipelined_waiting_s)} s instead of {number(found.blocking_waiting_s)} s: "
        f"{share_text(found)} of the exchange is hidden, and the run is shorter by {found.saved:.0%} of it.",
        f"While messages are under way they compute for {found.contention:.2f} times as long: "
        + (
            "messages take processor time or memory bandwidth from the work."
            if found.contention > 1.05
            else "messages take little from the work."
        ),
    ]


def rank_lines(document: FtDocument) -> list[str]:
    """Return each rank's time by phase, and how much communication is hidden."""
    lines = [
        f"rank {one.rank}: columns {number(one.columns_s)} s, planes {number(one.planes_s)} s, "
        f"waiting {number(one.waiting_s)} s"
        + (f", messages under way for {number(one.exchange_s)} s" if one.exchange_s else "")
        for one in document.time
    ]
    if document.time and not any(one.exchange_s for one in document.time):
        lines.append("All ranks write into each other's memory: there are no messages, and little to hide.")
    if (found := document.overlap) is not None:
        lines += overlap_lines(found)
    return lines
