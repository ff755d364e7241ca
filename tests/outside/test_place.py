"""What ``--from`` may name, and experiments that need no build."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest_types import Write

from rooftop.cli.app import main
from rooftop.climb.live import LiveClimb
from rooftop.documents import ClimbDocument
from rooftop.ladder.location import compiled, place_of
from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "your-own-experiment.md").read_text(encoding="utf-8")


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return the names that `rooftop list` gives."""
    assert main(["list", "--json", *words]) == 0
    return [one["name"] for one in json.loads(capsys.readouterr().out)["experiments"]]


def test_a_folder_of_experiments_or_one(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    mine = write_experiment("mine", rungs={"10-a": ""})
    write_experiment("_draft", rungs={"10-a": ""})
    assert listed(capsys, "--from", str(mine.parent)) == ["mine"]
    assert listed(capsys, "--from", str(mine.parent), "--hidden") == ["_draft", "mine"]
    assert listed(capsys, "--from", str(mine)) == ["mine"]
    assert listed(capsys, "--from", str(mine.parent / "_draft")) == ["_draft"]
    for words in (["--from", str(mine)], ["--from", str(mine.parent)], ["mine", "--from", str(mine)]):
        assert main(["show", "--json", *words]) == 0
        assert json.loads(capsys.readouterr().out)["name"] == "mine"


def test_groups_are_chosen_by_name(write_experiment: Write, settings: Settings) -> None:
    """Experiments deeper than others are climbed when they or their group are named."""
    for name in ("mine", "labs/one", "labs/two", "_draft"):
        write_experiment(name, rungs={"10-a": ""})
    place = place_of(settings, None)
    assert place.choose(()) == ["mine"]
    assert place.choose(("labs",)) == ["labs/one", "labs/two"]
    assert place.choose(("labs/two", "labs", "_draft")) == ["labs/two", "labs/one", "_draft"]
    assert place.choose(("lab",)) == ["lab"]  # which find() refuses
    (settings.root_folder / "experiments" / "mine" / "experiment.py").unlink()
    assert place.choose(()) == ["labs/one", "labs/two"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["list", "--from", "nowhere"], "nowhere is not a folder"),
        (["list", "--from", "empty"], "empty holds no experiment, expected experiment.py or NAME/experiment.py"),
        (["climb", "other", "--from", "experiments/mine"], "holds the experiment 'mine', and not 'other'"),
        (["climb", "other", "--from", "experiments"], "there is no experiment 'other'"),
        (["show", "--from", "experiments"], "NAME is missing, expected one of mine, second"),
        (["show"], "NAME is missing"),
        (["climb", "--from", "experiments", "--size", "XL"], "has the size 'XL'"),
        (["climb", "bare", "--from", "bare", "--trust"], "has no rungs, expected rungs/NN-idea.cpp or .py"),
    ],
)
def test_misuse_is_one_line(
    words: list[str], expected: str, tmp_path: Path, write_experiment: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("mine", "second"):
        write_experiment(name, rungs={"10-a": ""})
    write_experiment("bare").rename(tmp_path / "bare")
    (tmp_path / "empty").mkdir()
    assert main(words) == 2
    told = capsys.readouterr()
    assert expected in " ".join(told.err.split())
    assert told.err.count("\n") == 1


def test_the_trees_own_experiments_are_the_trees_to_build() -> None:
    settings = Settings()
    template = place_of(settings, ROOT / "experiments" / "_template")
    assert not template.outside
    built = settings.build_folder / "experiments" / "_template"
    assert template.find("_template").rungs[0].file.is_relative_to(built)
    assert not place_of(settings, ROOT / "experiments").outside


def test_how_each_was_compiled_is_told(write_experiment: Write) -> None:
    folder = write_experiment("one").parent
    write_experiment("other")
    write_experiment("unbuilt")
    place = place_of(Settings(), folder)
    assert compiled(place.find_all(place.names(), pytest.fail)) == {}
    record = {"compiler": "GNU", "compiler_version": "12.2.0", "flags": "-O3", "build_type": "Release"}
    for name in ("one", "other"):
        (folder / name / "build").mkdir()
        (folder / name / "build" / "build.json").write_text(json.dumps(record), encoding="utf-8")
    alike = {"compiler": "GNU 12.2.0", "flags": "-O3", "build": {"build_type": "Release"}}
    assert compiled(place.find_all(place.names(), pytest.fail)) == alike
    (folder / "other" / "build" / "build.json").write_text(json.dumps(record | {"flags": "-O2"}), encoding="utf-8")
    assert compiled(place.find_all(place.names(), pytest.fail)) == alike | {"flags": "one: -O3; other: -O2"}


def test_interpreted_rungs_need_no_cmake(
    tmp_path: Path, write_experiment: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_experiment("mine", rungs={"10-a": "run_ns=4e6", "20-b": "run_ns=2e6"}, cases=1)
    (tmp_path / "none").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    monkeypatch.setenv("ROOFTOP_BUILD", str(tmp_path / "none"))
    assert main(["climb", "--from", str(mine), "--budget", "60s", "--seed", "1", "--no-report", "--json"]) == 0
    told = capsys.readouterr()
    assert "building" not in told.err
    rungs = ClimbDocument.model_validate_json(told.out).experiments[0].cases[0].rungs
    assert rungs[1].vs_below is not None and rungs[1].vs_below.verdict == "faster"


def test_the_guides_rung_climbs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rung = re.search(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert rung is not None
    (tmp_path / "mine" / "rungs").mkdir(parents=True)
    (tmp_path / "mine" / "experiment.py").write_text(
        "from rooftop.ladder.experiment import Case, Experiment\n"
        "cases = [Case('thousand', {'n': 1000}, 1000)]\n"
        "experiment = Experiment(title='Sum', rate_unit='M/s', rate_scale=1e6, sizes={'quick': cases})\n",
        encoding="utf-8",
    )
    good, bad = tmp_path / "mine/rungs/10-loop.py", tmp_path / "mine/rungs/20-bad.py"
    good.write_text(rung[1], encoding="utf-8")
    assert main(["climb", "--from", "mine", "--budget", "30s", "--no-report", "--trust"]) == 0
    bad.write_text(rung[1].replace("return total", "return total + 1"), encoding="utf-8")
    assert main(["climb", "--from", "mine", "--budget", "30s", "--no-report", "--trust"]) == 1
    assert "wrong: mine/thousand/20-bad" in capsys.readouterr().out


def test_resuming_knows_the_folder(
    write_experiment: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_experiment("mine", rungs={"10-a": "run_ns=4e6"})

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(LiveClimb, "case_finished", interrupt)
        assert main(["climb", "--from", str(mine), "--budget", "60s", "--no-report"]) == 130
    assert "'rooftop climb --resume' goes on" in capsys.readouterr().err
    rung = mine / "rungs" / "10-a.py"
    unchanged = rung.read_text(encoding="utf-8")
    rung.write_text(unchanged + "\n", encoding="utf-8")
    assert main(["climb", "--resume", "--no-report"]) == 2
    told = capsys.readouterr().err
    assert "cannot be resumed" in told
    assert "mine/rungs/10-a.py changed since it was measured" in told
    rung.write_text(unchanged, encoding="utf-8")
    assert main(["climb", "--resume", "--no-report", "--json"]) == 0
    assert [one.name for one in ClimbDocument.model_validate_json(capsys.readouterr().out).experiments] == ["mine"]


@pytest.mark.case("commands.B2.climb")
def test_a_climb_that_cannot_be_gone_on_with_blocks_no_older_one(
    write_experiment: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(LiveClimb, "case_finished", interrupt)
        for name in ("older", "newer"):
            folder = write_experiment(name, rungs={"10-a": "run_ns=4e6"})
            assert main(["climb", "--from", str(folder), "--budget", "60s", "--no-report"]) == 130
    rung = folder / "rungs" / "10-a.py"
    rung.write_text(rung.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["climb", "--resume", "--no-report", "--json"]) == 0
    seen = capsys.readouterr()
    assert [one.name for one in ClimbDocument.model_validate_json(seen.out).experiments] == ["older"]
    assert "passed over: campaign" in seen.err
    assert main(["climb", "--resume", "20", "--no-report"]) == 2


def test_the_page_of_results_stays_outside(
    tmp_path: Path, write_experiment: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = write_experiment("mine", rungs={"10-a": "run_ns=4e6", "20-solver": "run_ns=2e6"}, cases=1)
    (mine / "targets.toml").write_text(
        '[[target]]\nid = "fast"\nasked = "Twice as fast."\nsize = "quick"\nmeasure = "ratio"\n'
        'against = ["10-a"]\nat_least = 1.5\n',
        encoding="utf-8",
    )
    assert main(["climb", "--from", str(mine), "--budget", "60s", "--seed", "1"]) == 0
    capsys.readouterr()
    assert main(["results", "--from", str(mine)]) == 0
    assert capsys.readouterr().out == f"{mine / 'results' / 'mine.md'}\n"
    page = (mine / "results" / "mine.md").read_text(encoding="utf-8")
    assert "rooftop climb mine --from . --size quick\n" in page
    assert page.endswith("\nrooftop results mine --from .\n```\n")
    assert main(["report", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "rooftop/report/1"
