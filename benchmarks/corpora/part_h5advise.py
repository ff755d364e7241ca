"""HDF5 files of packages that read and write them: advice on the layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.corpora import h5_advising, part_hdf5
from benchmarks.corpora.corpus_packages import Fetched
from benchmarks.corpora.corpus_steps import Input, Step

TITLE = "Advice on HDF5 files of other people's packages"
TEXT = """\
`rooftop h5 advise` looks at one dataset or two of every HDF5 file in these packages: of the first two kinds of type,
layout and filters. It measures for a twentieth of a second, so that the advice itself is not looked at.

Asked: no error without a name, no crash, no hang."""
PACKAGES = part_hdf5.PACKAGES
LIMIT_S = 300.0
MOST_REFUSED: Mapping[str, float] = {}


def inputs(packages: Sequence[Fetched], work: Path) -> list[Input]:
    """Return the same files as the part hdf5."""
    return part_hdf5.inputs(packages, work.with_name("hdf5"))


def steps(given: Input, scratch: Path) -> Iterator[Step]:
    """Yield what is done with one file."""
    yield from h5_advising.steps(given.path, scratch)


def reason_group(reason: str) -> str:
    """Return a reason without paths, types, names of datasets and numbers."""
    return part_hdf5.reason_group(re.sub(r"has elements of .*, expected", "has elements of TYPE, expected", reason))
