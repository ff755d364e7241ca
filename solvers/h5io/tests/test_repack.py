"""``rooftop h5 repack``: the layout changes, and nothing else that h5py shows."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.repack.document import RepackDocument

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)


def spelled(value: Any, file: Any) -> Any:
    """Return a value in a form that is equal for two files if their values mean the same."""
    if isinstance(value, h5py.RegionReference):
        return ("region", file[value].name, file[value][value].tolist()) if value else None
    if isinstance(value, h5py.Reference):
        return file[value].name if value else None
    if isinstance(value, h5py.Empty):
        return "empty", str(value.dtype)
    if isinstance(value, np.void) and value.dtype.names:
        return tuple(spelled(value[name], file) for name in value.dtype.names)
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            return value.shape, [spelled(one, file) for one in value.ravel()]
        return value.dtype.str, value.shape, value.tobytes()
    return (str(value.dtype), value.tobytes()) if isinstance(value, np.generic) else value


def contents(path: Path, layouts: bool = False) -> dict[str, Any]:
    """Return everything that h5py shows of a file, with layouts only on request."""
    found: dict[str, Any] = {}
    seen: dict[int, str] = {}

    def visit(one: Any) -> None:
        if (first := seen.setdefault(h5py.h5o.get_info(one.id).addr, one.name)) != one.name:
            found[f"{one.name} is"] = first
            return
        attributes = [(name, spelled(one.attrs[name], file), one.attrs.get_id(name).dtype) for name in one.attrs]
        entry: list[Any] = [type(one).__name__, attributes]
        if isinstance(one, h5py.Dataset):
            properties = one.id.get_create_plist()
            entry += [one.shape, one.maxshape, one.dtype, one.id.get_type().committed(), spelled(one[()], file)]
            entry.append(properties.get_attr_creation_order())
            entry.append(None if one.dtype.hasobject else spelled(one.fillvalue, file))
            if layouts:
                entry += [one.chunks, one.compression, one.compression_opts, one.shuffle, one.fletcher32]
        elif isinstance(one, h5py.Datatype):
            entry.append(one.dtype)
        found[one.name] = entry
        if isinstance(one, h5py.Group):
            entry.append(list(one))
            for name in one:
                link = one.get(name, getlink=True)
                if isinstance(link, h5py.HardLink):
                    visit(one[name])
                else:
                    found[f"{one.name}/{name}"] = type(link).__name__, link.path, getattr(link, "filename", None)

    with h5py.File(path) as file:
        visit(file["/"])
        found["user block"] = path.read_bytes()[: file.userblock_size]
    return found


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["h5", "repack", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rewritten(capsys: pytest.CaptureFixture[str], *words: object) -> RepackDocument:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    return RepackDocument.model_validate_json(out)


@pytest.fixture(params=["by h5io", "by the library"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Copy small datasets like large ones, or all datasets by the library."""
    small = 0 if request.param == "by h5io" else 1 << 60
    monkeypatch.setattr("rooftop.solvers.h5io.repack.ways.SMALL_BYTES", small)
    return str(request.param)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """Return a file with one object of each kind."""
    path = tmp_path / "full.h5"
    pair = np.dtype([("a", "<i4"), ("b", "<f8")])
    with h5py.File(path, "w", userblock_size=512, track_order=True) as file:
        x = file.create_dataset("z/x", (100, 60), "<f4", chunks=(1, 60), compression="gzip", maxshape=(None, 60))
        x[...] = np.arange(6000).reshape(100, 60)
        lon = file.create_dataset("lon", data=np.linspace(0, 360, 60))
        lon.make_scale("longitude")
        x.dims[1].attach_scale(lon)
        x.dims[1].label = "lon"
        x.attrs["units"], x.attrs["of"] = "K", lon.ref
        file["a hard link"] = x
        file["z/root"] = file["/"]
        file["soft"], file["external"] = h5py.SoftLink("/z/nothing"), h5py.ExternalLink("other.h5", "/y")
        file["pair"] = pair
        file["pair"].attrs["note"] = "a named type"
        table = file.create_dataset(
            "table", (50,), dtype=file["pair"], chunks=(7,), shuffle=True, fillvalue=np.array((7, 2.5), pair)
        )
        table[:20] = (1, 2.0)
        ordered = file.create_group("ordered", track_order=True)
        for name in ("c", "b", "a"):
            ordered.attrs[name] = ordered.create_dataset(name, data=[ord(name)]).regionref[0:1]
        file["texts"] = ["one", "", "größer"]
        file.create_dataset("ragged", (2,), h5py.vlen_dtype("<i2"), chunks=(1,))[...] = [[1, 2, 3], [4]]
        kinds = np.dtype([("text", h5py.string_dtype()), ("to", h5py.ref_dtype)])
        file.create_dataset("mixed", (2,), kinds, chunks=(2,))[...] = [("x", x.ref), ("none", h5py.Reference())]
        file["one"], file["none"] = 3.5, h5py.Empty("<i4")
        file["bits"] = np.arange(40).reshape(4, 10) % 2 == 0
        file["colours"] = np.array([1, 2, 1], dtype=h5py.enum_dtype({"red": 1, "blue": 2}, "i1"))
        file["bytes"] = np.array([b"ab", b"c"], "S5")
        file.attrs["empty"], file.attrs["many"] = h5py.Empty("f4"), ["a", "bäöü"]
        file.attrs.create("pair", np.array((1, 2.5), pair), dtype=file["pair"])
    with path.open("r+b") as raw:
        raw.write(b"what comes before")
    return path


