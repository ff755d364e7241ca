"""h5bench's writes of a normal distribution, into unlimited datasets, overwrites and appends."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.cli.app import main
from rooftop.errors import MISUSE, WRONG, Misuse, NotBuilt
from rooftop.solvers.h5io.h5bench.configuration import configured
from rooftop.solvers.h5io.h5bench.document import BenchmarkDocument, H5benchDocument
from rooftop.solvers.h5io.h5bench.run import PROGRAM
from rooftop.solvers.running.ranks import program_of_ranks, started_ranks
from rooftop.solvers.running.stop import Stop

try:
    program_of_ranks("h5io", PROGRAM)
    BUILT = ""
except (Misuse, NotBuilt) as error:
    BUILT = str(error)
built = pytest.mark.skipif(bool(BUILT), reason=BUILT)

CHUNKS = {"COMPRESS": "YES", "CHUNK_DIM_1": 4}
GATHERED = {"COLLECTIVE_DATA": "YES"}


class Bench:
    """Runs benchmarks on one file."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], ranks: int = 2) -> None:
        self.folder, self.capsys, self.ranks = folder, capsys, ranks
        self.file = folder / "data" / "h5bench.h5"

    def outcome(self, operation: str, **keys: object) -> tuple[int, str, str]:
        """Return the exit code and the output."""
        path = self.folder / "bench.cfg"
        lines = {"IO_OPERATION": operation, "TIMESTEPS": 2, "DIM_1": 7} | keys
        path.write_text("".join(f"{key}={value}\n" for key, value in lines.items()), encoding="utf-8")
        words = ["--ranks", self.ranks, "--folder", self.file.parent, "--replace", "--json"]
        code = main(["solve", "h5", str(path), *map(str, words)])
        told = self.capsys.readouterr()
        return code, told.out, told.err

    def run(self, operation: str, **keys: object) -> BenchmarkDocument:
        """Return the document of a successful benchmark."""
        code, out, err = self.outcome(operation, **keys)
        assert code == 0, err
        (found,) = H5benchDocument.model_validate_json(out).benchmarks
        assert found.valid
        return found

    def identities(self, step: int = 0) -> np.ndarray:
        """Return the numbers of a step's particles."""
        with h5py.File(self.file) as file:
            group = file[f"Timestep_{step}"]
            found = group["particles"]["id_1"] if "particles" in group else group["id_1"][...]
            return np.asarray(found["id_1"] if found.dtype.names else found)


PATTERNS = [("CONTIG", "CONTIG"), ("CONTIG", "INTERLEAVED"), ("INTERLEAVED", "CONTIG"), ("INTERLEAVED", "INTERLEAVED")]


