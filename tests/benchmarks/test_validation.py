"""The page's section of twelve cases: constants of the first round alone, and errors of what was measured."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from benchmarks.simulate import measured_cases, part_validation
from benchmarks.simulate.described_hosts import platform
from benchmarks.simulate.measured_cases import CASES, CaseTimes, Measured, ProgramTimes
from benchmarks.simulate.part_validation import compared, phases
from benchmarks.simulate.validation_samples import measured
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.replay import missing

BY_ID = {case["id"]: case for case in CASES["cases"]}
MESSAGES = {8: 0.0012, 1 << 20: 0.0136, 4 << 20: 0.044}
needs_simgrid = pytest.mark.skipif(missing() is not None, reason="the replayer is not built")


def samples(seconds: float = 0.01) -> Measured:
    times = {
        one: CaseTimes([seconds] * 3, [] if BY_ID[one]["rung"].startswith("labs/") else [0.02] * 3) for one in BY_ID
    }
    return Measured("a processor", 4e10, 2e10, MESSAGES, 1e-5, {"none": 0.2, "tests": 1.0}, 0.044, times)


def test_constants_are_those_of_the_first_round() -> None:
    first, second = (platform(name, samples(), None) for name in ("first", "second"))
    links = CASES["rounds"]
    apart_s = (links["first"]["delay_us"] - links["second"]["delay_us"]) * 1e-6
    assert first.messages.latency_s + 2 * first.messages.overhead_s == pytest.approx(MESSAGES[8])
    assert first.messages.latency_s - second.messages.latency_s == pytest.approx(apart_s)
    assert first.network.link_bytes_per_s == pytest.approx((1 << 20) / (MESSAGES[1 << 20] - 3 * MESSAGES[8]))
    assert second.network.link_bytes_per_s == links["second"]["rate_mbit"] * 1e6 / 8


def test_the_share_is_that_of_the_work_and_at_most_all_of_it() -> None:
    assert samples().share("none") == pytest.approx(0.2)
    assert replace(samples(), work_s=0.004).share("tests") == 1.0


def test_a_lab_has_no_sweep_and_exchanges_with_one_side_after_the_other() -> None:
    rows, columns = (phases(BY_ID[name], 2) for name in ("halo-rows", "halo-columns"))
    assert [one.work.bytes for one in rows] == [0, 0]
    assert sum(one.work.bytes for one in columns) == 2 * 1024 * 64
    assert all(one.work.flops == 0 for one in (*rows, *columns))


@needs_simgrid
@pytest.mark.parametrize("name", ["cg-static", "colony", "ft-blocking"])
def test_work_is_what_one_rank_took(name: str) -> None:
    case, rounds = BY_ID[name], {"first": samples()}
    found = compared(case, "first", rounds)
    slower = {"first": replace(samples(), cases={name: CaseTimes([0.01], [0.04])})}
    half_s = (compared(case, "first", slower).model_s - found.model_s) / 0.02
    assert half_s == pytest.approx(0.5, rel=0.05)  # of two ranks, each has half of what one rank had


@needs_simgrid
def test_what_was_measured_as_predicted_is_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = {name: samples() for name in CASES["rounds"]}
    exact = {}
    for name, one in rounds.items():
        times = {
            case["id"]: replace(one.cases[case["id"]], ranks=[compared(case, name, rounds).replayed_s])
            for case in CASES["cases"]
        }
        exact[name] = replace(one, cases=times)
    file = tmp_path / "samples.json"
    file.write_text(json.dumps({name: asdict(one) for name, one in exact.items()}), encoding="utf-8")
    assert measured(file) == exact
    monkeypatch.setattr(part_validation, "measured", lambda: measured(file))
    found = part_validation.part()
    assert [row.met for row in found.rows] == [True] * 4
    off = exact["first"].cases["alltoall"].ranks[0] * 1.5
    exact["first"].cases["alltoall"] = CaseTimes([off], [])
    file.write_text(json.dumps({name: asdict(one) for name, one in exact.items()}), encoding="utf-8")
    assert [row.met for row in part_validation.part().rows] == [True, True, True, True]
    exact["first"].cases["alltoall"] = CaseTimes([off * 2], [])
    file.write_text(json.dumps({name: asdict(one) for name, one in exact.items()}), encoding="utf-8")
    assert [row.met for row in part_validation.part().rows] == [True, False, True, True]


@needs_simgrid
def test_recorded_programs_are_told_with_their_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = {"heat": ProgramTimes([2.0, 1.0, 4.0], 2.2), "lammps": ProgramTimes([1.0])}
    rounds = {name: replace(samples(), programs=programs) for name in CASES["rounds"]}
    file = tmp_path / "samples.json"
    file.write_text(json.dumps({name: asdict(one) for name, one in rounds.items()}), encoding="utf-8")
    monkeypatch.setattr(part_validation, "measured", lambda: measured(file))
    told = part_validation.part().below[-1].replace("\u202f", " ")
    assert "| 2.00 s | 1.00 s to 4.00 s | 2.20 s | +10.0 % |" in told
    assert "LAMMPS" not in told


def test_nothing_measured_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_validation, "measured", lambda: measured(tmp_path / "none.json"))
    assert part_validation.part().rows[0].reached == "nothing was measured"


def test_every_rung_is_found_by_its_name() -> None:
    for case in CASES["cases"]:
        assert measured_cases.module_of(case["rung"]).ranked, case["id"]


def test_the_model_of_one_rank_has_no_messages() -> None:
    for case in CASES["cases"]:
        if not case["rung"].startswith("labs/"):
            layout = laid_out(platform("first", samples(), None), 1)
            assert predict(layout, phases(case, 1)).transfer_s == 0, case["id"]
