"""An option is declared once: the command line, files, the stored request and the line to copy follow from it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from pydantic.dataclasses import dataclass
from typer.testing import CliRunner

from rooftop.command.measurement import Measurement
from rooftop.command.option import Option, read_options
from rooftop.command.reported_values import read_from
from rooftop.command.request import reproduce, usual_measurement
from rooftop.compare.options import Options as CompareOptions
from rooftop.diagnose.options import Options as DiagnoseOptions
from rooftop.errors import Misuse
from rooftop.gate.options import Options as GateOptions
from rooftop.pin.options import Options as PinOptions
from rooftop.scale.options import Options as ScaleOptions
from rooftop.terminal.campaigns import stored_places
from rooftop.terminal.measuring import Given, MeasuringCommand, measuring
from rooftop.tune.options import Options as TuneOptions

HELP = "A planted option."


@dataclass(frozen=True, kw_only=True)
class Planted:
    """One more option."""

    planted: Annotated[int | None, Option("--planted", HELP, read=read_from(1))] = None


@dataclass(frozen=True)
class PlantedCompare(CompareOptions, Planted):
    """A kind's request with one more option."""


@dataclass(frozen=True)
class PlantedDiagnose(DiagnoseOptions, Planted):
    """A kind's request with one more option."""


@dataclass(frozen=True)
class PlantedGate(GateOptions, Planted):
    """A kind's request with one more option."""


@dataclass(frozen=True)
class PlantedPin(PinOptions, Planted):
    """A kind's request with one more option."""


@dataclass(frozen=True)
class PlantedScale(ScaleOptions, Planted):
    """A kind's request with one more option."""


@dataclass(frozen=True)
class PlantedTune(TuneOptions, Planted):
    """A kind's request with one more option."""


KINDS: dict[str, Any] = {
    "compare": PlantedCompare,
    "diagnose": PlantedDiagnose,
    "gate": PlantedGate,
    "pin": PlantedPin,
    "scale": PlantedScale,
    "tune": PlantedTune,
}


def run(model: type[Any], *words: str) -> tuple[str, list[Given[Any]]]:
    """Return what a command with these options prints, and what it is given. Raises Misuse."""
    app, found = typer.Typer(), list[Given[Any]]()

    @app.command(cls=MeasuringCommand)
    @measuring(model)
    def command(*, given: Given[Any]) -> None:
        found.append(given)

    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})
    if isinstance(result.exception, Misuse):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output, found


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_option_is_everywhere(kind: str, tmp_path: Path) -> None:
    model = KINDS[kind]
    help_, _ = run(model, "--help")
    assert "--planted" in help_
    assert HELP in help_
    _, (given,) = run(model, "--planted", "3")
    request = given.request()
    assert request.planted == 3
    assert run(model)[1][0].request().planted is None
    stored = json.loads(json.dumps(request.stored()))
    assert stored["planted"] == 3
    assert model.from_stored(stored) == request
    assert model.from_stored({key: value for key, value in stored.items() if key != "planted"}).planted is None
    assert stored_places(model)["planted"] == "planted"
    words = shlex.split(reproduce(kind, request, [(("app",), "app")]))
    assert words == ["rooftop", kind, "--planted", "3", "--", "app"]
    (tmp_path / "options.toml").write_text("planted = 5\n", encoding="utf-8")
    filed = read_options(tmp_path / "options.toml", model)
    assert given.request(filed).planted == 3
    assert run(model)[1][0].request(filed).planted == 5
    with pytest.raises(Misuse, match="--planted is 0, expected a whole number from 1"):
        run(model, "--planted", "0")
    (tmp_path / "options.toml").write_text("planted = 0\n", encoding="utf-8")
    with pytest.raises(Misuse, match=r"options.toml: planted is 0, expected a whole number from 1"):
        read_options(tmp_path / "options.toml", model)


WORDS = {
    "compare": "--google-benchmark --metric cpu --max-pairs 30",
    "diagnose": "--try 'A=1 B=2' --try C=3 --try-command './other 1' --without sleep --budget 2m",
    "gate": "--threshold 3% --correction bh --build make --benchmark 'a*' --warmup 1",
    "pin": "--for 10s --no-cost --budget 2m",
    "scale": "--ranks 1,2 --threads 1..4 --bind close --size n=010 --weak m=2*n --serial 'app 1' --no-factors "
    "--check judge",
    "tune": "--threads 1..3 --malloc glibc,tbb --env A=x,y --param N=8,010 --param 'M=a\\,b,c' --where 'N > 8' "
    "--default N=010 --strategy tpe --n-trials 9 --build make -w 2",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_line_to_copy_asks_for_the_same(kind: str) -> None:
    _, (given,) = run(KINDS[kind], *shlex.split(WORDS[kind]))
    request = given.request()
    words = shlex.split(reproduce(kind, request, []))[2:]
    _, (again,) = run(KINDS[kind], *words)
    assert again.request() == request
    assert request != KINDS[kind]()


def test_a_default_of_a_kind_is_declared_once() -> None:
    assert usual_measurement(TuneOptions) == Measurement(budget_s=300.0, max_pairs=60)
    assert run(TuneOptions)[1][0].request() == TuneOptions()
    assert "[default: 5m]" in run(TuneOptions, "--help")[0]
    assert run(TuneOptions, "--budget", "1m")[1][0].request().how == Measurement(max_pairs=60)


def test_a_file_and_a_command_line_add_up(tmp_path: Path) -> None:
    (tmp_path / "tune.toml").write_text('threads = "1..2"\nwhere = "N > 1"\nn_trials = 5\n', encoding="utf-8")
    _, (given,) = run(TuneOptions, "--param", "N=1,2", "--where", "N < 3", "--n-trials", "7")
    request = given.request(read_options(tmp_path / "tune.toml", TuneOptions, str))
    assert [name for name, _, _ in request.parameters] == ["threads", "N"]
    assert request.where == ("N > 1", "N < 3")
    assert request.n_trials == 7
