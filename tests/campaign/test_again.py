"""Documents and pages of finished campaigns, made again from the store: the same as when they were measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import kind_named
from rooftop.campaign.rebuild import document_again, find_campaign
from rooftop.cli.app import main
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.errors import Misuse
from rooftop.pin.run import with_cost
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.store.interrupted import campaigns
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow

COMMANDS = {
    "compare": ["--max-pairs", "6", "sleep 0.002", "sleep 0.003"],
    "tune": ["--budget", "60s", "--max-pairs", "6", "--param", "N=0.001,0.004", "--", "sleep", "{N}"],
    "scale": ["--budget", "60s", "--max-pairs", "6", "--threads", "1,2", "--", "sleep", "0.002"],
    "gate": ["--budget", "60s", "--max-pairs", "6", "--threshold", "90%", "--", "sleep 0.002", ":::", "sleep 0.003"],
    "diagnose": ["--budget", "60s", "--max-pairs", "6", "--try", "A=1", "--", "sleep", "0.1"],
    "pin": ["--no-cost", "--", "sleep", "0.05"],
}


@pytest.fixture(name="home")
def home_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def measured(name: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the document of a campaign; what a placement costs is measured of a command that has something to fix."""
    assert main([name, "--json", *COMMANDS[name]]) in (0, 7)
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    if name == "pin":
        commands = ((("sleep", "0.002"), "as given"), (("sleep", "0.003"), "fixed"))
        pinning = Comparing(Bench(Settings(), Place(), Watching()), "pin")
        ended = pinning.compare(Options(commands, max_pairs=6), beside=document)
        document = with_cost(ended.beside, ended.document).model_dump(mode="json", by_alias=True)
    return document


@pytest.mark.case("commands.F29")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_document_is_made_again(name: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    then = measured(name, capsys)
    file = home / "store.sqlite"
    with opened_database(file) as connection:
        ((row, samples),) = campaigns(connection)
        (whole,) = select(connection, CampaignRow, "")
        assert find_campaign(connection, row.id[:-1]) is not None
        bench = Bench(Settings(), Place(), Watching())
        again = document_again(bench, connection, kind_named(name), whole).model_dump(mode="json", by_alias=True)
        assert [count for _, count in campaigns(connection)] == [samples]
    assert again == then
    page = tmp_path / "page.html"
    assert main(["report", row.id, "--out", str(page), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["campaign"], told["document"], told["report"]) == (row.id, None, str(page))
    assert "sleep" in page.read_text(encoding="utf-8")


def test_what_no_store_has_is_misuse(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "20990101-000000-abcd"]) == 2
    assert "neither a file nor a campaign" in capsys.readouterr().err
    measured("compare", capsys)
    assert main(["report", "20990101-000000-abcd"]) == 2
    with opened_database(home / "store.sqlite") as connection:
        assert find_campaign(connection, "20990101") is None


def test_the_beginning_of_two_ids_is_misuse(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        measured("compare", capsys)
    with opened_database(home / "store.sqlite") as connection, pytest.raises(Misuse, match="give more of the id"):
        find_campaign(connection, "20")


def test_what_another_version_kept_is_misuse(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured("compare", capsys)
    with opened_database(home / "store.sqlite") as connection:
        ((row, _),) = campaigns(connection)
        connection.execute('UPDATE campaign SET request = \'{"kind": "ponder"}\'')
        assert main(["report", row.id]) == 2
        assert "'ponder'" in capsys.readouterr().err
        connection.execute('UPDATE campaign SET request = \'{"kind": "tune"}\'')
    assert main(["report", row.id]) == 2
    assert "stored it in another format" in capsys.readouterr().err
