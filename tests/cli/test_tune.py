"""``rooftop tune`` on real commands: what it prints and its exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rooftop.cli.app import main
from rooftop.tune.command import exit_code
from rooftop.tune.document import TuneDocument

# Commands say how long they took: a machine that is busy with other tests cannot change what is best.
TOLD = ["--param", "S=0.04,0.005,0.02", "--budget", "60s", "--max-pairs", "7", "--metric-regex", "took ([0-9.]+)"]
TOOK = ["--", "echo", "took", "{S}"]

pytestmark = pytest.mark.usefixtures("scratch")


def document(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["tune", "--json", *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["schema"] == "rooftop/tune/1"
    return content


def test_the_shortest_is_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    content = document([*TOLD, *TOOK], capsys)
    assert content["best"]["parameters"] == {"S": 0.005}
    assert content["best"]["line"] == "echo took 0.005"
    assert content["confirmed"]
    assert content["exhausted"]
    assert {"speed", "outcome", "samples"} <= content["tried"][0].keys()


def test_what_is_printed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", *TOLD, *TOOK]) == 0
    out = capsys.readouterr().out
    assert "default: echo took 0.04" in out
    assert "best: echo took 0.005" in out
    assert "S=0.005 is faster than S=0.04" in out


def test_variables_reach_the_program_and_wrong_answers_have_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--threads", "1,2", "--bind", "close,none", "--env", "LEVEL=right,wrong", "--expect-regex", "^right$"]
    words += ["--budget", "60s", "--max-pairs", "6", "--", "sh", "-c", "sleep 0.01; echo $LEVEL"]
    content = document(words, capsys)
    outcomes = {one["parameters"]["LEVEL"]: one["outcome"] for one in content["tried"]}
    assert outcomes == {"right": "ok", "wrong": "wrong"}
    assert content["default"]["environment"] == {
        "OMP_NUM_THREADS": "1",
        "OMP_PROC_BIND": "close",
        "OMP_PLACES": "cores",
        "LEVEL": "right",
    }


def test_a_default_that_fails_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(["--param", "C=1,0", "--budget", "60s", "--", "sh", "-c", "exit {C}"], capsys, code=1)
    assert content["tried"][0]["outcome"] == "failed"


@pytest.mark.case("commands.H1")
def test_default_that_fails_is_told_and_the_best_held_against_the_runner_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--", "sh", "-c", "[ {S} = 0.04 ] && exit 4; echo took {S}"]
    assert main(["tune", *TOLD, *words]) == 1
    out = capsys.readouterr().out
    assert "best usable configuration; the default failed: exited with code 4: sh -c '[ 0.005 = 0.04 ]" in out
    assert "there was no time" not in out
    assert "relative to the first usable one" in " ".join(out.split())
    content = document([*TOLD, *words], capsys, code=1)
    assert [(one["subject"], one["against"]) for one in content["comparisons"]] == [("S=0.005", "S=0.02")]
    assert (content["best"]["parameters"], content["confirmed"]) == ({"S": 0.005}, False)
    page = tmp_path / "page.html"
    assert main(["report", "--out", str(page), content["campaign"]]) == 0
    assert "The default failed: exited with code 4" in page.read_text(encoding="utf-8")


@pytest.mark.case("commands.H1.one")
def test_only_one_that_can_be_used_beside_a_default_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--", "sh", "-c", "[ {S} = 0.02 ] || exit 4; echo took {S}"]
    content = document([*TOLD, *words], capsys, code=1)
    assert (content["best"]["parameters"], content["comparisons"]) == ({"S": 0.02}, [])


def test_nothing_usable_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    document(["--param", "C=1,2", "--budget", "60s", "--", "sh", "-c", "exit {C}"], capsys, code=3)


def test_compilers_and_flags_are_tuned_by_building_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "app.c").write_text("#include <unistd.h>\nint main(void) { return usleep(MICROSECONDS); }")
    monkeypatch.chdir(source)
    words = ["--param", "MICROSECONDS=200000,1000,many", "--env", "UNUSED=1,2", "--budget", "2m", "--max-pairs", "7"]
    build = f"sh -c 'echo x >>{tmp_path}/builds && gcc -DMICROSECONDS={{MICROSECONDS}} -o app app.c'"
    script = tmp_path / "job.sh"
    content = document([*words, "--build", build, "--sbatch", str(script), "--", "./app"], capsys)
    assert content["best"]["parameters"]["MICROSECONDS"] == 1000
    assert content["confirmed"]
    failed = [one for one in content["tried"] if one["outcome"] == "failed"]
    assert [(one["parameters"]["MICROSECONDS"], one["stage"]) for one in failed] == [("many", "build")] * 2
    assert "many" in failed[0]["reason"]
    assert (tmp_path / "builds").read_text() == "x\n" * 3
    assert not (source / "app").exists()
    assert f"cd {content['best']['folder']}" in script.read_text()


def test_the_page_says_what_the_document_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["tune", *TOLD, "--picture", str(page), *TOOK]) == 0
    assert f"page: {page}" in capsys.readouterr().out
    assert "S=0.005 is faster than S=0.04" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("mpirun.openmpi") is None, reason="Open MPI is not installed")
def test_ranks_are_started_by_open_mpi(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--ranks", "1,2", "--launcher", "openmpi", "--budget", "60s", "--max-pairs", "6"]
    words += ["--expect-regex", "ranks", "--", "sh", "-c", "echo $OMPI_COMM_WORLD_SIZE ranks"]
    content = document(words, capsys)
    assert [one["outcome"] for one in content["tried"]] == ["ok", "ok"]
    assert set(content["best"]["lines"]) == {"openmpi", "mpich", "srun"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--param", "N", "--", "true"], "expected NAME=VALUES"),
        (["--threads", "0", "--", "true"], "expected whole numbers from 1"),
        (["--threads", "1", "--", "{build}/app"], "there is no --build"),
        (["--param", "build=1", "--build", "make", "--", "true"], "choose another name"),
        (["--env", "N=1", "--build", "make 'open", "--", "true"], "cannot be read"),
        (["--param", "N=1", "--", "true"], "--param sets 'N', expected {N} in the command"),
        (["--param", "N=1", "--picture", "/nowhere/page.html", "--", "true"], "there is no folder /nowhere"),
        (["--param", "N=1", "--sbatch", "/", "--", "true"], "which is a folder"),
        (["--", "true"], "nothing to tune"),
        (["--threads", "1"], "no command to tune"),
        (["--threads", "1,2", "--where", "threads >", "--", "true"], "cannot be read"),
        (["--threads", "1,2", "--default", "threads=3", "--", "true"], "not among its values"),
        (["--threads", "1,2", "--budget", "soon", "--", "true"], "--budget"),
        (["--file", "missing.toml", "--", "true"], "cannot be read"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["tune", *words]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "home").exists()


@pytest.mark.case("commands.C4")
def test_values_that_are_no_numbers_are_texts(capsys: pytest.CaptureFixture[str]) -> None:
    content = document(
        ["--param", "N=nan,inf,1e999", "--budget", "60s", "--max-pairs", "6", "--", "echo", "{N}"], capsys
    )
    assert {one["parameters"]["N"] for one in content["tried"]} == {"nan", "inf", "1e999"}


@pytest.mark.case("commands.C3")
def test_brackets_and_colons_in_values_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--param", "F=[/a-z]+,[bold]x,:bomb:", "--metric-regex", "took ([0-9.]+)", "--budget", "60s"]
    assert main(["tune", *words, "--max-pairs", "6", "--", "echo", "{F}", "took", "2"]) == 0
    table = capsys.readouterr().out.split("configurations tried")[0]
    assert all(value in table for value in ("[/a-z]+", "[bold]x", ":bomb:"))


@pytest.mark.case("commands.H8.final")
def test_last_comparison_that_all_failed_is_exit_code_1() -> None:
    def content(*lost: int) -> TuneDocument:
        tried = [SimpleNamespace(outcome="ok", parameters={"N": n}) for n in (1, 2)]
        later = [SimpleNamespace(comparison="final", parameters={"N": n}) for n in lost]
        default = SimpleNamespace(parameters={"N": 1})
        document = SimpleNamespace(tried=tried, later=later, default=default, comparisons=[] if lost else ["one"])
        return cast(TuneDocument, document)

    assert exit_code(content()) == 0
    assert exit_code(content(1, 2)) == 1
