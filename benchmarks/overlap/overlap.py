"""How much of its exchange the pipelined FT hides between hosts."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, PageOption, table, write_page
from benchmarks.overlap.hosts import shaped_hosts
from rooftop.solvers.fft.document import FtDocument, Overlap
from rooftop.solvers.fft.report import share_text

PAGE = RESULTS / "ft-overlap.md"
ASKED = 0.6
_ASKED = """\
Asked: at least 60 % of the exchange hidden on a network with delay, between two to four hosts on one machine with
shaped links. On one machine's shared memory there is little to hide.
"""
_HEAD = (
    "network",
    "blocking",
    "pipelined",
    "compute, wait",
    "wait, pipelined",
    "could hide",
    "hidden",
    "saved",
    "computing",
    "≥ 60 %",
)
_READING = """\
A link has the rate named and delivers everything later by its delay each way, or by up to a quarter of a millisecond
more. *Compute, wait*: what ranks do in the blocking run. *Could hide*: computing can hide waiting only for as
long as it lasts, apart from what messages add to it. *Hidden*: the share of the waiting that the pipelined run saves,
with its 95 % interval; *met* is judged by its median. *Saved*: by how much the whole run is shorter, as a share of the
same waiting. *Computing*: how many times as long ranks compute while messages are under way. Where it is well above 1,
the time no longer spent waiting is spent computing: these hosts' networks run on the same cores, where a cluster's
adapters would do that work. On shared memory ranks write directly to where their values belong: there are no messages,
ranks wait only for each other, and there is little to hide.
"""


@dataclass(frozen=True)
class Network:
    """So many hosts, a rank on each, with links of a rate and a delay; 0 hosts: two ranks of this machine's memory."""

    hosts: int
    rate_mbit: int = 0
    delay_us: int = 0

    @property
    def name(self) -> str:
        """As the page has it."""
        if not self.hosts:
            return "one host, shared memory"
        return f"{self.hosts} hosts, {self.rate_mbit / 1000:g} Gbit/s, {self.delay_us} µs"


NETWORKS = [
    Network(0),
    *(Network(n, rate, delay) for n in (2, 3, 4) for rate in (12800, 9600, 6400, 3200) for delay in (250, 1000)),
]


def solved(network: Network, size: str, iterations: int, pairs: int) -> Overlap:
    """Run the solver across a network, pipelined and blocking in pairs. Ends the program where it fails."""
    ranks = network.hosts or 2
    words = [str(ROOT / "rooftop"), "solve", "ft", "--size", size, "--iterations", str(iterations)]
    words += ["--ranks", str(ranks), "--threads", "1", "--overlap", str(pairs), "--json"]
    with tempfile.TemporaryDirectory() as folder:
        if not network.hosts:
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        else:
            with shaped_hosts(network.hosts, network.rate_mbit, network.delay_us, Path(folder)) as hosts:
                environment = os.environ | hosts.environment()
                done = subprocess.run(
                    hosts.words(words), cwd=ROOT, env=environment, capture_output=True, text=True, check=False
                )
    if done.returncode:
        sys.exit(f"overlap: {network.name}: rooftop ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    found = FtDocument.model_validate_json(done.stdout).overlap
    assert found is not None
    return found


@dataclass(frozen=True)
class Measured:
    """What was found on one network."""

    network: Network
    overlap: Overlap

    @property
    def could_hide(self) -> float:
        """How long ranks compute as a share of how long they wait, at most 1."""
        computing_s = self.overlap.blocking_s - self.overlap.blocking_waiting_s
        return min(1.0, computing_s / self.overlap.blocking_waiting_s)

    @property
    def met(self) -> bool:
        """Whether as much is hidden as asked."""
        return self.overlap.hidden >= ASKED

    @property
    def cells(self) -> list[str]:
        """Its row of the table."""
        found, between = self.overlap, self.network.hosts > 0
        computing_s = found.blocking_s - found.blocking_waiting_s
        return [
            self.network.name,
            f"{found.blocking_s:.2f} s",
            f"{found.pipelined_s:.2f} s",
            f"{computing_s:.2f} s, {found.blocking_waiting_s:.2f} s",
            f"{found.pipelined_waiting_s:.2f} s",
            f"{self.could_hide:.0%}" if between else "–",
            share_text(found),
            f"{found.saved:.0%}",
            f"{found.contention:.2f}×",
            ("met" if self.met else "not met") if between else "–",
        ]


def summary(measured: Sequence[Measured]) -> str:
    """Return, for each number of hosts, on how many networks it is met, and on how many of those where it could be."""
    lines = []
    for hosts in sorted({one.network.hosts for one in measured} - {0}):
        every = [one for one in measured if one.network.hosts == hosts]
        able = [one for one in every if one.could_hide >= ASKED]
        lines.append(
            f"- {hosts} hosts: met on {sum(one.met for one in every)} of {len(every)} networks; on "
            f"{sum(one.met for one in able)} of the {len(able)} where ranks compute for at least {ASKED:.0%} of the "
            "time that they wait"
        )
    return "\n".join(lines)


def main(
    size: Annotated[str, typer.Option(help="Grid.")] = "256x256x128",
    iterations: Annotated[int, typer.Option(help="Of each run.")] = 20,
    pairs: Annotated[int, typer.Option(help="Of a blocking and a pipelined run.")] = 6,
    hosts: Annotated[int | None, typer.Option(help="Only networks of so many hosts.")] = None,
    rate: Annotated[int | None, typer.Option(help="Only networks of this rate, in Mbit/s.")] = None,
    delay: Annotated[int | None, typer.Option(help="Only networks of this delay, in µs.")] = None,
    to: PageOption = PAGE,
) -> None:
    """Measure, and write the page."""
    measured: list[Measured] = []
    for network in NETWORKS:
        if hosts not in (None, network.hosts) or rate not in (None, network.rate_mbit):
            continue
        if delay not in (None, network.delay_us):
            continue
        try:
            measured.append(Measured(network, solved(network, size, iterations, pairs)))
        except OSError as error:
            print(
                f"overlap: {network.name}: hosts cannot be made, see README.md for what they take: {error}",
                file=sys.stderr,
            )
            raise typer.Exit(2) from None
        print(*measured[-1].cells, sep=", ", file=sys.stderr)
    write_page(
        to,
        "FT between hosts: asked and reached",
        "overlap",
        _ASKED,
        f"{size}, {iterations} iterations, medians of {pairs} pairs of runs, each verified. All hosts share these "
        "cores: each is a\nnetwork namespace with one rank on one core.",
        table(_HEAD, [one.cells for one in measured]),
        summary(measured),
        _READING,
    )
