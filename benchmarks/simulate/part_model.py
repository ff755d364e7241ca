"""The source cases by the model alone: counts and bytes, roofline and LogGP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks import form
from benchmarks.form import Asked
from benchmarks.simulate.simulate import Part
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import Predicted, predict
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.program import program_named
from rooftop.simulate.programs.ant_colony import GAIN, GAIN_OF_ALLOCATOR

ORDER = 10
TITLE = "By the model alone"

# FT on SW26010 core groups: seconds of 1000 iterations, from the paper that the experiment's README names.
COMPUTE_S, EXCHANGE_S, PIPELINED_S = 12.0, 30.0, 37.0  # 64 groups, 512x512x512: all that is taken from it
PUBLISHED_S = 748.0  # 256 groups, 2048x2048x2048
# Elasticity on 12 nodes of 16 cores: seconds an iteration, from the lecture that the experiment's README names.
STATIC_S, OVERLAP_S = 0.311, 0.313
CHUNKS_S = {50: 0.309, 100: 0.300, 200: 0.297, 300: 0.302, 500: 0.309, 750: 0.310, 1000: 0.314}
_CHUNK = 1000
# The ant colony on 192 hardware threads.
BEST_MIX = (64, 3)
_THREADS = 192


def run(
    program: str,
    platform: Platform,
    ranks: int,
    threads: int = 1,
    algorithms: Mapping[str, str] | None = None,
    **given: float,
) -> Predicted:
    """Return a program's time on a platform."""
    one = program_named(program)
    layout = laid_out(platform, ranks, threads)
    return predict(layout, one.phases(ranks, threads, one.given(given)), algorithms)


def ft(groups: int, n: int, *, pipelined: bool, alltoall: str | None = None) -> Predicted:
    """Return FT's time on core groups."""
    chosen = {"alltoall": alltoall} if alltoall else {}
    size = {"nx": n, "ny": n, "nz": n, "iterations": 1000, "pipelined": int(pipelined)}
    return run("ft", named_platform("sw26010_groups"), groups, 64, chosen, **size)


@dataclass(frozen=True)
class Mix:
    """Ranks of threads, and their time over that of the best mix."""

    ranks: int
    threads: int
    over_best: float


