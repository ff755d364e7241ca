"""Files rewritten by `rooftop h5 repack` and held against the old ones."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import h5py

from benchmarks.corpora.corpus_steps import LeftOut, Refused, Step, Wrong
from benchmarks.corpora.h5_reading import names_of
from benchmarks.corpora.h5_walk import file_unlike
from rooftop.errors import Misuse, RooftopError
from rooftop.solvers.h5io.repack.failures import FAILURES
from rooftop.solvers.h5io.repack.run import Asked, repack
from rooftop.solvers.h5io.repack.target import target_named

_H5DIFF_S = 60
_MOST_BYTES = 32 << 20
_DIFFERENT = 1  # h5diff's exit code


class _Silent:
    def begin(self, total_bytes: int) -> None:
        pass

    def doing(self, what: str) -> None:
        pass

    def done(self, more_bytes: int) -> None:
        pass


def _h5diff(old: Path, new: Path) -> str:
    """Return what h5diff finds, "" also where it cannot read the files."""
    try:
        done = subprocess.run(
            ["h5diff", "-v1", str(old), str(new)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_H5DIFF_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout[-300:] if done.returncode == _DIFFERENT else ""


def _asked(path: Path, new: Path, one_in_chunks: bool) -> Asked:
    """Return what is asked: two filters for all that can have them, or chunks for one dataset. Raises LeftOut."""
    if not one_in_chunks:
        return Asked(path, [], target_named(None, "shuffle+deflate:1"), new, 2, 64 << 20)
    for name in names_of(path)[0]:
        with h5py.File(path, "r") as file:
            try:
                shape, dtype = file[name].shape, file[name].dtype
            except FAILURES:
                continue
        if shape and 0 not in shape and dtype.kind in "iuf" and math.prod(shape) * dtype.itemsize <= _MOST_BYTES:
            chunk = "x".join(str(min(extent, 50)) for extent in shape)
            return Asked(path, [name], target_named(chunk, None), new, 2, 64 << 20)
    raise LeftOut("it has no dataset of numbers")


def _step(path: Path, new: Path, one_in_chunks: bool) -> Callable[[], None]:
    def run() -> None:
        readable = True
        try:
            asked = _asked(path, new, one_in_chunks)
        except FAILURES as error:
            readable = False
            asked = Asked(path, [], target_named(None, "shuffle"), new, 2, 64 << 20)
            told = f"h5py cannot open it, or list it: {error}"
        new.unlink(missing_ok=True)
        before = path.read_bytes()
        try:
            repack(asked, _Silent())
        except (Misuse, RooftopError) as error:
            if new.exists():
                raise Wrong(f"refused, and the new file is there: {error}") from None
            if path.read_bytes() != before:
                raise Wrong(f"refused, and the old file was changed: {error}") from None
            if not readable:
                raise LeftOut(told) from None
            if "nothing would change" in str(error):
                raise LeftOut("nothing would change") from None
            raise Refused(str(error)) from None
        if path.read_bytes() != before:
            raise Wrong("the old file was changed")
        if told := file_unlike(path, new):
            raise Wrong(told)
        if told := _h5diff(path, new):
            raise Wrong(f"h5diff: {told}")

    return run


def steps(path: Path, scratch: Path) -> Iterator[Step]:
    """Yield a file rewritten with filters, and with one dataset in chunks."""
    yield Step("repack", "filters", _step(path, scratch / "filters.h5", one_in_chunks=False))
    yield Step("repack", "chunks", _step(path, scratch / "chunks.h5", one_in_chunks=True))