WORDS = [
    ["--chunks", "20x30"],
    ["--filter", "none"],
    ["--chunks", "50x10", "--filter", "shuffle+deflate:2"],
    ["--chunks", "64x60", "--filter", "fletcher32"],
    ["--filter", "bitshuffle-lz4"],
    ["--chunks", "20X30", "--filter", "shuffle,zstd:3"],
    ["--filter", "blosc2-lz4"],
    ["--filter", "blosc-zstd:4"],
    ["--filter", "lz4"],
]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_all_else_stays(capsys: pytest.CaptureFixture[str], full: Path, way: str, words: list[str]) -> None:
    if words[-1] not in ("none", "20x30", "fletcher32") and "deflate" not in words[-1]:
        pytest.importorskip("hdf5plugin")
    before, other = contents(full), contents(full, layouts=True)
    document = rewritten(capsys, full, "--dataset", "/z/x", *words)
    assert contents(full) == before
    assert [one.dataset for one in document.rewritten] == ["z/x"]
    assert (document.bytes_after, document.out) == (full.stat().st_size, str(full))
    after = contents(full, layouts=True)
    assert {name for name in after if after[name] != other[name]} == {"/z/x"}
    assert [one.name for one in full.parent.iterdir()] == ["full.h5"]


def test_layouts_are_as_asked(capsys: pytest.CaptureFixture[str], full: Path) -> None:
    document = rewritten(capsys, full, "--dataset", "z/x", "--chunks", "20x30", "--filter", "shuffle+deflate:2")
    (one,) = document.rewritten
    assert (one.before.layout, one.after.layout) == ("1x60, deflate", "20x30, shuffle, deflate:2")
    assert (one.after.chunk, one.after.filters) == ([20, 30], ["shuffle", "deflate:2"])
    with h5py.File(full) as file:
        x = file["z/x"]
        assert (x.chunks, x.compression, x.compression_opts, x.shuffle) == ((20, 30), "gzip", 2, True)
        assert one.after.stored_bytes == x.id.get_storage_size()
    assert rewritten(capsys, full, "--dataset", "z/x", "--chunks", "10x60").rewritten[0].after.filters == [
        "shuffle",
        "deflate",
    ]
    with h5py.File(full) as file:
        assert (file["z/x"].chunks, file["z/x"].compression_opts, file["z/x"].shuffle) == ((10, 60), 2, True)


def test_compounds_are_rewritten_and_chunks_that_were_never_written_stay_away(
    capsys: pytest.CaptureFixture[str], full: Path, way: str
) -> None:
    before = contents(full)
    rewritten(capsys, full, "--dataset", "table", "--chunks", "5", "--filter", "shuffle+deflate")
    assert contents(full) == before
    with h5py.File(full) as file:
        assert file["table"].id.get_num_chunks() == 5  # 20 elements, in chunks of 7 before: up to 21
    rewritten(capsys, full, "--dataset", "table", "--chunks", "none")
    assert contents(full) == before
    with h5py.File(full) as file:
        assert file["table"].chunks is None


