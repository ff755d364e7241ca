"""What finds the peak memory of a command takes no part in its figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.command.doubts import about_commands
from rooftop.command.driver import CommandDriver, Held, Terms, as_module
from rooftop.command.line import CommandLine, from_text, from_words
from rooftop.command.measured import LEAST_MAXRSS, Measured, Weight, weighed, weighing
from rooftop.command.process import Finished, Limits, run
from rooftop.command.spec import Spec
from rooftop.measure.arms import Arm, Sample

QUICK = Limits(timeout_s=30.0)


def weigh(command: CommandLine, folder: Path, environment: dict[str, str] | None = None) -> tuple[Weight, Finished]:
    finished = run(weighing(command.words, folder / "figures"), QUICK, environment=environment, capture="first")
    weight = weighed(folder / "figures")
    assert weight is not None
    return weight, finished


@pytest.mark.case("commands.A10")
def test_times_are_the_command_s_own(tmp_path: Path) -> None:
    weight, finished = weigh(from_words(["sleep", "0.05"]), tmp_path)
    # Not a timing: a run that sleeps cannot have taken less, and what starts it takes more.
    assert 50_000_000 <= weight.elapsed_ns < finished.elapsed_ns
    own = Measured("maxrss").own(finished, tmp_path / "figures")
    assert (own.elapsed_ns, own.max_rss_bytes) == (weight.elapsed_ns, weight.peak_bytes)
    assert own.user_s + own.system_s < finished.user_s + finished.system_s
    assert Measured("wall").own(finished, None) == finished


@pytest.mark.case("commands.A10.floor")
def test_least_peak_is_known_and_doubted(tmp_path: Path) -> None:
    small, _ = weigh(from_words(["true"]), tmp_path)
    large, _ = weigh(from_words([sys.executable, "-I", "-S", "-c", "bytearray(20 << 20)"]), tmp_path)
    arms = []
    for name, weight in (("small", small), ("large", large)):
        figures = {"maxrss": float(weight.peak_bytes), LEAST_MAXRSS: float(weight.least_bytes)}
        samples = [Sample(0, 0, 1, 1e6, 0, figures=figures)]
        arms.append(Arm(as_module(name, Spec(from_text(name))), "command", outcome="ok", samples=samples))
    (doubt,) = about_commands(arms)
    assert "least that can be seen" in doubt.name
    assert doubt.evidence == f"small: at most {small.peak_bytes / 2**20:.3g} MiB"


@pytest.mark.case("commands.A10.signals")
def test_signals_and_environment_are_those_of_a_plain_run(tmp_path: Path) -> None:
    ignored = from_words(["grep", "SigIgn", "/proc/self/status"])
    plain = run(ignored.words, QUICK, capture="first").output
    assert weigh(ignored, tmp_path)[1].output == plain
    shown = from_words(["/usr/bin/env"])
    assert weigh(shown, tmp_path, {"A": "1"})[1].output == b"A=1\n"


@pytest.mark.case("commands.A10.exit-codes")
def test_exit_codes_that_are_allowed_are_kept(tmp_path: Path) -> None:
    terms = Terms(measured=Measured("maxrss"), limits=QUICK)
    spec = Spec(from_text("true"))
    assert "exit_code" not in (CommandDriver(spec, terms, Held(spec, terms)).sample(1, 30.0).figures or {})
    for status in (3, -9):
        assert Measured().figures(Finished(10, 0.1, 0.1, None, status))["exit_code"] == status


@pytest.mark.case("commands.A10", "commands.A10.exit-codes")
@pytest.mark.usefixtures("scratch")
def test_export_has_own_times_and_exit_codes(tmp_path: Path) -> None:
    file = tmp_path / "h.json"
    few = ["--metric", "maxrss", "--ignore-failure", "--max-pairs", "1", "--budget", "60s"]
    assert main(["compare", *few, "--export", f"hyperfine:{file}", "--", "sh", "-c", "exit 3", ":::", "true"]) == 0
    first, second = json.loads(file.read_text(encoding="utf-8"))["results"]
    assert set(first["exit_codes"]) == {3}
    assert set(second["exit_codes"]) == {0}


@pytest.mark.case("commands.A10.instructions")
@pytest.mark.usefixtures("scratch")
def test_times_with_perf_in_them_are_not_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = ["--export", f"hyperfine:{tmp_path / 'h.json'}"]
    assert main(["compare", "--metric", "instructions", *export, "true", "true"]) == 2
    assert "--export writes times, which include those of perf with --metric instructions" in capsys.readouterr().err
