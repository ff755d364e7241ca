"""HDF5 files of packages that read and write them: reading and repacking."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.corpora import h5_reading, h5_repacking
from benchmarks.corpora.corpus_packages import Fetched, Packages
from benchmarks.corpora.corpus_steps import Input, Step
from benchmarks.corpora.h5_generated import generated

TITLE = "HDF5 files of other people's packages"
TEXT = """\
Every HDF5 file in these packages, among them the damaged ones and the test files of HDF5 itself, is opened, listed and
read: each dataset, and what soft and external links lead to, by six selections (all of it, one element, a row, a
column, a strided part, nothing), by the own readers and with `by_library=True`, against h5py. `rooftop h5 repack`
rewrites each file, with shuffle and deflate, and with one dataset in other chunks; the new file is held against the old
one by h5diff and by a walk over links, attributes, types, references, creation order and user block.

Asked: no value is wrong in silence, nothing crashes or hangs, and at most 3 % of the datasets that h5py reads without
plugins that are not installed are refused. What h5py cannot read must be refused, or is left out."""
_PYTHON = ("h5py", "tables", "netCDF4", "pyfive", "h5netcdf", "silx", "hickle", "anndata")
# pip builds what a source package says of itself, which two do not do everywhere: Debian has their sources, too.
PACKAGES = Packages(sdists=_PYTHON, wheels=_PYTHON, debian=("hdf5", "netcdf4-python", "silx"))
LIMIT_S = 300.0
MOST_REFUSED: Mapping[str, float] = {"read": 0.03, "read by library": 0.03}

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_MOST_BYTES = 512 << 20
_USER_BLOCKS = (0, *(512 << i for i in range(8)))


def is_hdf5(path: Path) -> bool:
    """Return whether a file has HDF5's signature at one of its places, or is called as if it had."""
    size = path.stat().st_size
    with path.open("rb") as file:
        for at in _USER_BLOCKS:
            if at + len(_SIGNATURE) > size:
                break
            file.seek(at)
            if file.read(len(_SIGNATURE)) == _SIGNATURE:
                return True
    return path.suffix in (".h5", ".hdf5")


def inputs(packages: Sequence[Fetched], work: Path) -> list[Input]:
    """Return all files, each content once, and what HDF5's own generators make of them."""
    found: list[Input] = []
    seen: set[bytes] = set()
    folders = [(f"{one.name} ({one.kind})", one.folder) for one in packages if one.folder is not None]
    folders += [(f"made by {name}", folder) for name, folder in generated(packages, work / "generated")]
    for name, folder in folders:
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.is_symlink() or path.stat().st_size > _MOST_BYTES or not is_hdf5(path):
                continue
            content = path.read_bytes()
            if content in seen:
                continue
            seen.add(content)
            found.append(Input(f"{name}: {_short(path.relative_to(folder))}", path))
    return found


def _short(path: Path) -> str:
    """Return the path without the folder that has the package's version in its name."""
    return "/".join(path.parts[1:]) if re.search(r"-\d", path.parts[0]) else str(path)


def steps(given: Input, scratch: Path) -> Iterator[Step]:
    """Yield what is done with one file."""
    yield from h5_reading.steps(given.path)
    yield from h5_repacking.steps(given.path, scratch)


def reason_group(reason: str) -> str:
    """Return a reason without paths, names of datasets and numbers; HDF5 and h5py keep theirs."""
    text = re.sub(r"(?:/[^\s:,'\"]+)+", "PATH", reason)
    text = re.sub(r"dataset \S.*? (is|was|cannot|went|has|uses|lies)\b", r"a dataset \1", text)
    text = re.sub(r"^(?:PATH: )+", "", text)
    return re.sub(r"(?<![A-Za-z\d])\d+", "N", text)[:200]
