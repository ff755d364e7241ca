"""The layer list's reader: what it takes, and that every bad file costs one clear line and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.solvers.conv.layer_list import Layer, read_layers
from rooftop.solvers.conv.library import SIZE_MAX

per_test_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def write(folder: Path, data: str | bytes) -> Path:
    path = folder / "layers.conf"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def complaint(path: Path, **terms: int) -> str:
    with pytest.raises(Misuse) as caught:
        read_layers(path, **terms)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert "layers.conf" in message
    assert "expected" in message or "must be" in message
    return message


def test_reads_the_contest_form(tmp_path: Path) -> None:
    path = write(tmp_path, "2  # two layers\n3 10 10 2 2\n# between\n\n  32\t50 50 64 1 # last\n")
    assert read_layers(path) == [Layer(3, 10, 10, 2, 2), Layer(32, 50, 50, 64, 1)]


@pytest.mark.parametrize("data", ["1\r\n3 4 5 6 7\r\n", "\ufeff1\n3 4 5 6 7", "1\r3 4 5 6 7\r", "# é\n1\n3 4 5 6 7#ü"])
def test_line_ends_byte_order_mark_and_comments_in_any_script(tmp_path: Path, data: str) -> None:
    assert read_layers(write(tmp_path, data)) == [Layer(c=3, h=4, w=5, k=6, n=7)]


def test_padding_lowers_the_smallest_side(tmp_path: Path) -> None:
    path = write(tmp_path, "1\n1 1 2 1 1\n")
    assert read_layers(path, padding=1) == [Layer(1, 1, 2, 1, 1)]
    assert ":2: H (height) is '1', too small; expected a whole number from 3" in complaint(path)


def test_sizes_and_flops() -> None:
    layer = Layer(c=2, h=10, w=12, k=3, n=4)
    assert (layer.out_h(), layer.out_w(), layer.out_h(1), layer.out_w(1)) == (8, 10, 10, 12)
    assert layer.direct_flops() == 2 * 9 * 4 * 3 * 2 * 8 * 10
    assert layer.array_bytes() == 4 * (4 * 2 * 120 + 3 * 2 * 9 + 4 * 3 * 80)


@pytest.mark.parametrize(
    ("data", "part"),
    [
        ("", "empty"),
        ("\n  \n# only a comment\n", "empty"),
        ("two\n", ":1: number of layers is 'two', not a whole number"),
        ("0\n", ":1: number of layers is '0', zero"),
        ("-1\n", ":1: number of layers is '-1', negative"),
        ("99999999999\n", ":1: number of layers is '99999999999', too large"),
        ("3 10 10 2 2\n", ":1: the first line has 5 values"),
        ("2\n3 10 10 2 2\n", ":2: the file ends after 1 layers; expected 2"),
        ("1\n3 10 10 2 2\n\n3 9 9 2 2\n", ":4: a layer too many, '3 9 9 2 2'; expected 1"),
        ("1\n3 10 10 2\n", ":2: 4 values, '3 10 10 2'"),
        ("1\n3,10,10,2,2\n", ":2: 1 values, '3,10,10,2,2'"),
        ("1\n3 10 10 2 2 2\n", ":2: 6 values"),
        ("1\n3 10 x 2 2\n", ":2: W (width) is 'x', not a whole number"),
        ("1\n3 10 10.0 2 2\n", ":2: W (width) is '10.0', not a whole number"),
        ("1\n3 10 1e2 2 2\n", ":2: W (width) is '1e2', not a whole number"),
        ("1\n3 10 1_0 2 2\n", "'1_0', not a whole number"),
        ("1\n3 10 \uff11\uff10 2 2\n", "'\uff11\uff10', not a whole number"),
        ("1\n3 +10 10 2 2\n", "'+10', not a whole number"),
        ("1\n3 nan 10 2 2\n", "'nan', not a whole number"),
        ("1\n0 10 10 2 2\n", ":2: C (channels) is '0', zero; expected a whole number from 1"),
        ("1\n3 10 10 2 -0\n", ":2: N (images) is '-0', zero"),
        ("1\n3 10 10 -2 2\n", ":2: K (filters) is '-2', negative"),
        ("1\n3 2 10 2 2\n", ":2: H (height) is '2', too small; expected a whole number from 3"),
        (f"1\n{SIZE_MAX + 1} 10 10 2 2\n", f"from 1 to {SIZE_MAX}"),
        ("1\n3 10 10 2 " + "9" * 10_000 + "\n", "too large"),
        ("1\n3 10 10 2 -" + "9" * 10_000 + "\n", "negative"),
        ("1\n16777216 16777216 16777216 16777216 16777216\n", "overflows"),
        ("1\n3 10\x0010 2 2\n", ":2: not a text file: byte 0x00 at offset 6"),
        (b"\x7fELF\x02\x01\x01", ":1: not a text file"),
        ("1\n3 10 10 2 2\n".encode("utf-16"), "not a text file"),
        (b"1\n3 10 10 2 \xff\n", ":2: not UTF-8 text: byte 0xff at offset 12"),
        (b"\xef\xbb\xbf1\n3 10 10 2 \xff\n", ":2: not UTF-8 text: byte 0xff at offset 15"),
        (b"1\n" + b"# long\n" * 200_000, "longer than"),
    ],
)
def test_bad_files(tmp_path: Path, data: str | bytes, part: str) -> None:
    assert part in complaint(write(tmp_path, data))


def test_more_memory_than_there_is(tmp_path: Path) -> None:
    path = write(tmp_path, "2\n3 10 10 2 2\n64 112 112 64 64\n")
    need = Layer(64, 112, 112, 64, 64).array_bytes()
    assert read_layers(path, memory_bytes=need)
    assert f":3: layer '64 112 112 64 64' needs {need} bytes" in complaint(path, memory_bytes=need - 1)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    assert "no such file" in complaint(tmp_path / "layers.conf")
    (tmp_path / "layers.conf").mkdir()
    assert "is a directory" in complaint(tmp_path / "layers.conf")


def test_odd_names_stay_on_one_line(tmp_path: Path) -> None:
    assert "no such file" in complaint(tmp_path / "a\nlayers.conf")
    assert "cannot be read" in complaint(tmp_path / "a\0layers.conf")
    assert "no such file" in complaint(tmp_path / "layers.conf" / "inside")


sizes = st.integers(3, 500)


@per_test_folder
@given(st.lists(st.builds(Layer, sizes, sizes, sizes, sizes, sizes), min_size=1, max_size=9), st.sampled_from("\n\r"))
def test_what_is_written_is_read(tmp_path: Path, layers: list[Layer], end: str) -> None:
    text = f"{len(layers)}{end}" + end.join(f"{layer}  # note" for layer in layers)
    assert read_layers(write(tmp_path, text)) == layers


@per_test_folder
@given(st.binary(max_size=200) | st.text("0123456789 -#.\n\t", max_size=60).map(str.encode))
def test_any_bytes_are_layers_or_one_line(tmp_path: Path, data: bytes) -> None:
    path = write(tmp_path, data)
    try:
        layers = read_layers(path, padding=1)
    except Misuse:
        complaint(path, padding=1)
    else:
        assert layers
        assert all(min(layer.c, layer.h, layer.w, layer.k, layer.n) >= 1 for layer in layers)
    assert [entry.name for entry in tmp_path.iterdir()] == ["layers.conf"]