@built
@pytest.mark.case("solvers.H12")
@pytest.mark.parametrize(("ranks", "mode"), [(1, "SYNC"), (4, "SYNC"), (3, "ASYNC")])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_normal_distribution(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ranks: int, pattern: tuple[str, str], mode: str
) -> None:
    """Ranks have different numbers of particles, without gaps or overlaps."""
    bench = Bench(tmp_path, capsys, ranks)
    keys = {"MEM_PATTERN": pattern[0], "FILE_PATTERN": pattern[1]}
    found = bench.run("WRITE_NORMAL_DIST", DIM_1=50, STDEV_DIM_1=20, MODE=mode, **keys)
    assert found.operation == "write_normal_dist"
    assert len(set(found.particles)) == ranks
    assert found.total_bytes == 32 * 2 * sum(found.particles)
    assert np.array_equal(bench.identities(), np.arange(sum(found.particles)))
    read = bench.run("READ", DIM_1=sum(found.particles) // ranks, **keys)
    assert read.verified == "formula"
    again = bench.run("WRITE_NORMAL_DIST", DIM_1=50, STDEV_DIM_1=20, **keys)
    assert again.particles == found.particles


@pytest.mark.case("solvers.H12")
@given(st.integers(1, 1000), st.integers(0, 10**6), st.integers(1, 64))
def test_shares(mean: int, deviation: int, ranks: int) -> None:
    """Each rank has at least one; without a deviation all have the mean."""
    asked = configured({"IO_OPERATION": "WRITE_NORMAL_DIST", "DIM_1": mean, "STDEV_DIM_1": deviation}, "x")
    shares = asked.shares(ranks)
    assert len(shares) == ranks
    assert min(shares) >= 1
    assert deviation or set(shares) == {mean}


@pytest.mark.case("solvers.H12")
def test_shares_are_of_a_normal_distribution() -> None:
    """Mean and standard deviation of many ranks."""
    asked = configured({"IO_OPERATION": "WRITE_NORMAL_DIST", "DIM_1": 524288, "STDEV_DIM_1": 100000}, "x")
    shares = np.array(asked.shares(4096))
    assert abs(shares.mean() - 524288) < 5 * 100000 / 64
    assert shares.std() == pytest.approx(100000, rel=0.06)


@built
@pytest.mark.case("solvers.H12.unlimited")
@pytest.mark.parametrize("keys", [
    {}, {"NUM_DIMS": 2, "DIM_2": 5, "CHUNK_DIM_2": 5}, {"FILE_PATTERN": "INTERLEAVED", "MEM_PATTERN": "INTERLEAVED"},
    {"MODE": "ASYNC"},
])  # fmt: skip
def test_unlimited(capsys: pytest.CaptureFixture[str], tmp_path: Path, keys: dict[str, object]) -> None:
    """Datasets have compressed chunks and can grow, and are read back."""
    bench = Bench(tmp_path, capsys, 3)
    assert bench.run("WRITE_UNLIMITED", **CHUNKS, **keys).operation == "write-unlimited"
    with h5py.File(bench.file) as file:
        dataset = file["Timestep_1"]["particles" if "FILE_PATTERN" in keys else "px"]
        assert (dataset.shape[0], dataset.maxshape[0], dataset.chunks[0]) == (21, None, 4)
        assert dataset.compression == "gzip"
    assert bench.run("READ", **{key: one for key, one in keys.items() if key != "CHUNK_DIM_2"}).verified == "formula"


@built
@pytest.mark.case("solvers.H12.overwrite")
@pytest.mark.parametrize(
    ("ranks", "keys"),
    [(1, {}), (3, {"NUM_DIMS": 2, "DIM_2": 3}), (3, {"MODE": "ASYNC"}), (2, {"FILE_PER_PROC": "YES"})],
)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_overwrite(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ranks: int, pattern: tuple[str, str], keys: dict[str, object]
) -> None:
    """All values change, and later reads know them."""
    bench = Bench(tmp_path, capsys, ranks)
    keys = keys | {"MEM_PATTERN": pattern[0], "FILE_PATTERN": pattern[1]}
    bench.run("WRITE", **keys)
    if "FILE_PER_PROC" in keys:
        bench.file = bench.file.with_name("rank_0_h5bench.h5")
    before = bench.identities(1)
    for times in (1, 2):
        assert bench.run("OVERWRITE", **keys).operation == "overwrite"
        own = 7 if "FILE_PER_PROC" in keys else before.shape[0]
        assert np.array_equal(bench.identities(1)[:own], before[:own] + 2 * times)
        assert bench.run("READ", **keys).verified == "formula"


@built
@pytest.mark.case("solvers.H12.overwrite")
def test_overwrite_of_a_part(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Values that are not overwritten stay, and later reads do not claim to know all values."""
    bench = Bench(tmp_path, capsys)
    for keys in ({"TIMESTEPS": 1}, {"DIM_1": 3}):
        bench.run("WRITE")
        bench.run("OVERWRITE", **keys)
        assert np.count_nonzero(bench.identities(1) != np.arange(14) + 1) == (0 if "TIMESTEPS" in keys else 6)
        assert bench.run("READ").verified == "second read"


@built
@pytest.mark.case("solvers.H12.append")
@pytest.mark.parametrize(
    ("ranks", "keys"), [(1, {}), (3, {"NUM_DIMS": 2, "DIM_2": 3, "CHUNK_DIM_2": 2}), (3, {"MODE": "ASYNC"})]
)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_append(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ranks: int, pattern: tuple[str, str], keys: dict[str, object]
) -> None:
    """Each rank's rows are appended to the existing data, which stays. Later reads know all values."""
    bench = Bench(tmp_path, capsys, ranks)
    keys = keys | {"MEM_PATTERN": pattern[0], "FILE_PATTERN": pattern[1]}
    compressed = pattern[0] == pattern[1]
    if compressed:
        bench.run("WRITE_UNLIMITED", **(CHUNKS | keys))
    keys.pop("CHUNK_DIM_2", None)
    if not compressed:  # of ranks, HDF5 compresses nothing that it has to convert; it is written first, without
        bench.run("APPEND", **keys)
    rows = (7 if compressed else 14) * ranks
    for more in (5, 2):
        found = bench.run("APPEND", **(GATHERED | keys | {"DIM_1": more}))
        assert (found.operation, found.particles[0]) == ("append", more * (3 if "DIM_2" in keys else 1))
        rows += more * ranks
        identities = bench.identities(1)
        assert identities.shape[0] == rows
        assert np.array_equal(identities.ravel(), np.arange(identities.size) + 1)
        assert bench.run("READ", **(keys | {"DIM_1": rows // ranks})).verified == "formula"


@built
@pytest.mark.case("solvers.H12.append")
def test_append_sees_what_was_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A wrong value before the appended data is reported."""
    bench = Bench(tmp_path, capsys)
    bench.run("WRITE_UNLIMITED", **CHUNKS)
    with h5py.File(bench.file, "r+") as file:
        file["Timestep_1/id_1"][13] = -5
    code, out, _ = bench.outcome("APPEND", **GATHERED)
    assert code == WRONG
    assert "rank 1: Timestep_1: id_1 of particle 6 is -5, expected 14" in out
    assert "before what was appended" in out


@built
@pytest.mark.case("solvers.H12.there")
@pytest.mark.parametrize("operation", ["OVERWRITE", "APPEND"])
@pytest.mark.parametrize("keys", [{}, {"NUM_DIMS": 3, "DIM_2": 2, "DIM_3": 3}, {"FILE_PATTERN": "INTERLEAVED"}])
def test_files_that_are_not_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, operation: str, keys: dict[str, object]
) -> None:
    """They are written first, untimed; for an append with datasets that can grow."""
    bench = Bench(tmp_path, capsys)
    _, out, _ = bench.outcome(operation, **keys)
    document = H5benchDocument.model_validate_json(out)
    assert document.benchmarks[0].valid
    assert "did not exist: it was written first, untimed" in document.remarks[0]


@built
@pytest.mark.case("solvers.H12.refused")
def test_what_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One line and exit code 2; the file does not change."""
    bench = Bench(tmp_path, capsys)
    bench.run("WRITE")
    before = bench.file.read_bytes()
    code, _, err = bench.outcome("APPEND")
    assert (code, err.count("\n")) == (MISUSE, 1)
    assert "has datasets of 14 rows at most, which cannot grow: append to what write-unlimited has written" in err
    assert bench.file.read_bytes() == before
    bench.run("WRITE_UNLIMITED", NUM_DIMS=2, DIM_2=3, **CHUNKS)
    for operation, keys, message in (
        ("APPEND", {"NUM_DIMS": 2, "DIM_2": 3}, "is compressed, which ranks write collectively"),
        ("OVERWRITE", {"NUM_DIMS": 2, "DIM_2": 3}, "expected COLLECTIVE_DATA=YES"),
        ("APPEND", GATHERED | {"NUM_DIMS": 2, "DIM_2": 2}, "dimension 2 of the file has 3 elements, expected DIM_2, 2"),
        ("OVERWRITE", GATHERED | {"NUM_DIMS": 2, "DIM_2": 4}, "dimension 2 of the file has 3 elements"),
        ("OVERWRITE", GATHERED, "has 2 dimensions, expected 1"),
        ("APPEND", GATHERED | {"FILE_PATTERN": "INTERLEAVED"}, "has no Timestep_0/particles"),
    ):
        code, _, err = bench.outcome(operation, **keys)
        assert (code, err.count("\n")) == (MISUSE, 1)
        assert message in err


@pytest.mark.case("solvers.H12.refused")
@pytest.mark.parametrize(("operation", "keys", "message"), [
    ("WRITE_UNLIMITED", {}, "COMPRESS is NO, expected YES"),
    ("WRITE", {"COMPRESS": "YES", "FILE_PATTERN": "INTERLEAVED"}, "which HDF5 does not compress by ranks"),
    ("WRITE_NORMAL_DIST", {"NUM_DIMS": 2}, "NUM_DIMS is 2 and FILE_PATTERN CONTIG"),
    ("OVERWRITE", {"READ_OPTION": "PARTIAL", "TO_READ_NUM_PARTICLES": 1}, "READ_OPTION is PARTIAL"),
    ("APPEND", {"FILE_PATTERN": "STRIDED"}, "FILE_PATTERN STRIDED, expected FULL and CONTIG or INTERLEAVED"),
    ("APPEND", {"FILE_PER_PROC": "YES"}, "FILE_PER_PROC is YES, expected NO with APPEND"),
])  # fmt: skip
def test_keys_that_cannot_be(operation: str, keys: dict[str, object], message: str) -> None:
    """Refused by name, with what to do."""
    with pytest.raises(Misuse, match=message):
        configured({"IO_OPERATION": operation, "DIM_1": 8} | keys, "x")


@pytest.mark.case("solvers.H12.refused")
def test_a_file_of_the_users_is_not_changed_unasked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Overwriting takes --replace."""
    (tmp_path / "h5bench.h5").write_bytes(b"mine")
    (tmp_path / "bench.cfg").write_text("IO_OPERATION=OVERWRITE\n", encoding="utf-8")
    assert main(["solve", "h5", str(tmp_path / "bench.cfg"), "--folder", str(tmp_path)]) == MISUSE
    assert "is there already and would be changed: expected --replace" in capsys.readouterr().err
    assert (tmp_path / "h5bench.h5").read_bytes() == b"mine"


@built
@pytest.mark.parametrize("mode", ["SYNC", "ASYNC"])
@pytest.mark.parametrize("operation", ["WRITE", "READ"])
def test_ranks_end_without_a_word(tmp_path: Path, operation: str, mode: str) -> None:
    """HDF5 prints no errors when the program ends."""
    for one in ("WRITE", operation):
        asked = configured({"IO_OPERATION": one, "TIMESTEPS": "2", "DIM_1": "7", "MODE": mode}, "bench.cfg")
        keys = [f"{name}={int(value)}" for name, value in asked.words().items()]
        words = [str(program_of_ranks("h5io", PROGRAM)), f"file={tmp_path / 'x.h5'}", "cold=0", *keys]
        with (tmp_path / "said").open("w+b") as said:
            with started_ranks(words, 2, 1, said, Stop()) as ranks:
                assert list(ranks.lines())
            assert ranks.code == 0
            said.seek(0)
            assert b"HDF5" not in said.read()
