"""Work that a program leaves behind when it ends is told: it is ended, and so it may have been cut off."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.cli.app import main
from rooftop.command.build import Builds
from rooftop.command.doubts import about_commands
from rooftop.command.driver import CommandDriver, CommandExecutor, Held, Terms, as_module
from rooftop.command.line import from_text
from rooftop.command.measured import LEFT_RUNNING
from rooftop.command.process import Limits, run
from rooftop.command.spec import Spec
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.gate.build import Builds as GateBuilds
from rooftop.gate.revision import Revision
from rooftop.measure.arms import Arm, Sample
from rooftop.settings import Settings

QUICK = Limits(timeout_s=30.0)
LEAVING = from_text("sleep 60 &> /dev/null")  # in bash alone this waits
WAITING = from_text("sleep 0.01 & wait")


@pytest.mark.case("commands.A7")
def test_processes_that_are_left_at_work_are_named() -> None:
    named = from_text("sleep 60 & while ! grep -q sleep /proc/$!/comm; do :; done")  # until it is no shell any more
    assert run(named.words, QUICK).left == ("sleep",)
    assert len(run(LEAVING.words, QUICK).left) == 1
    assert len(run(from_text("sleep 60 & setsid sleep 60 &").words, QUICK).left) == 2
    assert run(WAITING.words, QUICK).left == ()
    # What was ended because it took too long was still at work, of course.
    assert run(from_text("sleep 60 & wait").words, replace(QUICK, timeout_s=0.2)).left == ()


@pytest.mark.case("commands.A7")
def test_a_sample_keeps_how_many_were_left() -> None:
    terms = Terms(limits=QUICK)
    for command, left in ((LEAVING, 1.0), (WAITING, None)):
        spec = Spec(command)
        figures = CommandDriver(spec, terms, Held(spec, terms)).sample(2, 30.0).figures or {}
        assert figures.get(LEFT_RUNNING) == left


def arm(name: str, *figures: dict[str, float]) -> Arm:
    taken = [Sample(block, 0, 1, 1e6, 0, figures=one) for block, one in enumerate(figures)]
    return Arm(as_module(name, Spec(from_text(name))), "command", outcome="ok", samples=taken)


@pytest.mark.case("commands.A7")
def test_doubt_tells_commands_and_samples() -> None:
    left = {LEFT_RUNNING: 2.0}
    (doubt,) = about_commands(
        [arm("a", left, {}, left), arm("b", {}), arm("a", left), replace(arm("a", left), role="twin")]
    )
    assert "cut off" in doubt.name
    assert doubt.evidence == "a: up to 2 processes, in 3 of 4 samples"
    assert about_commands([arm("a", {}), arm("b", {"user": 1.0})]) == []


@pytest.mark.case("commands.A7")
def test_a_comparison_has_the_doubt(settings: Settings) -> None:
    commands = tuple((one.words, one.text) for one in (LEAVING, WAITING))
    options = Options(commands=commands, seed=1, budget_s=20.0, max_pairs=1, timeout_s=30.0)
    executor = CommandExecutor(options.specs(), options.terms())
    document = Comparing(Bench(settings, Place(), Watching(), executor)).compare(options).document
    (doubt,) = [one for one in document.doubts if "cut off" in one.name]
    assert doubt.evidence.startswith(f"{LEAVING.text}: a process, in ")


@pytest.mark.case("commands.A7.beside")
@pytest.mark.parametrize("stage", ["setup", "prepare", "cleanup"])
def test_what_runs_beside_a_command_and_leaves_work_is_complained_of_once(stage: str) -> None:
    spec = Spec(from_text("true"), **{stage: LEAVING})  # type: ignore[arg-type]
    terms = Terms(limits=QUICK, warmup=1)
    driver = CommandDriver(spec, terms, Held(spec, terms))
    driver.case({}, 0, 30.0)
    driver.close()
    (complaint,) = {re.sub(r"\((sh|sleep)\)", "(sleep)", one) for one in terms.complaints}
    assert complaint == (
        f"{stage}: {LEAVING.text!r} left a process running when it ended (sleep); they were ended: "
        "let it wait for what it starts"
    )


@pytest.mark.case("commands.A7.build")
def test_builds_that_leave_work_are_complained_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Terms(limits=QUICK)
    spec = Spec(from_text("true"), build=Builds(tmp_path, tmp_path).build("cd {build}; sleep 60 &"))
    held = Held(spec, terms)
    held.take()
    held.leave()
    assert len(terms.complaints) == 1
    assert "left a process running" in terms.complaints[0]
    watching = Watching()
    builds = GateBuilds(tmp_path / "gate", watching)
    builds._build(Revision("base", "0" * 40, ""), "sleep 60 &", tmp_path, tmp_path / "log")
    assert "the build left a process running" in watching.remarks[-1]


@pytest.mark.case("commands.A7.pin")
@pytest.mark.usefixtures("scratch")
def test_pin_doubts_what_leaves_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pin", "--no-cost", "--", LEAVING.text]) == 0
    assert "doubt: Work may have been cut off: the command left a process running" in capsys.readouterr().out
