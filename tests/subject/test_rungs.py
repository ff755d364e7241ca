"""Rungs in the place of commands: compared, tuned, scaled and gated with fake drivers, whose times are drawn."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest_types import Write
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import kind_named
from rooftop.campaign.rebuild import document_again, find_campaign
from rooftop.cli.app import main
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.documents import Machine, Roof
from rooftop.errors import Misuse
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.subject.rung import named_rung

FEW = ["--max-pairs", "8", "--budget", "60s"]
RUNGS = {
    "10-slow": "run_ns=4e6",
    "20-fast": "run_ns=2e6",
    "30-parallel": "run_ns=8e6, parallel=True",
    "40-tuned": "run_ns=2e6, times='blocks'",
}

pytestmark = pytest.mark.usefixtures("scratch", "ladder")


@pytest.fixture
def ladder(write_experiment: Write) -> Path:
    """Return a fake experiment with a parameter that tuning may set."""
    folder = write_experiment(rungs=RUNGS)
    declaration = folder / "experiment.py"
    text = declaration.read_text(encoding="utf-8").replace("sizes={", 'tunables={"blocks": [3, 1, 2]},\n    sizes={', 1)
    declaration.write_text(text.replace('"one", {}', '"one", {"blocks": 3}'), encoding="utf-8")
    return folder


def document(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main([words[0], "--json", *FEW, *words[1:]]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


def refusal(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 2) -> str:
    assert main(words) == code
    return capsys.readouterr().err


def test_two_rungs_are_compared_on_all_cases_of_a_size(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["compare", "fake/10-slow", "fake/20-fast"], capsys)
    assert (content["verdict"], content["ratio"]) == ("faster", pytest.approx(2, rel=0.05))
    first = content["commands"][0]
    assert first["median"] == pytest.approx(2 * 4e-3, rel=0.05)  # the sum of both cases
    assert first["rate"] == pytest.approx(2e6 / first["median"] / 1e9)
    assert content["rungs"] == {
        "experiment": "fake",
        "size": "quick",
        "cases": ["case0", "case1"],
        "rate_unit": "GFLOP/s",
    }
    assert [one["name"] for one in content["benchmarks"]] == ["case0", "case1"]
    assert {one["comparisons"][0]["verdict"] for one in content["benchmarks"]} == {"faster"}


def test_one_case_of_a_size(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["compare", "--case", "case1", "fake/10-slow", "fake/20-fast"], capsys)
    assert content["commands"][0]["median"] == pytest.approx(4e-3, rel=0.05)
    assert (content["rungs"]["cases"], content["benchmarks"]) == (["case1"], None)


def test_threads_of_a_rung(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["compare", "--size", "S", "--threads", "4", "fake/20-fast", "fake/30-parallel"], capsys)
    assert content["commands"][1]["median"] == pytest.approx(2e-3, rel=0.05)


def test_parameters_of_a_rung_stand_after_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["compare", "--size", "S", "--", "fake/40-tuned", ":::", "fake/40-tuned", "blocks=1"], capsys)
    assert [one["name"] for one in content["commands"]] == ["fake/40-tuned", "fake/40-tuned blocks=1"]
    assert content["ratio"] == pytest.approx(3, rel=0.05)
    scanned = document(["compare", "--size", "S", "-L", "B", "1,2", "fake/10-slow", "fake/40-tuned blocks={B}"], capsys)
    medians = {one["name"]: one["median"] for one in scanned["commands"]}
    assert medians["fake/40-tuned blocks=2"] / medians["fake/40-tuned blocks=1"] == pytest.approx(2, rel=0.05)


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *FEW, "fake/10-slow", "fake/20-fast"]) == 0
    out = capsys.readouterr().out
    assert "GFLOP/s" in out
    assert "2 cases, after Holm's correction: " in out
    assert "sum over all cases:" in out


def test_the_page_of_a_comparison_of_rungs_is_made_again(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = document(["compare", "fake/10-slow", "fake/20-fast"], capsys)["campaign"]
    assert main(["report", campaign]) == 0


def test_the_roofs_of_a_campaign_stay_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    options = Options(
        commands=((("fake/10-slow",), "fake/10-slow"), (("fake/20-fast",), "fake/20-fast")),
        size="S",
        max_pairs=6,
        seed=1,
    )
    then = Comparing(Bench(Settings(), Place(), Watching())).compare(options).document
    assert then.commands[0].roof_fraction is not None

    class Faster(Place):
        def known_roofs(self, machine: Machine) -> list[Roof]:
            return [roof.model_copy(update={"value": 10 * roof.value}) for roof in super().known_roofs(machine)]

    with opened_database(tmp_path / "home" / "store.sqlite") as connection:
        row = find_campaign(connection, then.campaign)
        assert row is not None
        again = document_again(Bench(Settings(), Faster(), Watching()), connection, kind_named("compare"), row)
    assert again.commands[0].roof_fraction == then.commands[0].roof_fraction


def test_a_wrong_rung_has_no_time(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment("wrong", {"10-right": "", "20-wrong": "outcome='wrong', reason='element 3 is 1.5'"})
    content = document(["compare", "wrong/10-right", "wrong/20-wrong"], capsys, code=1)
    assert content["commands"][1]["outcome"] == "wrong"
    assert content["commands"][1]["reason"] == "case0: element 3 is 1.5"
    assert content["commands"][1]["median"] is None


def test_a_rung_that_goes_wrong_while_it_is_timed(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment("later", {"10-right": "", "20-later": "later='wrong'"})
    content = document(["compare", "later/10-right", "later/20-later"], capsys, code=1)
    assert content["commands"][1]["outcome"] == "wrong"


def test_a_rung_that_this_processor_cannot_run(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment("lacking", {"10-right": "", "20-lacking": "supported=False"})
    content = document(["compare", "lacking/10-right", "lacking/20-lacking"], capsys, code=1)
    assert "lacks avx9" in content["commands"][1]["reason"]


def test_tune_finds_the_threads_of_a_rung(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["tune", "fake/30-parallel", "--size", "S", "--threads", "1,4"], capsys)
    assert content["best"]["parameters"] == {"threads": 4}
    assert content["confirmed"]
    assert content["best"]["line"] == "rooftop tune fake/30-parallel --size S --threads 4"


def test_tune_takes_the_tunables_of_the_experiment(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["tune", "fake/40-tuned", "--size", "S"], capsys)
    assert content["default"]["parameters"] == {"blocks": 3}
    assert content["best"]["parameters"] == {"blocks": 1}


def test_scale_over_the_threads_of_a_rung(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["scale", "fake/30-parallel", "--size", "S", "--threads", "1,2,4"], capsys)
    points = content["curves"][0]["points"]
    assert [round(point["speedup"]["value"]) for point in points] == [1, 2, 4]
    assert points[1]["line"] == "rooftop scale fake/30-parallel --size S --threads 2"


def test_weak_scaling_of_a_rung(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["fake/40-tuned", "--size", "S", "--threads", "1,2", "--weak", "blocks=2*workers"]
    points = document(["scale", *words], capsys)["curves"][0]["points"]
    assert [point["median"] for point in points] == pytest.approx([4e-3, 8e-3], rel=0.05)


def test_a_gate_of_two_rungs(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["gate", "--size", "S", "--", "fake/20-fast", ":::", "fake/10-slow"], capsys, code=6)
    assert content["benchmarks"][0]["outcome"] == "regression"


def test_a_gate_measures_the_rung_of_each_revision(
    ladder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def git(*words: str) -> None:
        named = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
        subprocess.run(["git", *named, *words], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "CMakeLists.txt").touch()  # by which a tree is known
    git("init", "-q", "-b", "main")
    git("add", "experiments", "CMakeLists.txt")
    git("commit", "-q", "-m", "fast")
    rung = ladder / "rungs" / "20-fast.py"
    rung.write_text(rung.read_text(encoding="utf-8").replace("run_ns=2e6", "run_ns=6e6"), encoding="utf-8")
    git("commit", "-q", "-a", "-m", "three times as slow")
    monkeypatch.chdir(tmp_path)
    content = document(["gate", "--size", "S", "HEAD~1", "HEAD", "--", "fake/20-fast"], capsys, code=6)
    found = content["benchmarks"][0]
    assert found["outcome"] == "regression"
    assert found["head"]["median"] / found["base"]["median"] == pytest.approx(3, rel=0.05)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compare", "fake/10-slow", "fake/99-none"], "'99-none' is no rung or peer of fake; there are: 10-slow"),
        (["compare", "--", "fake/10-slow", ":::", "fake/10-slow", "size=1"], "fake/10-slow has no parameter 'size'"),
        (["compare", "true", "fake/10-slow --size M"], "'--size' stands after fake/10-slow, expected a parameter"),
        (["compare", "true", "fake/10-slow blocks="], "'blocks=' stands after fake/10-slow, expected a parameter"),
        (["compare", "true", "fake/10-slow blocks=1 blocks=2"], "fake/10-slow is given 'blocks' twice"),
        (["compare", "--ranks", "2", "fake/10-slow", "fake/20-fast"], "fake/10-slow is no MPI program"),
        (["compare", "--ranks", "2", "true", "true"], "--ranks has no effect on a command"),
        (["compare", "fake/10-slow", "true"], "fake/10-slow is a rung and 'true' is a command"),
        (["compare", "--size", "XXL", "fake/10-slow", "fake/20-fast"], "size 'XXL' is not one of quick, S"),
        (["compare", "--case", "no", "fake/10-slow", "fake/20-fast"], "size 'quick' of fake has no case 'no'"),
        (["compare", "--check", "cat", "fake/10-slow", "fake/20-fast"], "--check has no effect on fake/10-slow"),
        (["compare", "--size", "M", "true", "true"], "--size has no effect on a command"),
        (["compare", "--size", "workers", "fake/10-slow", "fake/20-fast"], "sets its own numbers of workers"),
        (["compare", "--size", "held", "fake/10-slow", "fake/20-fast"], "holds programs to sse2"),
        (["tune", "fake/10-slow", "--ranks", "1,2"], "fake/10-slow is no MPI program"),
        (["tune", "fake/10-slow", "--param", "n=1,2", "--build", "make"], "--build has no effect on fake/10-slow"),
        (["tune", "fake/10-slow", "--param", "size=1,2"], "fake/10-slow has no parameter 'size', expected one of"),
        (["scale", "fake/10-slow", "--ranks", "1,2"], "fake/10-slow is no MPI program"),
        (["scale", "fake/10-slow", "--threads", "1", "--size", "S", "--size", "M"], "--size names 2 sets of cases"),
        (["gate", "--", "fake/10-slow", ":::", "true"], "is a rung and 'true' is a command"),
    ],
)
def test_what_cannot_be_asked_of_a_rung(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in refusal(words, capsys)


def test_a_file_of_that_name_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "fake" / "10-slow"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="ascii")
    assert named_rung("fake/10-slow") is not None
    monkeypatch.chdir(tmp_path)
    assert named_rung("fake/10-slow") is None


def test_the_instruction_set_may_be_left_out_where_one_rung_is_meant(write_experiment: Write) -> None:
    write_experiment("isas", {"10-both.avx2": "", "10-both.avx512": "", "20-one.avx2": ""})
    found = named_rung("isas/20-one")
    assert found is not None
    assert found.module.name == "20-one.avx2"
    with pytest.raises(Misuse, match="fits 2 rungs"):
        named_rung("isas/10-both")


def test_resuming_a_comparison_of_rungs_wants_the_same_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--resume", "--size", "S", *FEW, "fake/10-slow", "fake/20-fast"]) == 0
    assert "there is no interrupted 'compare' to resume" in capsys.readouterr().err
