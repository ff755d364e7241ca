"""Parsing of the files to which processes write their OpenMP regions, and of what addr2line says."""

from __future__ import annotations

import re
from dataclasses import astuple, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.observe.addresses import Place, parse_places, places
from rooftop.observe.openmp import USES, Figures, Regions, Site, read_process, read_regions, total

NATIVE = Path(__file__).parents[2] / "native" / "openmp_regions"
FIGURE = st.integers(0, 2**64 - 1)
FIGURES = st.builds(Figures, **{field.name: FIGURE for field in fields(Figures)})
PATH = st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1)
REGIONS = st.builds(
    lambda of, lost, times: Regions(of, lost, *sorted(times)),
    st.dictionaries(st.builds(Site, PATH, FIGURE), FIGURES, max_size=5),
    FIGURE,
    st.tuples(FIGURE, FIGURE),
)


def written(regions: Regions) -> str:
    """Return the text that the library would write."""
    files = list(dict.fromkeys(site.file for site in regions.of))
    lines = [f"object {number} {file}" for number, file in enumerate(files)]
    for site, figures in regions.of.items():
        lines.append(" ".join(map(str, ("region", files.index(site.file), site.offset, *astuple(figures)))))
    if regions.lost:
        lines.append(f"lost {regions.lost}")
    return "".join(f"{line}\n" for line in [*lines, f"end {regions.began_ns} {regions.ended_ns}"])


@given(REGIONS)
def test_what_was_written_is_read(regions: Regions) -> None:
    assert read_process(written(regions)) == regions


@given(REGIONS, st.data())
def test_a_text_that_was_cut_short_is_refused(regions: Regions, data: st.DataObject) -> None:
    text = written(regions)
    with pytest.raises(ValueError, match="regions"):
        read_process(text[: data.draw(st.integers(0, len(text) - 1))])


WORDS = ["object", "region", "lost", "end", " ", "0", "1", "-1", "\n", "x", "object 0 a\n", "region 0 1" + " 0" * 14]
WORDS += ["end 0 0\n", "end 5 9\n", "lost 7\n"]


@given(st.text() | st.lists(st.sampled_from(WORDS)).map("".join))
def test_any_other_text_is_read_as_written_or_refused(text: str) -> None:
    try:
        regions = read_process(text)
    except ValueError as reason:
        assert "regions" in str(reason)
    else:
        assert read_process(written(regions)) == regions


@given(st.lists(REGIONS, max_size=4))
def test_totals_are_sums(processes: list[Regions]) -> None:
    found = total(processes)
    assert found.lost == sum(one.lost for one in processes)
    spans = [(one.began_ns, one.ended_ns) for one in processes if one.ended_ns]
    assert found.ended_ns == max((ended for _, ended in spans), default=0)
    assert found.began_ns == min((began for began, _ in spans), default=0)
    assert set(found.of) == {site for one in processes for site in one.of}
    for site, figures in found.of.items():
        parts = [one.of[site] for one in processes if site in one.of]
        assert figures.wall_ns == sum(one.wall_ns for one in parts)
        assert figures.most_threads == max(one.most_threads for one in parts)
        assert all(figures.uses & one.uses == one.uses for one in parts)


def test_names_are_those_of_the_library() -> None:
    header = (NATIVE / "sites.h").read_text()
    listed = [re.findall(r"X\((\w+)\)", line) for line in header.splitlines() if line.startswith("#define SITE_")]
    names = [[name for name in one if name != "X"] for one in listed]
    assert names[0] == [field.name for field in fields(Figures)][: len(names[0])]
    times = {"barrier_wait": "barrier", "lock_wait": "lock"}
    wanted = [f"{times.get(name, name)}_ns" for name in names[1]]
    assert wanted == [field.name for field in fields(Figures)][len(names[0]) :]
    bits = re.findall(r"USE_(\w+) = (\d+)", (NATIVE / "regions.h").read_text())
    assert [(name.lower(), int(bit)) for name, bit in bits] == [(name, 1 << at) for at, name in enumerate(USES)]


def test_a_process_ends_after_it_began() -> None:
    with pytest.raises(ValueError, match=r"regions 'end 9 5': expected a begin before the end"):
        read_process("end 9 5\n")


def test_processes_without_regions_are_left_out(tmp_path: Path) -> None:
    one = Regions({Site("/bin/a b", 5): Figures(calls=2)})
    (tmp_path / "a_1.txt").write_text(written(one))
    (tmp_path / "b_2.txt").write_text("end 0 0\n")
    (tmp_path / "c_3.txt").write_text("")
    assert read_regions(tmp_path) == [one]
    (tmp_path / "d_4.txt").write_text("object 0 a\n")
    with pytest.raises(ValueError, match=r"^d_4\.txt: the text of regions has no end"):
        read_regions(tmp_path)


def test_places_are_read() -> None:
    text = (
        "sweep._omp_fn.0\n/home/a b/sweep.c:12 (discriminator 3)\nsolve(int) [clone ._omp_fn.1]\n??:?\n"
        "main.omp_outlined\nx.c:0\n??\n??:0\n__grid_MOD_step._omp_fn.2.constprop.0\n/g.f90:7\n"
    )
    found = parse_places(text)
    assert found == [
        Place("sweep", "/home/a b/sweep.c", 12),
        Place("solve(int)", body=1),
        Place("main"),
        Place(),
        Place("__grid_MOD_step", "/g.f90", 7, 2),
    ]
    assert [str(one) for one in found] == ["sweep (sweep.c:12)", "solve(int)", "main", "", "__grid_MOD_step (g.f90:7)"]


@given(st.text())
def test_any_text_has_places_or_none(text: str) -> None:
    assert len(parse_places(text)) == len(text.splitlines()) // 2


def test_a_file_that_is_gone_has_no_places(tmp_path: Path) -> None:
    assert places(str(tmp_path / "gone"), [1, 2]) == [Place(), Place()]
    assert places("[generated]", []) == []
