"""``rooftop results`` as a user types it, and the page that it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from synthetic_climb import barren, hostile

from rooftop.cli.app import main
from rooftop.documents import ClimbDocument, Doubt, Roof
from rooftop.results.page import text


def test_the_page_says_what_falls_short(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results"]) == 0
    path = tree / "docs" / "results" / "winograd.md"
    assert capsys.readouterr().out == f"{path}\n"
    page = path.read_text(encoding="utf-8")
    assert "Measured on 2025-03-01." in page
    assert "At least 2.8x the best peer at 28 pixels and more. (size network)\n\n- Against best peer: **Met on " in page
    assert "1 not measured" in page
    assert "onednn_debian, F(4) | 1.50× [1.40, 1.60], 14 | **not met**" in page
    assert "(medians)" in page
    assert "A remark by hand." in page
    assert "not measured: 99-solver wrong: error 0.3 in …/output.bin \\| tolerance" in page
    assert "No campaign of size M was found" in page
    assert "./rooftop climb winograd --size network --budget 6m\n" in page
    assert "./rooftop climb winograd --size M --pairs 12 --only '9*-solver' --only 10-naive\n" in page
    assert page.endswith("./rooftop results winograd\n```\n")
    assert str(tree) not in page and "/home/" not in page
    assert not any(line.endswith(" ") for line in page.splitlines())


def test_doubts_stand_once_and_roofs_show_what_falls_short(tree: Path, climb: ClimbDocument) -> None:
    climb.doubts = [Doubt(doubt="It was busy", evidence=f"load {load}", remedy="wait") for load in (2, 3)]
    solvers = [rung for case in climb.experiments[0].cases for rung in case.rungs if rung.name == "99-solver"]
    for place, solver in enumerate(solvers):
        solver.roof_fraction = 0.9 if place % 2 else 0.6
    (tree / ".rooftop" / "campaigns" / f"{climb.campaign}.json").write_text(climb.model_dump_json(by_alias=True))
    assert main(["results"]) == 0
    page = (tree / "docs" / "results" / "winograd.md").read_text(encoding="utf-8")
    assert page.count("- It was busy. *network*: load 2; *network*: load 3\n") == 1
    roofs = page.partition("\n## roof\n")[2].partition("\n## ")[0]
    told = [line for line in roofs.splitlines() if line.startswith("| ") and "case |" not in line]
    assert "**Met on 1 of " in roofs
    assert told
    assert not [line for line in told if line.rstrip(" |").endswith("| met")]


def test_the_clock_after_wide_multiply_adds_stands_beside_the_clock(tree: Path, climb: ClimbDocument) -> None:
    """The widest set counts: of the machine, or of those that the campaign is held to."""
    file = tree / ".rooftop" / "campaigns" / f"{climb.campaign}.json"
    threads = climb.experiments[0].threads
    for isa, value in (("avx2", 2.9e9), ("avx512", 2.4e9)):
        roof = Roof(metric="clock_after_fma", value=value, unit="Hz", threads=threads, isa=isa)
        climb.machine.roofs.append(roof)
    for held, shown in ((None, "2.40"), ("avx2", "2.90")):
        for case in climb.experiments[0].cases:
            case.isa = held
        file.write_text(climb.model_dump_json(by_alias=True), encoding="utf-8")
        assert main(["results"]) == 0
        page = (tree / "docs" / "results" / "winograd.md").read_text(encoding="utf-8")
        assert "| FMA peak | clock | clock after FMAs |" in page
        assert f"| 3.00\N{NARROW NO-BREAK SPACE}GHz | {shown}\N{NARROW NO-BREAK SPACE}GHz |" in page


@pytest.mark.parametrize("clocked", [False, True])
def test_every_row_has_the_columns_of_its_table(tree: Path, climb: ClimbDocument, clocked: bool) -> None:
    if clocked:
        climb.machine.roofs.append(Roof(metric="clock_after_fma", value=2.4e9, unit="Hz", threads=2, isa="avx512"))
        file = tree / ".rooftop" / "campaigns" / f"{climb.campaign}.json"
        file.write_text(climb.model_dump_json(by_alias=True), encoding="utf-8")
    assert main(["results"]) == 0
    columns = 0
    for line in (tree / "docs/results/winograd.md").read_text(encoding="utf-8").splitlines():
        cells = line.replace("\\|", "").count("|")
        assert not cells or not columns or cells == columns, line
        columns = cells if line.startswith("|") else 0


def test_the_same_campaigns_give_the_same_page(tree: Path) -> None:
    for out in ("one", "two"):
        assert main(["results", "winograd", "--out", str(tree / out)]) == 0
    assert (tree / "one/winograd.md").read_bytes() == (tree / "two/winograd.md").read_bytes()


def test_json_holds_the_figures(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "rooftop/results/1"
    assert [target["id"] for target in told["pages"][0]["targets"]] == ["large", "roof", "error", "ladder", "elsewhere"]
    assert str(tree) not in json.dumps(told)


def test_named_campaigns_replace_the_newest(tree: Path, climb: ClimbDocument) -> None:
    older = climb.model_copy(update={"started": "2024-01-01T00:00:00Z", "campaign": "older"})
    path = tree / "older.json"
    path.write_text(older.model_dump_json(by_alias=True), encoding="utf-8")
    assert main(["results", "--campaign", str(path)]) == 0
    assert "Measured on 2024-01-01." in (tree / "docs/results/winograd.md").read_text(encoding="utf-8")


def test_what_cannot_be_read_is_passed_over_and_told(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaigns = tree / ".rooftop" / "campaigns"
    (campaigns / "bad.json").write_text("{}", encoding="utf-8")
    (campaigns / "hostile.json").write_text(hostile().model_dump_json(by_alias=True), encoding="utf-8")
    assert main(["results"]) == 0
    assert "passed over" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nothing"], 2, "there is no experiment 'nothing'"),
        (["winograd", "--campaign", "none"], 2, "neither a file nor a campaign"),
        (["winograd", "--campaign", "{tree}/barren.json"], 3, "no campaign measures what is asked of winograd"),
        (["winograd", "--out", "{tree}/barren.json"], 2, "cannot write the page"),
        (["plain"], 2, "experiment 'plain' declares no targets"),
    ],
)
def test_refusals(
    tree: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    (tree / "barren.json").write_text(barren().model_dump_json(by_alias=True), encoding="utf-8")
    (tree / "experiments" / "plain").mkdir()
    (tree / "experiments" / "plain" / "experiment.py").write_text("", encoding="utf-8")
    assert main(["results", *(argument.format(tree=tree) for argument in arguments)]) == code
    told = capsys.readouterr()
    assert message in told.err and told.out == ""
    assert not (tree / "docs").exists()


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("C64 56x56", "C64 56x56"),
        ("onednn_debian", "onednn_debian"),
        ("_template", "\\_template"),
        ("a | b\n<i>*c*</i>", "a \\| b \\<i>\\*c\\*\\</i>"),
        ("cannot load /opt/some/where/rung.so: gone", "cannot load …/rung.so: gone"),
        ("12 GB/s and F(4)/F(2)", "12 GB/s and F(4)/F(2)"),
        ("winograd/tiny/99-solver vs onednn", "winograd/tiny/99-solver vs onednn"),
    ],
)
def test_words_from_outside_stay_words(words: str, shown: str) -> None:
    assert text(words) == shown
