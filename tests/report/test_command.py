"""``rooftop report`` as a user types it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from synthetic_climb import barren, realistic

from rooftop.cli.app import main


@pytest.fixture
def campaigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home with two campaigns, of which the realistic one is the newer."""
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path))
    folder = tmp_path / "campaigns"
    folder.mkdir()
    for at, document in enumerate((barren(), realistic())):
        path = folder / f"{document.campaign}.json"
        path.write_text(document.model_dump_json(by_alias=True), encoding="utf-8")
        os.utime(path, (1e9 + at, 1e9 + at))
    return folder


def test_the_newest_campaign_is_the_default(campaigns: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    written = campaigns / "20250301-141502-winograd.html"
    assert told["schema"] == "rooftop/report/1"
    assert Path(told["report"]) == written
    assert told["bytes"] == written.stat().st_size


@pytest.mark.parametrize("name", ["barren", "barr", "{folder}/barren.json"])
def test_a_campaign_is_found_by_its_name_its_beginning_or_its_file(
    campaigns: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    out = campaigns / "deep" / "out.html"
    assert main(["report", name.format(folder=campaigns), "--out", str(out)]) == 0
    assert "Nothing is right" in out.read_text(encoding="utf-8")
    assert str(out) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no climb document"),
        (b"\xff\xfe\x00", "no climb document"),
        (b"[]", "no climb document"),
        (b'{"schema": "rooftop/climb/2"}', "schema"),
        (b'{"schema": "rooftop/probe/1"}', "rooftop/climb/1"),
    ],
)
def test_what_is_no_climb_document_is_refused_in_one_line(
    campaigns: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    path = campaigns / "bad.json"
    path.write_bytes(content)
    assert main(["report", str(path)]) == 2
    told = capsys.readouterr()
    assert message in told.err and str(path) in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert not path.with_suffix(".html").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing"], "neither a file nor a campaign"),
        (["", "--out", "x.html"], "matches 2 campaigns"),
        (["barren", "--out", "{folder}"], "is a folder"),
        (["barren", "--out", "{folder}/barren.json"], "the document itself"),
        (["barren", "--out", "{folder}/barren.json/x.html"], "cannot write"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    campaigns: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["report", *(argument.format(folder=campaigns) for argument in arguments)]) == 2
    told = capsys.readouterr().err
    assert message in told and told.count("\n") == 1


def test_without_a_campaign_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path))
    assert main(["report"]) == 3
    assert "run `rooftop climb` first" in capsys.readouterr().err