def test_all_datasets_that_can_have_the_layout(capsys: pytest.CaptureFixture[str], full: Path, way: str) -> None:
    before = contents(full)
    code, out, err = run(capsys, full, "--filter", "shuffle+deflate:9")
    assert (code, err) == (0, "")
    assert contents(full) == before
    for line in (
        "unchanged: one is a single value, which cannot have chunks",
        "unchanged: mixed has references",
        "such as texts: each has values of variable length",
        "such as lon: each is small, and has no chunks",
        "read back and identical",
    ):
        assert line in out
    with h5py.File(full) as file:
        assert [file[name].compression_opts for name in ("z/x", "table", "lon")] == [9, 9, None]


def test_another_file_is_written(capsys: pytest.CaptureFixture[str], full: Path) -> None:
    old, other = full.read_bytes(), full.with_name("other.h5")
    document = rewritten(capsys, full, "--dataset", "z/x", "--chunks", "10x10", "--out", other)
    assert (document.out, full.read_bytes()) == (str(other), old)
    assert contents(other) == contents(full)
    code, _, err = run(capsys, full, "--dataset", "z/x", "--chunks", "10x10", "--out", other)
    assert (code, "exists already, expected a new name" in err) == (2, True)


def test_mode_and_links_stay(capsys: pytest.CaptureFixture[str], full: Path) -> None:
    full.chmod(0o640)
    link = full.with_name("link.h5")
    link.symlink_to(full.name)
    os.link(full, full.with_name("second.h5"))
    before = full.with_name("second.h5").read_bytes()
    code, _, err = run(capsys, link, "--dataset", "z/x", "--filter", "none")
    assert (code, err) == (0, f"remark: {link} has 2 hard links: the others still refer to the old file\n")
    assert link.is_symlink()
    assert stat.S_IMODE(full.stat().st_mode) == 0o640
    assert full.with_name("second.h5").read_bytes() == before
    with h5py.File(full) as file:
        assert file["z/x"].compression is None


def test_large_datasets_go_by_blocks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "large.h5"
    data = np.arange(700 * 900, dtype=">i4").reshape(700, 900)
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=data, chunks=(1, 900), compression="gzip", compression_opts=1)
    for words in (["--chunks", "700x3"], ["--chunks", "none"], ["--chunks", "33x44", "--filter", "shuffle+deflate:1"]):
        rewritten(capsys, path, *words, "--memory", "200KiB", "--threads", 2)
        with h5py.File(path) as file:
            np.testing.assert_array_equal(file["x"][...], data)


def test_advice_prints_the_command(capsys: pytest.CaptureFixture[str], full: Path) -> None:
    from rooftop.documents import Comparison
    from rooftop.solvers.h5io.advice.document import AdviceDocument, Proposal
    from rooftop.solvers.h5io.advice.lines import rewriting

    faster = Comparison(against="now", ratio=3, lo=2, hi=4, pairs=9, verdict="faster", floor=0)
    document = AdviceDocument.model_construct(file=str(full), dataset="z/x")
    for chunk, filters, words in (
        ([20, 30], ["shuffle", "zstd:3"], ["--chunks", "20x30", "--filter", "shuffle+zstd:3"]),
        ([20, 30], [], ["--chunks", "20x30", "--filter", "none"]),
        (None, [], ["--chunks", "none"]),
    ):
        document.proposals = [
            Proposal.model_construct(chunk=chunk, filters=filters, measured=faster, stored_bytes=1, layout="")
        ]
        command = rewriting(document)
        assert command == " ".join(["rooftop", "h5", "repack", str(full), "--dataset", "z/x", *words])
    if main(["h5", "repack", str(full), "--dataset", "z/x", "--chunks", "20x30", "--filter", "none", "--json"]) == 0:
        assert json.loads(capsys.readouterr().out)["schema"] == "rooftop/h5-repack/1"


