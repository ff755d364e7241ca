"""``rooftop solve conv``: what it prints, and that every mistake is one line and exit code 2."""

from __future__ import annotations

import json
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from solver_command import solver_command

from rooftop.cli.app import main
from rooftop.errors import BUSY, INTERRUPTED, MISUSE, WRONG
from rooftop.machine.lock import machine_alone
from rooftop.settings import Settings
from rooftop.solvers.conv import layer_calls, request, run
from rooftop.solvers.conv.document import SolveDocument
from rooftop.solvers.conv.layer_list import read_layers
from rooftop.solvers.conv.sampled_check import Check

LIST = "3\n3 10 10 2 2\n3 9 12 10 1 # odd\n17 20 20 33 1\n"


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    path = tmp_path / "list.conf"
    path.write_text(LIST)
    return path


solve = partial(solver_command, "conv")


@pytest.mark.case("solvers.A2.conv")
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("layers", [0, 2])
def test_an_interrupt_keeps_the_layers_before_it(
    capsys: pytest.CaptureFixture[str], conf: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, layers: int
) -> None:
    interrupt_after(layers, number, monkeypatch)
    code, out, err = solve(capsys, conf, "--json", "--repeat", 1)
    kept = "every sample taken so far is kept: 'rooftop solve conv --resume' goes on\n"
    assert (code, err) == (INTERRUPTED, f"{kept}rooftop: interrupted\n")
    document = SolveDocument.model_validate_json(out)
    assert (len(document.layers), document.interrupted) == (layers, True)
    assert document.total_timed is None


