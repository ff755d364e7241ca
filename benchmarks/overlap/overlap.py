"""How much of its exchange the pipelined FT hides between hosts."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.overlap.hosts import shaped_hosts
from rooftop.machine.identity import cores_now
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles
from rooftop.solvers.fft.document import FtDocument, Overlap
from rooftop.solvers.fft.report import share_text

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "ft-overlap.md"
ASKED = 0.6
_PAGE = """\
# FT between hosts: asked and reached

Written by `python benchmarks overlap` on {date}.

Asked: at least 60 % of the exchange hidden on a network with delay, two to four hosts on one machine with
shaped links; and on one machine's shared memory, said plainly, there is little to hide.

{processor}, {cores} cores, shared by all hosts: each is a network namespace with one rank on one core.
{size}, {iterations} iterations, medians of {pairs} pairs of runs, each verified.

| network | blocking | pipelined | compute, wait | wait, pipelined | could hide | hidden | saved | computing | ≥ 60 % |
|---|---|---|---|---|---|---|---|---|---|
{rows}

{summary}

Links let through so much and no more, and hand on everything so much later each way, or up to a quarter of a
millisecond more. *Compute, wait*: what ranks do in the blocking run. *Could hide*: computing hides waiting, and
no more of it than there is computing, but for what messages add to it. *Hidden*: the share of the waiting that the
pipelined run does not wait, with its 95 % interval; *met* goes by its median. *Saved*: by how much the whole run is
shorter, as a share of the same. *Computing*: how many times as long ranks compute while messages are under way. Where
it is well above 1, what is no longer waited for is paid in the computing: these hosts' networks are the same two cores'
work, where a cluster's adapters would do it. On shared memory ranks write to where their values belong: there are no
messages, what they wait for is each other, and there is little to hide.
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

    def row(self) -> str:
        """Return its line of the table."""
        found, between = self.overlap, self.network.hosts > 0
        computing_s = found.blocking_s - found.blocking_waiting_s
        figures = [
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
        return f"| {self.network.name} | {' | '.join(figures)} |"


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


def page(measured: Sequence[Measured], size: str, iterations: int, pairs: int) -> str:
    """Return the page."""
    return _PAGE.format(
        date=datetime.now(UTC).date(),
        processor=processor(SystemFiles()).name,
        cores=cores_now(),
        size=size,
        iterations=iterations,
        pairs=pairs,
        rows="\n".join(one.row() for one in measured),
        summary=summary(measured),
    )


def main(
    size: Annotated[str, typer.Option(help="Grid.")] = "256x256x128",
    iterations: Annotated[int, typer.Option(help="Of each run.")] = 20,
    pairs: Annotated[int, typer.Option(help="Of a blocking and a pipelined run.")] = 6,
    hosts: Annotated[int | None, typer.Option(help="Only networks of so many hosts.")] = None,
    rate: Annotated[int | None, typer.Option(help="Only networks of this rate, in Mbit/s.")] = None,
    delay: Annotated[int | None, typer.Option(help="Only networks of this delay, in µs.")] = None,
    to: Annotated[Path, typer.Option("--page", help="Where the page goes.")] = PAGE,
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
        print(measured[-1].row(), file=sys.stderr)
    to.write_text(page(measured, size, iterations, pairs), encoding="utf-8")
