"""A report that is asked for without a campaign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rooftop.cli.app import main

pytestmark = pytest.mark.usefixtures("scratch")


@pytest.mark.case("commands.I8.report")
def test_a_bare_report_after_a_comparison_is_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--json", "--max-pairs", "1", "--budget", "60s", "true", "true x"]) == 0
    campaign = json.loads(capsys.readouterr().out)["campaign"]
    page = tmp_path / "page.html"
    assert main(["report", "--out", str(page)]) == 0
    assert capsys.readouterr().out == f"{page}\n"
    assert "true x" in page.read_text(encoding="utf-8")
    assert main(["report", "--json", "--out", str(page)]) == 0
    assert json.loads(capsys.readouterr().out)["campaign"] == campaign
