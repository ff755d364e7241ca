"""Each place in a command is filled once, whatever the values hold."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from rooftop.command.build import Builds
from rooftop.command.line import places, substituted
from rooftop.command.measurement import Measurement
from rooftop.errors import Misuse
from rooftop.gate.file import Entry
from rooftop.tune.options import Options


@pytest.mark.case("commands.A5")
def test_values_are_not_searched_for_places() -> None:
    values = {"X": "{Y}", "Y": "q"}
    for order in itertools.permutations(values):
        assert substituted(("{X}", "{Y}", "{X}{Y}"), {name: values[name] for name in order}) == ("{Y}", "q", "{Y}q")


@pytest.mark.case("commands.A5.build")
def test_a_value_that_spells_the_build_s_place_is_no_place(tmp_path: Path) -> None:
    builds = Builds(tmp_path / "builds", tmp_path)
    parameters = (("X", "param", ("{build}", "b")),)
    options = Options(words=("{build}/app", "{X}"), parameters=parameters, build="make X={X} -C {build}")  # type: ignore[arg-type]
    space = options.space()
    first = options.build_of(space.configurations[0], builds)
    assert first is not None
    assert first.command.text == f"make X={{build}} -C {first.folder}"
    assert options.launch(space, space.configurations[0], first).words == (f"{first.folder}/app", "{build}")
    assert options.build_of(space.configurations[1], builds) != first


@pytest.mark.case("commands.A5.shell")
def test_variables_of_the_shell_are_no_places() -> None:
    assert substituted(("sh", "-c", "run ${N} {N}"), {"N": 8}) == ("sh", "-c", "run ${N} 8")
    assert places(["${N} {M} awk '{print $1}' a{b,c} {}"]) == ["M"]


@pytest.mark.case("commands.A6.prepare", "commands.A6.check")
def test_values_reach_what_runs_beside_a_configuration(tmp_path: Path) -> None:
    how = Measurement(prepares=("gen {N}",), check="judge {N}")
    options = Options(words=("app", "{N}"), parameters=(("N", "param", (8,)),), how=how)
    space = options.space()
    spec = options.spec(space, space.configurations[0], Builds(tmp_path, tmp_path))
    assert spec.prepare is not None
    assert spec.judge is not None
    assert (spec.prepare.words, spec.judge.words) == (("gen", "8"), ("judge", "8"))


@pytest.mark.case("commands.A6.options")
def test_options_without_effect_are_misuse() -> None:
    with pytest.raises(Misuse, match="--better is 'higher', which has no effect"):
        Measurement(better="higher").terms()
    with pytest.raises(Misuse, match="--metric is 'cpu' and --metric-regex is given too"):
        Measurement(metric="cpu", metric_regex="([0-9]+)").terms()
    Measurement(metric_regex="([0-9]+)", better="higher").terms()


@pytest.mark.case("commands.A6.entry")
def test_a_benchmark_s_own_metric_is_instead_of_the_one_for_all() -> None:
    general = Measurement(metric_regex="rate ([0-9]+)", better="higher")
    own = Entry(command="x", metric="cpu").how(general, "benchmark 1")
    assert (own.metric, own.metric_regex, own.better) == ("cpu", None, "lower")
    own = Entry(command="x", metric_regex="took ([0-9]+)").how(Measurement(metric="cpu"), "benchmark 1")
    assert (own.metric, own.metric_regex) == ("wall", "took ([0-9]+)")
