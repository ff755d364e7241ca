"""Datasets read by h5io and held against h5py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import hdf5plugin  # noqa: F401  its filters are h5py's then, too

from benchmarks.corpora.corpus_steps import LeftOut, Refused, Step, Wrong
from benchmarks.corpora.h5_expected import Index, expected
from benchmarks.corpora.h5_values import unlike
from rooftop.solvers import h5io

_MOST_BYTES = 256 << 20
_OF_H5PY = (OSError, RuntimeError, KeyError, ValueError, TypeError, NotImplementedError)


def selections(shape: tuple[int, ...]) -> list[tuple[str, Index]]:
    """Return six selections by name."""
    if not shape:
        return [("all", (...,)), ("one element", ())]
    middle = [extent // 2 for extent in shape]
    found: list[tuple[str, Index]] = [("all", (...,)), ("nothing", (slice(0, 0), ...))]
    if 0 not in shape:
        found += [
            ("one element", tuple(middle)),
            ("a row", (middle[0], ...)),
            ("a column", (..., middle[-1])),
            ("every second", tuple(slice(1 if extent > 1 else 0, None, 2) for extent in shape)),
        ]
    return found


def names_of(path: Path) -> tuple[list[str], list[str]]:
    """Return the datasets by hard links, and those that only soft and external links lead to. Raises what h5py does."""
    hard: list[str] = []
    other: list[str] = []

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            hard.append(name)

    def visit_link(name: bytes | str, link: Any) -> None:
        text = name if isinstance(name, str) else name.decode("utf-8", "surrogateescape")
        if link.type in (h5py.h5l.TYPE_SOFT, h5py.h5l.TYPE_EXTERNAL):
            other.append(text)

    with h5py.File(path, "r") as file:
        file.visititems(visit)
        file.id.links.visit(lambda name: visit_link(name, file.id.links.get_info(name)))
        leading = []
        for name in other:
            try:
                if isinstance(file[name], h5py.Dataset):
                    leading.append(name)
            except _OF_H5PY:
                continue
    return hard, leading


def _open_step(path: Path, readable: bool) -> Callable[[], None]:
    def run() -> None:
        try:
            with h5io.File(path) as file:
                names = file.datasets()
        except (h5io.H5FileError, h5io.H5ArgumentError) as error:
            if readable:
                raise Refused(str(error)) from None
            return
        if not readable:
            raise LeftOut("h5py cannot open it, or list it")
        hard, _ = names_of(path)
        shown = [name for name in hard if name not in names]
        if shown:
            raise Wrong(f"{len(shown)} datasets are not listed, such as {shown[0]!r}")

    return run


def _read_step(path: Path, name: str, by_library: bool) -> Callable[[], None]:
    def run() -> None:
        with h5py.File(path, "r") as file:
            try:
                right = file[name]
                if right.shape is None:
                    rows: list[tuple[str, Index]] = []
                elif right.size * max(right.dtype.itemsize, 1) > _MOST_BYTES:
                    raise LeftOut(f"it has more than {_MOST_BYTES >> 20} MiB")
                else:
                    rows = selections(right.shape)
                values = [(word, index, expected(right, index)) for word, index in rows]
            except _OF_H5PY as error:
                _must_not_crash(path, name, by_library)
                raise LeftOut(f"h5py cannot read it: {error}") from None
            try:
                dataset = h5io.File(path)[name]
                if right.shape is None:
                    if dataset.read(by_library=by_library).size:
                        raise Wrong("a null dataspace has values")
                    return
                if dataset.shape != right.shape:
                    raise Wrong(f"the shape is {dataset.shape}, expected {right.shape}")
                for word, index, value in values:
                    given = dataset.read(index, by_library=by_library)
                    if told := unlike(given, value):
                        raise Wrong(f"{word}: {told}")
            except (h5io.H5FileError, h5io.H5ArgumentError) as error:
                raise Refused(str(error)) from None

    return run


def _must_not_crash(path: Path, name: str, by_library: bool) -> None:
    try:
        dataset = h5io.File(path)[name]
        if dataset.nbytes <= _MOST_BYTES:
            dataset.read(by_library=by_library)
    except (h5io.H5FileError, h5io.H5ArgumentError, MemoryError):
        return


def steps(path: Path) -> Iterator[Step]:
    """Yield opening, and each dataset by both ways."""
    try:
        hard, leading = names_of(path)
        readable = True
    except _OF_H5PY:
        hard, leading, readable = [], [], False
    yield Step("open", "", _open_step(path, readable))
    for name in [*hard, *leading]:
        yield Step("read", name, _read_step(path, name, by_library=False))
        yield Step("read by library", name, _read_step(path, name, by_library=True))