@given(st.data())
def test_blocks_are_whole_chunks_and_have_everything_once(data: st.DataObject) -> None:
    from rooftop.solvers.h5io.repack.blocks import block_shape, blocks_of

    shape = data.draw(st.lists(st.integers(1, 20), min_size=1, max_size=3))
    chunks = st.tuples(*(st.integers(1, 25) for _ in shape))
    unit, other, most = data.draw(st.none() | chunks), data.draw(st.none() | chunks), data.draw(st.integers(1, 9000))
    block = block_shape(shape, 4, unit, other, most)
    smallest = [min(length, extent) for length, extent in zip(unit or [1] * len(shape), shape, strict=True)]
    assert 4 * np.prod(block) <= max(most, 4 * np.prod(unit or 1))
    assert all(one >= least for one, least in zip(block, smallest, strict=True))
    seen = np.zeros(shape, int)
    for index in blocks_of(shape, block):
        seen[index] += 1
        for one, extent, length in zip(index, shape, unit or [1] * len(shape), strict=True):
            assert one.start % length == 0
            assert one.stop % length == 0 or one.stop == extent
    assert (seen == 1).all()


TYPES = ("<f8", ">f4", "<i4", "|u1", ">i2", "<f2", "<c16", "|b1", "|S5", [("a", "<i2"), ("b", "|S3")])


@st.composite
def layouts(draw: st.DrawFn, shape: tuple[int, ...]) -> dict[str, Any]:
    if not shape or draw(st.booleans()):
        return {}
    return {
        "chunks": tuple(draw(st.integers(1, extent)) for extent in shape),
        "compression": draw(st.sampled_from((None, "gzip", "lzf"))),
        "shuffle": draw(st.booleans()),
        "fletcher32": draw(st.booleans()),
        "maxshape": tuple(draw(st.sampled_from((None, extent, extent + 3))) for extent in shape),
    }


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("track_order", [False, True])
def test_groups_of_any_number_of_links(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, libver: str, track_order: bool
) -> None:
    """HDF5 moves more than eight links out of a group's header; netCDF-4 writes such groups, too."""
    path = tmp_path / "links.h5"
    with h5py.File(path, "w", libver=libver) as file:
        for count in (0, 8, 9, 300):
            group = file.create_group(f"outer/{count}", track_order=track_order)
            for number in reversed(range(count)):
                group[f"x{number}"] = file["/"] if number % 2 else h5py.SoftLink("/x")
                group.attrs[f"a{number}"] = number
            group.create_group("inner", track_order=track_order)
        file["x"] = np.arange(10)
    before = contents(path)
    rewritten(capsys, path, "--chunks", "5")
    assert contents(path) == before


@given(st.data())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_small_file_stays_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str, data: st.DataObject
) -> None:
    path = tmp_path / "any.h5"
    numbers = np.random.default_rng(data.draw(st.integers(0, 1 << 20)))
    with h5py.File(path, "w", libver=data.draw(st.sampled_from(("earliest", "v108", "latest")))) as file:
        for number in range(data.draw(st.integers(1, 4))):
            shape = tuple(data.draw(st.lists(st.integers(1, 9), max_size=3)))
            dtype = np.dtype(data.draw(st.sampled_from(TYPES)))
            values = np.frombuffer(numbers.bytes(int(np.prod(shape, dtype=int)) * dtype.itemsize), dtype)
            storage = data.draw(layouts(shape))
            if dtype == np.bool_:
                values = values.view("u1") % 2 == 0
            group = data.draw(st.sampled_from(("", "g/", "g/h/")))
            x = file.create_dataset(f"{group}x{number}", shape, dtype, track_order=data.draw(st.booleans()), **storage)
            if data.draw(st.booleans()):
                x[...] = values.reshape(shape)
            for name in data.draw(st.lists(st.text("abcä", min_size=1, max_size=3), unique=True, max_size=3)):
                x.attrs[name] = data.draw(st.sampled_from(("text", 1.5, np.arange(3), x.ref, [b"a", b"b"])))
    before = contents(path)
    words = data.draw(
        st.sampled_from(("--filter shuffle+deflate:1", "--filter none", "--chunks none", "--chunks 2x3", "--chunks 4"))
    )
    code, _, err = run(capsys, path, *words.split())
    assert code in (0, 2), err
    assert contents(path) == before
    assert [one.name for one in tmp_path.iterdir()] == ["any.h5"]
