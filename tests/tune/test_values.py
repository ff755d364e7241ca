"""Values are given to commands as they were written, and are numbers where they are compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rooftop.command.measurement import Measurement
from rooftop.command.option import read_options
from rooftop.errors import Misuse
from rooftop.parameters.space import Parameter, Space, label, parameter
from rooftop.parameters.values import in_order, number, read_values
from rooftop.scale.options import Options as ScaleOptions
from rooftop.scale.points import Point, points
from rooftop.tune.options import Options
from rooftop.tune.strategies import begin


def texts(given: str) -> list[str]:
    return [str(value) for value in read_values("--param N", given)]


@pytest.mark.case("commands.A3")
@pytest.mark.parametrize(
    "given", ["3.10,3.11", "01,02,10", "1e3,1e4", "+5,-0", "1.,.5", "0x10,1_000", "1,1.0", "3.10,3.1"]
)
def test_values_stay_as_they_are_written(given: str) -> None:
    options = Options(words=("echo", "{N}"), parameters=(("N", "param", read_values("--param N", given)),))
    again = Options.from_stored(json.loads(json.dumps(options.stored())))
    space = again.space()
    started = [again.launch(space, one, None).words[1] for one in space.configurations]
    assert started == given.split(",")
    assert len({label(one) for one in space.configurations}) == len(started)


@pytest.mark.case("commands.A3.model")
def test_values_are_modelled_by_what_they_are_worth() -> None:
    values = read_values("--param N", "1e3,010,2.50,7")
    assert in_order(values) == ["2.50", 7, "010", "1e3"]
    assert [number(value) for value in values] == [1000.0, 10, 2.5, 7]
    assert Parameter("N", "param", values).ordered
    assert not Parameter("N", "param", ("1e3", "abc")).ordered
    space = Space([Parameter("N", "param", values)], ["N > 9"])
    assert [one["N"] for one in space.configurations] == ["1e3", "010"]
    strategy = begin("tpe", space, 1)
    assert sorted([strategy.ask(), strategy.ask()], key=str) == [0, 1]


@pytest.mark.case("commands.A3.default")
def test_default_is_found_by_its_text() -> None:
    def default(text: str) -> str:
        options = Options(
            words=("echo", "{N}"),
            parameters=(("N", "param", read_values("--param N", "1,1.0,3.10")),),
            default=(("N", text),),
        )
        space = options.space()
        return str(space.configurations[options.default_place(space)]["N"])

    assert [default(text) for text in ("1.0", "1", "3.10")] == ["1.0", "1", "3.10"]
    for text in ("3.1", "1,3.10"):  # of several only the first was taken
        with pytest.raises(Misuse, match=f"--default N={text} is not among its values 1, 1.0, 3.10"):
            default(text)


@pytest.mark.case("commands.A3.file")
def test_numbers_and_commas_of_a_file_stay(tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text('[param]\nV = [3.10, 3.11, 7]\nF = ["-O2,-g", "1..3"]\nT = "a,b"\n', encoding="utf-8")
    found = read_options(file, Options, str)["parameters"]
    assert [values for _, _, values in found] == [("3.10", 3.11, 7), ("-O2,-g", 1, 2, 3), ("a", "b")]


@pytest.mark.case("commands.A3.scale")
def test_sizes_stay_as_they_are_written() -> None:
    options = ScaleOptions(words=("app", "{n}", "{m}"), threads=(1, 2), sizes=(("n", "010"),), weak=(("m", "2*n"),))
    assert options.launch(options.points("strong")[0]).words == ("app", "010", "20")
    (point,) = points("strong", None, (2,), {"n": "1e3"}, {})
    assert point == Point("strong", None, 2, {"n": "1e3"})


def test_numbers_of_workers_are_numbers() -> None:
    assert parameter("--threads", "threads", "threads", "04,8").values == (4, 8)
    with pytest.raises(Misuse, match="twice"):
        parameter("--threads", "threads", "threads", "4,04")


@pytest.mark.case("commands.A4")
def test_ranges_of_decimals() -> None:
    assert texts("0.01..0.03..0.01") == ["0.01", "0.02", "0.03"]
    assert texts("0.1..0.35..0.05") == ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]
    assert texts("0.00001..0.00002..0.00001") == ["0.00001", "0.00002"]
    assert texts("-.5..1..0.5") == ["-0.5", "0", "0.5", "1"]


@pytest.mark.case("commands.A4.padded")
def test_ranges_keep_their_leading_zeros() -> None:
    assert texts("08..10") == ["08", "09", "10"]
    assert texts("1..3") == ["1", "2", "3"]


@pytest.mark.case("commands.A4.misuse")
@pytest.mark.parametrize(
    "given", ["0.1..0.5", "8..1..-1", "1..", "..8", "1...8", "1..8..", "1..n", "1e3..1e4", "0.1..0.5..0", "5..1..1.5"]
)
def test_what_looks_like_a_range_is_one_or_misuse(given: str) -> None:
    with pytest.raises(Misuse, match=r"--param N has .*expected"):
        read_values("--param N", given)


def test_two_dots_in_other_texts_stay() -> None:
    assert texts("../data,..,v1..v2,a..b") == ["../data", "..", "v1..v2", "a..b"]


@pytest.mark.case("commands.A6", "commands.A6.prepare", "commands.A6.check")
def test_parameters_without_a_place_are_misuse() -> None:
    options = Options(words=("sh", "-c", "sleep 0.01; echo {M}"), parameters=(("N", "param", (1, 2)),))
    with pytest.raises(
        Misuse, match=r"--param sets 'N', expected \{N\} in the command; it has \{M\}, which is not set"
    ):
        options.prepared()
    for elsewhere in (Measurement(prepares=("gen {N}",)), Measurement(check="judge {N}")):
        assert Options(words=("x",), parameters=options.parameters, how=elsewhere).prepared().remarks() == []
    assert Options(words=("x",), parameters=options.parameters, build="make N={N}").prepared().remarks() == []
    both = Options(words=("x", "{N}", "{M}"), parameters=options.parameters)
    assert both.prepared().remarks() == ["{M} in the command has no value: it is left unchanged"]


@pytest.mark.case("commands.A6.scale")
def test_places_of_a_scaled_command_that_nothing_fills_are_told() -> None:
    options = ScaleOptions(words=("app", "{thread}", "{workers}"), threads=(1, 2))
    assert options.prepared().remarks() == ["{thread} in the command has no value: it is left unchanged"]


@pytest.mark.case("commands.A6.launcher")
def test_launcher_without_ranks_is_misuse() -> None:
    with pytest.raises(Misuse, match="--launcher is 'mpich' and has no effect, expected --ranks"):
        Options(words=("x",), parameters=(("threads", "threads", (1, 2)),), launcher="mpich").prepared()
    with pytest.raises(Misuse, match="--launcher is 'mpich' and has no effect, expected --ranks"):
        ScaleOptions(words=("x",), threads=(1, 2), launcher="mpich").prepared()


@pytest.mark.case("commands.F24")
def test_a_comma_within_a_value_has_a_backslash_before_it() -> None:
    assert texts(r"0\,1,2\,3,0-3") == ["0,1", "2,3", "0-3"]
    assert texts(r"a\b,c") == [r"a\b", "c"]


@pytest.mark.case("commands.F32")
def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "tune.toml").write_text("\ufeffthreads = [1, 2]\n", encoding="utf-8")
    assert read_options(tmp_path / "tune.toml", Options)["parameters"] == (("threads", "threads", (1, 2)),)
