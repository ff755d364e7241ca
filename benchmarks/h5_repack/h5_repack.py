"""How fast `rooftop h5 repack` rewrites a file, beside h5repack."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import h5py
import numpy as np
import typer

from benchmarks.form import Asked, asked_table, write_page
from rooftop.campaign.bench import Bench
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.documents import Verdict
from rooftop.measure.case_state import CaseState
from rooftop.probe.surroundings import ThisMachine
from rooftop.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SIDE = 4096
CHUNKS = (512, 256)


class Silent:
    """Watches and says nothing."""

    def remark(self, message: str) -> None:
        """See CommandWatcher."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See Watcher."""


@dataclass(frozen=True)
class Case:
    """What a file has, and what it is to have. Filters and chunks as each of the two programs names them."""

    title: str
    compressed: bool
    theirs: tuple[str, ...]
    ours: tuple[str, ...]


CASES = (
    Case(
        "in one piece, to chunks with shuffle and deflate 1",
        False,
        ("-l", "CHUNK=512x256", "-f", "SHUF", "-f", "GZIP=1"),
        ("--chunks", "512x256", "--filter", "shuffle+deflate:1"),
    ),
    Case(
        "chunks with shuffle and deflate 4, to other chunks with deflate 1",
        True,
        ("-l", "CHUNK=64x4096", "-f", "SHUF", "-f", "GZIP=1"),
        ("--chunks", "64x4096", "--filter", "shuffle+deflate:1"),
    ),
    Case(
        "chunks with shuffle and deflate 4, to one piece",
        True,
        ("-l", "CONTI", "-f", "NONE"),
        ("--chunks", "none", "--filter", "none"),
    ),
)


def write_file(path: Path, compressed: bool) -> None:
    """Write a field of 64 MiB that changes slowly, with some noise in its last bits."""
    x, y = np.linspace(0, 6, SIDE), np.linspace(0, 9, SIDE)
    noise = np.random.default_rng(28).normal(0, 1e-3, (SIDE, SIDE))
    values = (290 + 15 * np.sin(x)[:, None] * np.cos(y)[None, :] + noise).astype("<f4")
    how = {"chunks": CHUNKS, "shuffle": True, "compression": "gzip", "compression_opts": 4} if compressed else {}
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=values, **how)


def commands(case: Case, file: Path, out: Path) -> list[list[str]]:
    """Return h5repack's command line and ours."""
    ours = [str(ROOT / "rooftop"), "h5", "repack", str(file), "--out", str(out), *case.ours]
    return [["h5repack", *case.theirs, str(file), str(out)], ours]


def line(title: str, verdict: Verdict | None, ratio: float, lo: float, hi: float, pairs: int) -> Asked:
    """Return the line of a case."""
    reached = f"{ratio:.2f} times as fast [{lo:.2f}, {hi:.2f}], {pairs} pairs: {verdict or 'not resolved'}"
    return Asked(title, "as fast", reached, ratio >= 1)


def measured(case: Case, folder: Path, budget_s: float) -> Asked:
    """Compare the two on a file."""
    file, out = folder / "file.h5", folder / "out.h5"
    write_file(file, case.compressed)
    words: Sequence[list[str]] = commands(case, file, out)
    options = Options(
        commands=tuple((tuple(each), name) for each, name in zip(words, ("h5repack", "rooftop"), strict=True)),
        prepares=(f"rm -f {out}",),
        budget_s=budget_s,
    )
    settings = Settings(home=folder / "home")
    document = Comparing(Bench(settings, ThisMachine(), Silent())).compare(options).document
    if document.ratio is None or document.lo is None or document.hi is None:
        reasons = "; ".join(f"{one.name}: {one.reason}" for one in document.commands if one.reason)
        return Asked(case.title, "as fast", reasons or "no pairs", False)
    return line(case.title, document.verdict, document.ratio, document.lo, document.hi, document.pairs or 0)


def main(
    budget_s: Annotated[float, typer.Option("--budget-s", help="Seconds for each case.")] = 40.0,
    page: Annotated[Path | None, typer.Option(help="Write what came out beside what was asked.")] = None,
) -> None:
    """Compare both on each file, and print the ratios."""
    if shutil.which("h5repack") is None:
        sys.exit("h5_repack: h5repack is not installed: apt-get install hdf5-tools")
    with tempfile.TemporaryDirectory() as scratch:
        answers = [measured(case, Path(scratch), budget_s) for case in CASES]
    for answer in answers:
        print(answer.row)
    if page is not None:
        about = f"""\
A file with one array of {SIDE} x {SIDE} floats is rewritten by `rooftop h5 repack --out` and by h5repack, whole
processes in turns by `rooftop compare`; the files are in the system's cache. `rooftop h5 repack` starts Python, and
reads both files again to compare them bit by bit, which h5repack does not. A ratio above 1 means that
`rooftop h5 repack` is faster."""
        title = "Rewriting HDF5 files, beside h5repack"
        write_page(page, title, "h5_repack --page", asked_table(answers), about)
