"""The reports of a gate that does not come to its end: none of an earlier gate stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from junitparser import Error, JUnitXml

from rooftop.cli.app import main
from rooftop.errors import Busy

pytestmark = pytest.mark.usefixtures("scratch")


@pytest.fixture
def reports(tmp_path: Path) -> tuple[Path, Path]:
    """Both reports of an earlier gate, which was fine."""
    found = tmp_path / "j.xml", tmp_path / "s.md"
    for file in found:
        file.write_text("<fine/>", encoding="utf-8")
    return found


def gate(reports: tuple[Path, Path], *words: str) -> int:
    junit, markdown = map(str, reports)
    return main(["gate", "--junit", junit, f"--markdown={markdown}", *words])


def errors(reports: tuple[Path, Path]) -> str:
    """Return the one error that the JUnit file has, once the Markdown says that it failed."""
    junit, markdown = reports
    earlier, told = markdown.read_text(encoding="utf-8").split("\n\n", maxsplit=1)
    assert earlier == "<fine/>"  # a server collects the summaries of all steps
    assert told.startswith("## ❌ failed: the gate did not finish")
    assert told.count("##") == 1
    (case,) = next(iter(JUnitXml.fromfile(str(junit))))
    (result,) = case.result
    assert isinstance(result, Error)
    return str(result.message)


@pytest.mark.case("commands.E1.misuse")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--threshold", "much", "--", "true", ":::", "true"], "--threshold is 'much'"),
        (["--metric", "joules", "--", "true", ":::", "true"], "--metric is 'joules'"),
        (["--treshold", "5%", "--", "true", ":::", "true"], "--treshold"),
        (["--budget", "soon", "--", "true", ":::", "true"], "--budget is 'soon'"),
        (["--", "true"], "1 command and no revisions"),
    ],
)
def test_refused(words: list[str], told: str, reports: tuple[Path, Path]) -> None:
    assert gate(reports, *words) == 2
    assert told in errors(reports)


@pytest.mark.case("commands.E1.busy", "commands.E1.crash", "commands.E1.killed")
@pytest.mark.parametrize(
    ("failure", "code", "told"),
    [
        (Busy("another campaign holds this machine"), 5, "another campaign holds this machine"),
        (ValueError("deep within"), 70, "did not finish: ValueError: deep within"),
        (KeyboardInterrupt(), 130, "it was interrupted"),
    ],
)
def test_ended_by_an_error(
    failure: BaseException, code: int, told: str, reports: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def ask(*_: object, **__: object) -> None:
        seen.append(errors(reports))  # what would be left if it were killed now
        raise failure

    monkeypatch.setattr("rooftop.campaign.run.run_campaign", ask)
    assert gate(reports, "--", "true", ":::", "true") == code
    assert seen == ["the gate did not finish"]
    assert told in errors(reports)


def test_reports_that_cannot_be_written_are_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gate", "--junit", str(tmp_path), "--", "true", ":::", "true"]) == 2
    assert "which is a folder" in capsys.readouterr().err


@pytest.mark.case("commands.I1")
def test_summary_is_added_to_what_its_file_holds(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("# Step 1\n", encoding="utf-8")
    words = ["--budget", "60s", "--max-pairs", "1", "--markdown", str(file), "--", "true", ":::", "true"]
    for count in (1, 2):
        main(["gate", *words])
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# Step 1\n\n## ")
        assert text.count("\n## ") == count
        assert "did not finish" not in text


@pytest.mark.case("commands.I1.stdout")
def test_standard_output_gets_the_summary_once(tmp_path: Path) -> None:
    words = [
        "gate",
        "--budget",
        "2s",
        "--max-pairs",
        "1",
        "--markdown",
        "/dev/stdout",
        "--json",
        "--",
        "true",
        ":::",
        "true",
    ]
    done = subprocess.run([sys.executable, "-m", "rooftop", *words], capture_output=True, text=True, check=False)
    assert done.stdout.count("\n## ") + done.stdout.startswith("## ") == 1
    assert "did not finish" not in done.stdout