def mixes() -> list[Mix]:
    """Return all mixes of the server's hardware threads, the fastest first."""
    server = named_platform("four_socket_server")
    counts = [one for one in range(1, _THREADS + 1) if _THREADS % one == 0]
    taken = {ranks: run("ant_colony", server, ranks, _THREADS // ranks).seconds for ranks in counts}
    best = min(taken.values())
    found = [Mix(ranks, _THREADS // ranks, seconds / best) for ranks, seconds in taken.items()]
    return sorted(found, key=lambda one: one.over_best)


def _within(what: str, most_percent: float, reached: float, published: float, unit: str = "s") -> Asked:
    """Return the row of a prediction that may be so far from what was published."""
    off = 100 * (reached / published - 1)
    told = f"{reached:.4g} {unit} predicted, {published:.4g} {unit} published: {off:+.1f} %"
    return Asked(what, f"within {most_percent:g} %", told, abs(off) <= most_percent)


def _ft_rows() -> list[Asked]:
    small, large = ft(64, 512, pipelined=True), ft(256, 2048, pipelined=True)
    two_levels = ft(256, 2048, pipelined=True, alltoall="two_level")
    bound = min(COMPUTE_S, EXCHANGE_S)
    got = COMPUTE_S + EXCHANGE_S - PIPELINED_S
    return [
        Asked(
            "FT, 64 groups, 512³: its constants are from these",
            "",
            f"{small.compute_s:.3g} s of computing, {small.transfer_s:.3g} s of all-to-alls, {small.seconds:.4g} s "
            f"pipelined; {COMPUTE_S:g}, {EXCHANGE_S:g} and {PIPELINED_S:g} s published",
            None,
        ),
        _within("FT, 256 groups, 2048³", 20, large.seconds, PUBLISHED_S),
        Asked(
            "FT, 256 groups: what a two-level all-to-all gains",
            "nothing",
            f"{large.seconds / two_levels.seconds:.3g} times as fast",
            two_levels.seconds >= large.seconds,
        ),
        Asked(
            "FT, 64 groups: what overlap can hide, min(P1 + P3, P2)",
            "",
            f"{bound:g} s at most; {got:g} s were hidden, {got / bound:.0%} of it",
            None,
        ),
    ]


def _elasticity_rows() -> list[Asked]:
    lecture = named_platform("lecture_cluster")
    perfect = lecture.model_copy(update={"progress": lecture.progress.model_copy(update={"share_outside_calls": 1.0})})
    static = run("elasticity", lecture, 12, 16)
    overlapped = [run("elasticity", one, 12, 16, overlap=1) for one in (lecture, perfect)]
    gains = [100 * (static.seconds / one.seconds - 1) for one in overlapped]
    limit = static.phases[0].limit
    rows_of_thread = 400 * 400 * 600 / 12 / 16
    fastest = min(CHUNKS_S, key=CHUNKS_S.__getitem__)
    unexplained = 100 * (STATIC_S / CHUNKS_S[fastest] - 1)
    return [
        Asked(
            "Elasticity, 12 nodes: its memory bandwidth is from this",
            "",
            f"{static.seconds:.4g} s an iteration, {STATIC_S:g} s published",
            None,
        ),
        Asked("Elasticity: what limits the product", "memory", limit, limit == "memory"),
        Asked(
            "Elasticity: the halo's share of an iteration",
            "0.25 %, from which the link's rate is",
            f"{100 * static.phases[0].transfer_s / static.seconds:.2g} %",
            None,
        ),
        Asked(
            "Elasticity: static and overlapped, whether nothing or everything proceeds during the product",
            "within 1 %",
            f"{gains[0]:.2f} % and {gains[1]:.2f} % apart; {100 * (OVERLAP_S / STATIC_S - 1):.1f} % published",
            max(map(abs, gains)) <= 1,
        ),
        Asked(
            f"Elasticity: the fastest chunks ({fastest} rows, {CHUNKS_S[fastest]:g} s)",
            "not explained, not fitted",
            f"{unexplained:.1f} % faster than without overlap; hiding all of the halo gives {gains[1]:.2f} %, and the "
            f"last chunk of {_CHUNK} rows is {100 * _CHUNK / rows_of_thread:.1f} % of a thread's",
            None,
        ),
    ]


def _ant_rows(found: list[Mix]) -> list[Asked]:
    published = next(one for one in found if (one.ranks, one.threads) == BEST_MIX)
    place = found.index(published) + 1
    off = 100 * (published.over_best - 1)
    return [
        Asked(
            f"Ant colony, {_THREADS} hardware threads: {BEST_MIX[0]} ranks of {BEST_MIX[1]} threads",
            "among the best: within 5 %",
            f"{off:.1f} % behind the best of {len(found)} mixes, place {place}",
            off <= 5,
        )
    ]


_READING = f"""\
FT's 256 groups come out too fast by a sixth, within what was asked. Two things are not in the 64-group row, and
either could be the rest: lines of 2048 points exceed a worker's local store and are split over two workers, and
four times as many groups share a network whose shape is not told. A transfer that no progress is made on would take
the sum, and perfect overlap the longer of the two.

The ant colony's law has one constant, from the source's own gain: {GAIN:g} times, of which {GAIN_OF_ALLOCATOR:g} are
an allocator's, from one process to {BEST_MIX[0]} ranks of {BEST_MIX[1]}. That this process had {_THREADS} threads is
assumed.
The law orders the mixes by threads for each rank, so that one thread for each would be best: what a rank costs by
itself, its memory and its messages at the ends of months, is the piece that the source does not tell.
"""


def part() -> Part:
    """Return the section."""
    found = mixes()
    told = form.table(
        ("ranks", "threads", "time over the best"), [(one.ranks, one.threads, f"{one.over_best:.3f}") for one in found]
    )
    return Part([*_ft_rows(), *_elasticity_rows(), *_ant_rows(found)], [_READING, told])
