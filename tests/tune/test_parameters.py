"""Values, conditions and spaces, as users spell them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.option import read_options
from rooftop.errors import Misuse
from rooftop.parameters.space import Parameter, Space, label, parameter
from rooftop.parameters.values import read_values
from rooftop.tune.options import Options


def test_values_are_numbers_ranges_and_texts() -> None:
    assert read_values("--threads", "1,2,4") == (1, 2, 4)
    assert read_values("--threads", "1..4") == (1, 2, 3, 4)
    assert read_values("--param", "0..64..16") == (0, 16, 32, 48, 64)
    assert read_values("--param", "-O2,-O3 -march=native,0.5") == ("-O2", "-O3 -march=native", 0.5)
    assert read_values("--param", "-2..1") == (-2, -1, 0, 1)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, unique=True))
def test_lists_of_numbers_come_back(values: list[int]) -> None:
    assert read_values("--param", ",".join(map(str, values))) == tuple(values)


@given(st.text(max_size=30))
def test_any_text_is_values_or_one_clear_line(text: str) -> None:
    try:
        assert len(read_values("--param", text)) >= 1
    except Misuse as error:
        assert "--param" in str(error)
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("option", "kind", "name", "text", "told"),
    [
        ("--threads", "threads", "threads", "0,1", "expected whole numbers from 1"),
        ("--ranks", "ranks", "ranks", "two", "expected whole numbers from 1"),
        ("--bind", "bind", "bind", "tight", "expected close, spread or none"),
        ("--malloc", "malloc", "malloc", "hoard", "jemalloc"),
        ("--param", "param", "2N", "1", "expected a name"),
        ("--param", "param", "N", "1,,2", "with commas between"),
        ("--param", "param", "N", "8..1", "the smaller end first"),
        ("--param", "param", "N", "1,1", "twice"),
        ("--param", "param", "N", "1..9999999", "fewer than"),
    ],
)
def test_misuse_is_told(option: str, kind: str, name: str, text: str, told: str) -> None:
    with pytest.raises(Misuse, match=told):
        parameter(option, kind, name, text)  # type: ignore[arg-type]


def test_a_space_is_what_the_conditions_allow() -> None:
    ranks, threads = Parameter("ranks", "ranks", (1, 2, 4)), Parameter("threads", "threads", (1, 2, 4))
    space = Space([ranks, threads], ["ranks*threads <= 4", "not (ranks == 1 and threads == 4)"])
    found = [(one["ranks"], one["threads"]) for one in space.configurations]
    assert found == [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1)]
    assert label(space.configurations[1]) == "ranks=1 threads=2"
    assert len(Space([threads], ["threads <= cores"]).configurations) >= 1


@pytest.mark.parametrize(
    ("conditions", "told"),
    [
        (["threads >"], "cannot be read"),
        (["threads <= kernels"], "it may use cores, threads"),
        (["threads > 99"], "no configuration fulfils"),
        (["__import__('os').system('true')"], "has no value"),
        (["threads / 0 > 1"], "has no value"),
    ],
)
def test_conditions_that_make_no_sense(conditions: list[str], told: str) -> None:
    with pytest.raises(Misuse, match=told):
        Space([Parameter("threads", "threads", (1, 2))], conditions)


def test_spaces_that_cannot_be() -> None:
    with pytest.raises(Misuse, match="nothing to tune"):
        Space([])
    with pytest.raises(Misuse, match="declared twice"):
        Space([Parameter("N", "param", (1,)), Parameter("N", "env", (1,))])
    with pytest.raises(Misuse, match="at most"):
        Space([Parameter(name, "param", tuple(range(1000))) for name in "ab"])


def test_a_file_declares_what_options_declare(tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(
        'threads = "1..2"\nbind = ["close", "none"]\nwhere = "threads <= 2"\n'
        'build = "make N={N}"\n[env]\nKEY = ["a", "b"]\n[param]\nN = [8, 16]\n'
    )
    assert read_options(file, Options, str) == {
        "parameters": (
            ("threads", "threads", (1, 2)),
            ("bind", "bind", ("close", "none")),
            ("KEY", "env", ("a", "b")),
            ("N", "param", (8, 16)),
        ),
        "where": ("threads <= 2",),
        "build": "make N={N}",
    }


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("threads = ", "not TOML"),
        ("thread = [1]", "has 'thread', .*the nearest of 14: threads"),
        ("env = 3", "env is 3: expected a table"),
        ("threads = [true]", r"threads is \[True\], expected a list of numbers or texts"),
        ("threads = [1]\nwhere = 5", "where .*is 5: expected a valid string"),
        ("threads = [1]\nbuild = [1]", r"build is \[1\]: expected a valid string"),
    ],
)
def test_files_that_make_no_sense(content: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(content)
    with pytest.raises(Misuse, match=told):
        read_options(file, Options, str)
    with pytest.raises(Misuse, match="cannot be read"):
        read_options(tmp_path / "missing.toml", Options, str)


@pytest.mark.case("commands.C4.where")
@pytest.mark.parametrize(
    "condition", ["-" * 3000 + "N", "(" * 300 + "N", "[1][N]", "N.real.x", "N\0", "{}[N]", "'%z' % N"]
)
def test_conditions_that_python_gives_up_on_are_misuse(condition: str) -> None:
    with pytest.raises(Misuse, match=r"cannot be read|has no value"):
        Space([parameter("--param", "param", "N", "1,2")], [condition])


@pytest.mark.case("commands.A3.label")
def test_no_two_configurations_have_one_name() -> None:
    space = Space([parameter("--param", "param", "A", "1,1 B=2"), parameter("--param", "param", "B", "3,2 B=3")])
    assert len({label(one) for one in space.configurations}) == 4
    assert label({"A": "static:64", "B": "0.5"}) == "A=static:64 B=0.5"


@pytest.mark.case("commands.C4.digits")
def test_numbers_that_are_too_long_for_python() -> None:
    digits = "9" * 5000
    assert read_values("--param", f"1,{digits}") == (1, digits)
    with pytest.raises(Misuse, match="expected whole numbers from 1"):
        parameter("--threads", "threads", "threads", digits)
    for text in (f"1..{digits}", f"{digits}..{digits}", f"0..1..{digits}"):
        with pytest.raises(Misuse, match="expected numbers of at most 300 letters"):
            read_values("--param", text)
