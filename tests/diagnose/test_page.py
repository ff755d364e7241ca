"""The page of a diagnosis: what its figures hold, and how it looks in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser

from rooftop.command.process import Finished
from rooftop.diagnose import flame, pictures
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.efficiencies import efficiencies
from rooftop.diagnose.facts import Facts, RankFacts, Sent
from rooftop.diagnose.page import write
from rooftop.diagnose.roofline import roofline
from rooftop.diagnose.stacks import Stacks, callers, folded
from rooftop.diagnose.text import chain
from rooftop.diagnose.timeline import Lane, Timeline
from rooftop.documents import Roof
from rooftop.observe.operation_events import Operations
from rooftop.observe.operations import Counted
from rooftop.observe.profile import HotFunction
from rooftop.observe.stacks import Stack
from rooftop.report.palette import light

STACKS = Stacks(
    taken_by="perf",
    hz=100,
    folded={
        "app;main;work</script>;sin": 60,
        "app;main;sin": 20,
        "app;sin": 10,
        "app;main;sin;irq_[k]": 5,
        "app;main;[libgomp.so.1]": 40,
        "app;[libgomp.so.1];main._omp_fn.0": 10,
        "app;main;malloc": 5,
    },
)


COUNTED = Counted(
    finished=Finished(2 * 10**9, 3.0, 0.0, 1, 0),
    flops={Operations("any"): 2e9},
    lines=3e8,
    instructions=None,
    least=0.5,
    events={"any": 2e9, "lines": 3e8},
    memory=("lines",),
)
ROOFS = [
    Roof(metric="fma", value=1e11, unit="flop/s", threads=2, isa="avx2", precision="fp32"),
    Roof(metric="read", value=1e10, unit="byte/s", threads=2, level="memory"),
]


def ring(ranks: int) -> list[RankFacts]:
    return [
        RankFacts(
            seconds=2.0,
            inside_s=0.5 + place / ranks,
            calls=9,
            to={(place + 1) % ranks: Sent(messages=3, sent_bytes=1000 * (place + 1))},
        )
        for place in range(ranks)
    ]


def document() -> DiagnoseDocument:
    found = Facts(
        elapsed_s=2.0,
        cpus=2,
        levels=[0.0, 1.0, 1.0],
        user_s=3.0,
        system_s=0.0,
        faults=1,
        threads=[],
        hot=[HotFunction(share=0.7, file="libm.so.6", function="sin")],
        mpi=ring(3),
        stacks=STACKS,
        roofline=roofline(COUNTED, [], 2, ROOFS),
        python_stacks=Stacks(taken_by="py-spy", hz=100, folded={"main (a.py:1);work (a.py:3)": 7}),
    )
    lanes = [Lane(name=f"rank {place} thread {place} (<b>app</b>)", states="Rw li") for place in range(3)]
    return DiagnoseDocument(
        rooftop="0",
        started="now",
        command=["app", "</script>"],
        status=0,
        facts=found,
        efficiencies=efficiencies(found),
        timeline=Timeline(column_s=0.5, lanes=lanes, left_out=2),
    )


def test_rare_stacks_are_merged() -> None:
    stacks: dict[Stack, int] = {("app", str(place)): place + 1 for place in range(10)}
    found = folded(stacks, most=3)
    assert found == {"app;9": 10, "app;8": 9, "other": 36}
    assert folded(stacks, most=10) == {f"app;{place}": place + 1 for place in range(10)}


def test_who_calls_the_hottest_function() -> None:
    assert callers(STACKS, "sin") == (["main", "work</script>"], 60 / 95)
    assert callers(STACKS, "cos") is None
    assert callers(Stacks(taken_by="perf", hz=1, folded={"app;sin": 1}), "sin") is None
    assert (chain(document()) or "").replace(
        "\u202f", " "
    ) == "callers of sin: main → work</script> (63 % of its samples)"


def test_the_flame_graph_holds_the_sums() -> None:
    drawn = flame.figure(STACKS)
    assert drawn is not None
    (trace,) = drawn["data"]
    names, values = list(trace["labels"]), list(trace["values"])
    of = dict(zip(trace["ids"], zip(names, values, strict=True), strict=True))
    paths = {
        (of[above][0] if above else "", name): value
        for above, name, value in zip(trace["parents"], names, values, strict=True)
    }
    assert paths["", "all"] == paths["all", "app"] == 150
    assert (paths["app", "main"], paths["main", "sin"], paths["app", "sin"]) == (130, 25, 10)
    colours = dict(zip(zip(names, values, strict=True), trace["marker"]["colors"], strict=True))
    assert colours["[libgomp.so.1]", 40] == light("alarm")
    assert colours["[libgomp.so.1]", 10] == light("rung")  # it calls the program
    assert colours["malloc", 5] == light("peer")
    assert colours["irq_[k]", 5] == light("bandwidth")
    assert "work&lt;/script&gt;" in names
    assert flame.figure(Stacks(taken_by="perf", hz=1)) is None


def test_the_lanes_hold_what_threads_did() -> None:
    drawn = pictures.lanes(Timeline(column_s=0.5, lanes=[Lane(name="a", states="Rs o")]))
    assert [list(row) for row in drawn["data"][0]["z"]] == [[0, 1, None, 2]]
    assert [trace["name"] for trace in drawn["data"][1:]] == ["runs", "asleep: sleep, other"]
    assert drawn["layout"]["yaxis"]["automargin"]  # names of ranks are longer than the margin


@pytest.mark.parametrize(("ranks", "together", "groups"), [(3, 1, 3), (64, 1, 64), (65, 2, 33), (200, 4, 50)])
def test_many_ranks_are_taken_together(ranks: int, together: int, groups: int) -> None:
    one = ring(ranks)
    messages, sent, found = pictures.traffic(one)
    assert (found, sent.shape) == (together, (groups, groups))
    assert (int(messages.sum()), int(sent.sum())) == (3 * ranks, 500 * ranks * (ranks + 1))
    assert sent[0, 0 if together > 1 else 1] > 0
    drawn = pictures.matrix(one)
    assert drawn["layout"]["xaxis"]["ticktext"][0] == ("0" if together == 1 else f"0–{together - 1}")


def test_a_document_is_read_as_it_was_written() -> None:
    assert DiagnoseDocument.model_validate_json(document().model_dump_json(by_alias=True)) == document()


def test_a_page_of_little_has_no_figures(tmp_path: Path) -> None:
    one = document()
    one.efficiencies = one.timeline = one.facts.stacks = one.facts.python_stacks = one.facts.mpi = (
        one.facts.roofline
    ) = None
    write(one, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'data-kind="own"' not in text


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_draws_in_silence_without_the_network_and_fits(
    browser: Browser, tmp_path: Path, width: int, scheme: Scheme
) -> None:
    path = tmp_path / "diagnosis.html"
    write(document(), path)
    with opened(browser, path, width, scheme) as (page, seen):
        assert draw_all(page) == 5
        assert page.get_by_text("of the roof of memory").count() == 1
        assert page.locator(".plot .slice").count() >= 10
        assert page.locator(".plot .heatmaplayer .hm").count() == 2
        assert page.get_by_role("cell", name="load balance of ranks").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.messages == []
        assert seen.requests == [path.as_uri()]
