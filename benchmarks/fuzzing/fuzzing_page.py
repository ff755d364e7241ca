"""The page: what each fuzzer was fed, and how often it found something."""

from __future__ import annotations

from pathlib import Path

from benchmarks.form import table, write_page
from benchmarks.fuzzing.fed_runs import LONGEST_INPUT_S, MOST_MIB, Record

_ABOUT = f"""\
Every native reader and every C interface is a function of bytes that libFuzzer mutates, with the address and the
undefined-behaviour sanitizers. A finding is a crash, a leak, a broken promise, more than {MOST_MIB} MiB, or an input
that takes more than {LONGEST_INPUT_S} s. Each was mended, and lies in the fuzzer's corpus, which tests replay."""
_COLUMNS = """\
*Kept*: the inputs that reach code that no other does. *Seconds*: of the whole process, beside whatever else ran.
*In HDF5*: inputs at which the HDF5 library itself, Debian's 1.10.8, crashed or hung, by the stack; they were tried in a
process of their own, and are no findings.
*Library as released*: sanitizers saw the fuzzer and its arrays, not the inside of the library."""
_MESHES = """\
`mesh_files` are the readers of decks and of Gmsh's files, in Python: they are fed changed fields, lines and blocks of
lines of good files, without sanitizers. Anything but a body or one line of misuse is a finding, and so is a warning of
NumPy. *Kept* are the good files."""
_HDF5 = """\
`h5_files` are the commands `rooftop h5 repack` and `rooftop h5 advise` up to what they measure, in processes of their
own: they are fed files of HDF5, h5py, PyTables, netCDF and pyfive, and own ones of many kinds, with changed bits,
numbers and blocks. Anything but a result or one line and exit code 2 is a finding, and so is a file that is left
behind, a refused file that is changed, more than 2 GiB, or more than a minute. *In HDF5*: inputs at which the library
crashed or hung in the copy of the process that reads the file, which the one line told. *Kept* are the good files."""

_SIMULATIONS = """\
`simulations` are the readers of platforms in TOML and of recordings, with their replay: they are fed changed values,
keys, lines and bytes of good ones. Anything but a result or one line of misuse is a finding, and so is a crash of the
replayer, which a user is told in one line."""


def fuzzers_table(record: Record) -> str:
    """Return the table of all fuzzers."""
    rows = [
        (
            f"`{name}`",
            f"{one.inputs:,}".replace(",", " "),
            f"{one.seconds:.0f}",
            one.kept,
            one.findings or "none",
            one.broken or "",
        )
        for name, one in sorted(record.fuzzers.items())
    ]
    return table(["fuzzer", "inputs", "seconds", "kept", "findings", "in HDF5"], rows)


def write_fuzzing(path: Path, record: Record) -> None:
    """Write the page. Raises OSError."""
    on = f"One core each of: {'; '.join(record.processors)}"
    title = "Fuzzing: inputs fed, and what they found"
    write_page(path, title, "fuzzing", _ABOUT, fuzzers_table(record), _COLUMNS, _MESHES, _HDF5, _SIMULATIONS, on=on)
