"""Platforms in files: what is read is what was written, and what makes no sense is told in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from any_platform import plain, platforms
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import FOLDER, known_platforms, named_platform, parse_platform, read_platform
from rooftop.simulate.platform_text import as_toml

LECTURE = (FOLDER / "lecture_cluster.toml").read_text(encoding="utf-8")


@settings(max_examples=40)
@given(platforms())
def test_a_platform_is_read_as_it_was_written(platform: Platform) -> None:
    again = parse_platform(as_toml(platform), "again")
    assert again == platform
    assert dict(again.figures()) == dict(platform.figures())


@given(st.text())
def test_titles_are_texts_of_toml(title: str) -> None:
    platform = plain().model_copy(update={"title": title})
    try:
        title.encode()
    except UnicodeEncodeError:
        return
    assert tomllib.loads(as_toml(platform))["title"] == title


@given(st.text())
def test_any_text_is_a_platform_or_one_line(text: str) -> None:
    with pytest.raises(Misuse) as told:
        parse_platform(text, "any")
    assert "\n" not in str(told.value)


@given(
    st.sampled_from(LECTURE.splitlines()),
    st.one_of(st.integers(), st.floats(), st.booleans(), st.text(max_size=20), st.lists(st.integers(), max_size=3)),
)
def test_a_line_with_any_value_is_a_platform_or_one_line(line: str, value: object) -> None:
    key, equals, _ = line.partition(" = ")
    shown = {True: "true", False: "false"}.get(value, repr(value)) if isinstance(value, bool) else repr(value)
    changed = LECTURE.replace(line, f"{key} = {shown}") if equals else LECTURE.replace(line, shown)
    try:
        parse_platform(changed, "changed")
    except Misuse as told:
        assert str(told).startswith("changed")
        assert "\n" not in str(told)


def test_known_machines_are_read_and_every_figure_has_a_source() -> None:
    assert {"lecture_cluster", "sw26010_groups", "four_socket_server"} <= set(known_platforms())
    for name in known_platforms():
        platform = named_platform(name)
        assert all(platform.source(figure) is not None for figure, _ in platform.figures())
        assert parse_platform(as_toml(platform), name) == platform


TORUS = 'topology = "torus"\ndimensions = [2, 3, 3]'
DRAGONFLY = 'topology = "dragonfly"\ngroups = 6\nchassis = 1\nrouters = 2\nnodes_per_router = 1'
FAT_TREE = 'topology = "fat_tree"\ndown = [4, 3]\nup = [1, 2]\nlinks = [1]'
CROSSBAR = 'topology = "crossbar"'


@pytest.mark.parametrize(
    ("line", "instead", "told"),
    [
        ("cores = 16", "cores = 0", "node.cores is 0: expected a number greater than or equal to 1"),
        ("cores = 16", "cores = 16.0", "node.cores is 16.0: expected a valid integer"),
        ("cores = 16", "cores = 16\ngroups = 3", "node: groups is 3: expected a divisor of the 16 cores"),
        ("core_flops_per_s = 10e9", "core_flops_per_s = nan", "node.core_flops_per_s is nan: expected a finite number"),
        ("core_flops_per_s = 10e9", "core_flops_per_s = inf", "node.core_flops_per_s is inf: expected a"),
        ("core_flops_per_s = 10e9", "core_flops_per_s = 0.0", "node.core_flops_per_s is 0.0: expected a number"),
        ("core_flops_per_s = 10e9", "core_flops_per_s = -1.0", "node.core_flops_per_s is -1.0: expected"),
        ("core_flops_per_s = 10e9", "core_flops_per_s = true", "node.core_flops_per_s is True: expected a valid"),
        ("core_flops_per_s = 10e9", 'core_flops_per_s = "10e9"', "node.core_flops_per_s is '10e9': expected a valid"),
        ("memory_bytes_per_s = 60.4e9", "memory_bytes_per_s = 1e30", "node.memory_bytes_per_s is 1e+30: expected"),
        (
            "memory_bytes_per_s = 60.4e9",
            "memory_bytes_per_s = 60.4e9\ncore_memory_bytes_per_s = 61e9",
            "node: core_memory_bytes_per_s is 6.1e+10: expected at most the 6.04e+10",
        ),
        ("latency_s = 1.5e-6", "latency_s = 1500.0", "messages.latency_s is 1500.0: expected a number less than"),
        ("latency_s = 1.5e-6", "latency = 1.5e-6", "messages.latency is not a figure of a platform"),
        (CROSSBAR, 'topology = "ring"', "network.topology is 'ring': expected crossbar, torus, fat_tree or dragonfly"),
        (CROSSBAR, "", "network.topology is None: expected crossbar"),
        (CROSSBAR, f"{CROSSBAR}\ndimensions = [12]", "network.dimensions is not a figure of a platform"),
        (CROSSBAR, TORUS, "the dimensions of the torus make 18 nodes: expected nodes = 12"),
        (CROSSBAR, TORUS.replace("3]", "0]"), "network.dimensions.3 is 0: expected a number greater"),
        (CROSSBAR, FAT_TREE, "network: down, up and links have 2, 2 and 1 figures: expected one for each level"),
        (CROSSBAR, DRAGONFLY, "network: groups is 6: expected at most the 2 routers of a group"),
        (CROSSBAR, DRAGONFLY.replace("6", "2"), "the dimensions of the dragonfly make 4 nodes: expected nodes = 12"),
        ("nodes = 12", "", "nodes is missing"),
        ("nodes = 12", "nodes = 12\nhosts = 12", "hosts is not a figure of a platform"),
        ("nodes = 12", "nodes = 100_000_000", "nodes is 100000000: expected a number less than or equal to 1000000"),
        ("cores = 16", "cores = 999_999", "nodes of 999999 cores"),
        ('"network", "messages"', '"network"', "messages.latency_s has no source"),
        ('"network", "messages"', '"network", "messages", "speed"', "sources name 'speed', which the file does not"),
        ('how = "assumed"', 'how = "guessed"', "expected 'stated', 'follows', 'measured' or 'assumed'"),
        ("nodes = 12", "nodes = = 12", "is not TOML"),
    ],
)  # fmt: skip
def test_a_platform_that_makes_no_sense_is_told_in_one_line(line: str, instead: str, told: str) -> None:
    assert line in LECTURE
    changed = LECTURE.replace(line, instead, 1)
    if "999_999" in instead:
        changed = changed.replace("nodes = 12", "nodes = 999_999", 1)
    with pytest.raises(Misuse) as error:
        parse_platform(changed, "machine.toml")
    assert told in str(error.value)
    assert str(error.value).startswith("machine.toml")
    assert "\n" not in str(error.value)


def test_sizes_of_messages_must_grow() -> None:
    times = "by_size = [{ bytes = 8, message_s = 1e-6 }, { bytes = 8, message_s = 2e-6 }]"
    with pytest.raises(Misuse, match="by_size has 8 bytes after 8: expected growing sizes"):
        parse_platform(LECTURE.replace("latency_s = 1.5e-6", f"latency_s = 1.5e-6\n{times}"), "machine.toml")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(
        Misuse, match=r"there is no platform 'lecture', and a file ends with .toml; there are: .*lecture_cluster"
    ):
        named_platform("lecture")
    with pytest.raises(Misuse, match="cannot be read: No such file"):
        named_platform(str(tmp_path / "none.toml"))
    with pytest.raises(Misuse, match="cannot be read: Is a directory"):
        read_platform(tmp_path)
    large = tmp_path / "large.toml"
    large.write_text("#" * (1 << 21), encoding="utf-8")
    with pytest.raises(Misuse, match="2097152 bytes: expected a platform"):
        read_platform(large)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Misuse, match="cannot be read"):
        read_platform(binary)