def interrupt_after(layers: int, number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send this process a signal once so many layers have been measured."""
    measured: list[bool] = []
    measure_layer = run.measure_layer

    def measure_some(*arguments: Any) -> bool:
        if len(measured) == layers:
            signal.raise_signal(number)
        measured.append(measure_layer(*arguments))
        return measured[-1]

    monkeypatch.setattr(run, "measure_layer", measure_some)


@pytest.mark.usefixtures("library")
def test_an_interrupted_list_is_gone_on_with(
    capsys: pytest.CaptureFixture[str], conf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupt_after(2, signal.SIGINT, patch)
        _, out, _ = solve(capsys, conf, "--json", "--repeat", 2)
    before = SolveDocument.model_validate_json(out)
    code, _, err = solve(capsys, conf, "--resume", "--repeat", 3)
    assert (code, "was started with --repeat 2, but 3 is given now" in err) == (MISUSE, True)
    code, out, err = solve(capsys, "--resume", "--json")
    assert (code, "resuming 'solve conv'" in err) == (0, True)
    after = SolveDocument.model_validate_json(out)
    assert (after.campaign, after.interrupted, len(after.layers)) == (before.campaign, False, 3)
    times = [(layer.timed, layer.prepared) for layer in after.layers[:2]]
    assert times == [(layer.timed, layer.prepared) for layer in before.layers]
    assert after.total_timed is not None
    code, _, err = solve(capsys, "--resume")
    assert code == MISUSE
    assert "there is no interrupted 'solve conv' to resume, nor one to start: there is no layer list" in err


@pytest.mark.usefixtures("library")
def test_a_list_that_changed_is_not_gone_on_with(
    capsys: pytest.CaptureFixture[str], conf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupt_after(1, signal.SIGINT, patch)
        solve(capsys, conf, "--repeat", 1)
    conf.write_text(LIST.replace("17 20 20 33 1", "17 20 20 34 1"), encoding="utf-8")
    code, _, err = solve(capsys, conf, "--resume")
    assert (code, "list.conf changed since it was measured" in err) == (MISUSE, True)


@pytest.mark.usefixtures("library")
def test_its_page_and_document_are_made_again(capsys: pytest.CaptureFixture[str], conf: Path) -> None:
    _, out, _ = solve(capsys, conf, "--json", "--repeat", 6)
    document = SolveDocument.model_validate_json(out)
    assert document.floor is not None
    assert main(["list", "--campaigns"]) == 0
    assert conf.name in "".join(capsys.readouterr().out.split())
    for layer in document.layers:
        assert layer.prepared_vs_timed is not None
        assert layer.prepared_vs_timed.pairs == 6
    conf.unlink()
    page = conf.parent / "page.html"
    assert main(["report", document.campaign, "--out", str(page)]) == 0
    capsys.readouterr()
    assert "17 20 20 33 1" in page.read_text(encoding="utf-8")


@pytest.mark.usefixtures("library")
def test_it_does_not_measure_beside_a_campaign(capsys: pytest.CaptureFixture[str], conf: Path) -> None:
    with machine_alone(Settings().locks, lambda remark: None):
        code, out, err = solve(capsys, conf)
    assert (code, out) == (BUSY, "")
    assert "another campaign is running on this machine" in err


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("layout", ["nchw", "blocked"])
@pytest.mark.parametrize("padding", [0, 1])
def test_document(capsys: pytest.CaptureFixture[str], conf: Path, layout: str, padding: int) -> None:
    code, out, _ = solve(capsys, conf, "--json", "--repeat", 6, "--layout", layout, "--padding", padding)
    assert code == 0
    document = SolveDocument.model_validate(json.loads(out))
    assert [layer.line for layer in document.layers] == [2, 3, 4]
    for layer in document.layers:
        assert layer.outcome == "ok"
        assert layer.error is not None
        assert layer.tolerance is not None
        assert layer.error <= layer.tolerance
        for timing in (layer.timed, layer.prepared):
            assert timing is not None
            assert len(timing.samples_s) == 6
            assert timing.lo_s <= timing.median_s <= timing.hi_s
    flops = sum(layer.direct_flops for layer in document.layers)
    for total, term in ((document.total_timed, "timed"), (document.total_prepared, "prepared")):
        assert total is not None
        seconds = sum(getattr(layer, term).mean_s for layer in document.layers)
        assert total.gflops == pytest.approx(flops / seconds * 1e-9)


@pytest.mark.usefixtures("library")
def test_table(capsys: pytest.CaptureFixture[str], conf: Path) -> None:
    code, out, _ = solve(capsys, conf, "--repeat", 2)
    assert code == 0
    assert "17 20 20 33 1" in out
    assert "filter transform counted (the contest's terms)" in out
    assert "filter transformed beforehand" in out


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(("term", "other"), [("timed", "prepared"), ("prepared", "timed")])
def test_one_term_alone(capsys: pytest.CaptureFixture[str], conf: Path, term: str, other: str) -> None:
    _, out, _ = solve(capsys, conf, "--json", "--repeat", 1, "--filter", term, "--no-check")
    document = json.loads(out)
    assert document[f"total_{other}"] is None
    assert document[f"total_{term}"]["gflops"] > 0
    assert document["layers"][0][other] is None
    assert document["layers"][0]["error"] is None


@pytest.mark.usefixtures("library")
def test_a_wrong_result_has_no_time(
    capsys: pytest.CaptureFixture[str], conf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        layer_calls, "sampled_check", lambda *terms: Check(0.5, 1, "output (0, 0, 0, 0) is 1, expected 2")
    )
    code, out, err = solve(capsys, conf, "--json", "--repeat", 1)
    assert code == WRONG
    assert all(layer["outcome"] == "wrong" and layer["timed"] is None for layer in json.loads(out)["layers"])
    assert json.loads(out)["total_timed"] is None
    assert "wrong: line 2: output (0, 0, 0, 0) is 1, expected 2" in err
    code, out, _ = solve(capsys, conf, "--repeat", 1)
    assert code == WRONG
    assert "wrong" in out


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--padding", 2], ["--padding", "2", "0 to 1"]),
        (["--accuracy", "exact"], ["--accuracy", "exact", "strict, balanced, relaxed"]),
        (["--layout", "nhwc"], ["--layout", "nhwc", "nchw, blocked"]),
        (["--filter", "both"], ["--filter", "both", "timed, prepared"]),
        (["--threads", 0], ["--threads", "0", "from 1"]),
        (["--repeat", 0], ["--repeat", "0", "from 1"]),
        (["--repeat", "ten"], ["--repeat", "integer"]),
        (["--unknown"], ["--unknown"]),
    ],
)
def test_bad_options(capsys: pytest.CaptureFixture[str], conf: Path, words: list[Any], parts: list[str]) -> None:
    code, out, err = solve(capsys, conf, *words)
    assert code == MISUSE
    assert out == ""
    assert len(err.splitlines()) == 1
    assert all(part in err for part in parts), err


@pytest.mark.parametrize("data", [b"", b"\x7fELF\x00", b"1\n3 10 x 2 2\n", b"2\n3 10 10 2 2\n", b"1\n3 10 10 2 0\n"])
def test_bad_lists(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.conf"
    path.write_bytes(data)
    code, out, err = solve(capsys, path, "--json")
    assert code == MISUSE
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "bad.conf" in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.conf"]


def test_missing_list(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = solve(capsys, tmp_path / "none.conf")
    assert code == MISUSE
    assert "none.conf: no such file" in err


@pytest.mark.usefixtures("library")
def test_memory_is_asked_for_before_it_is_taken(
    capsys: pytest.CaptureFixture[str], conf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf.write_text(LIST.replace("17 20 20 33 1", "17 600 600 33 1"), encoding="utf-8")  # more than others' scratch
    arrays = read_layers(conf)[2].array_bytes()
    monkeypatch.setattr(run, "measure_layer", lambda *terms: pytest.fail("ran"))
    for room, part in ((arrays - 1, "for its arrays"), (arrays + 1, "MiB")):
        monkeypatch.setattr(request, "available_bytes", lambda room=room: room)
        code, _, err = solve(capsys, conf)
        assert code == MISUSE
        assert "list.conf:4: layer '17 600 600 33 1' needs" in err
        assert part in err
        assert len(err.splitlines()) == 1
