"""Each doubt is raised by what makes it true, and by nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import typer
from still_machine import StillMachine

from rooftop.documents import CaseResult, ClimbDocument, Comparison, Doubt, ExperimentResult, Roof, RungResult
from rooftop.doubts import Evidence, about_the_machine, raise_doubts
from rooftop.terminal.output import VerboseCommand, say_findings, tables


def evidence(
    rung: dict[str, Any] | None = None,
    conditions: Sequence[dict[str, Any]] = (),
    measured: Sequence[Roof] = (),
    floor: float = 0.003,
    cold_on: str | None = None,
) -> Evidence:
    """Return the evidence of a clean campaign with one rung, changed as asked."""
    content: dict[str, Any] = {"median_s": 1.0, "limit": 2.0, "roof_fraction": 0.5, "binding": [[0], [1]]} | (
        rung or {}
    )
    result = RungResult(name="10-a", kind="rung", outcome="ok", **content)
    case = CaseResult(case="c", parameters={}, nominal=1.0, rungs=[result], cold_on=cold_on)
    experiment = ExperimentResult(name="e", title="E", size="quick", threads=2, rate_unit="u", cases=[case])
    document = ClimbDocument(
        rooftop="0", campaign="c", started="now", machine=StillMachine().machine(2), experiments=[experiment]
    )
    return Evidence(document, conditions, measured, floor)


def compared(**content: Any) -> Comparison:
    """Return a comparison."""
    usual: dict[str, Any] = {
        "against": "b",
        "ratio": 1.0,
        "lo": 0.9,
        "hi": 1.1,
        "pairs": 9,
        "verdict": "faster",
        "floor": 0.01,
    }
    return Comparison(**(usual | content))


def roof(value: float) -> Roof:
    """Return a memory roof."""
    return Roof(metric="copy", value=value, unit="byte/s", level="memory")


def passing(seconds: float, to: int = 1) -> Roof:
    """Return how long a cache line takes from processor 0 to another."""
    return Roof(metric="core_to_core", value=seconds, unit="s", threads=2, detail={"from": 0, "to": to})


def test_processors_that_moved_are_named_with_the_times_seen() -> None:
    seen = [passing(209e-9), passing(23e-9), passing(58e-9)]
    assert [doubt.evidence for doubt in raise_doubts(evidence(measured=seen))] == [
        "a cache line took 23 to 209 ns between 0 and 1"
    ]


def test_a_rung_whose_figure_of_merit_is_no_rate_needs_no_roof() -> None:
    def told(work: dict[str, float] | None, merit: list[str]) -> list[str]:
        found = evidence({"limit": None, "roof_fraction": None, "work": work})
        found.document.experiments[0].merit = merit
        return [doubt.name for doubt in raise_doubts(found)]

    assert told({"working_set_bytes": 1e6}, ["time"]) == told(None, ["time"]) == []
    assert told({"working_set_bytes": 1e6}, []) == told({"memory_bytes": 8.0}, ["time"])
    assert told({"memory_bytes": 8.0}, ["time"]) == ["Some rungs stand beside no limit"]


def test_cold_runs_that_read_nothing_are_told() -> None:
    def told(read: float | None, cold_on: str | None = "ext4 on /dev/a, mounted at /") -> list[str]:
        figures = {} if read is None else {"storage_read_bytes": read}
        rung = {"work": {"device_bytes": float(1 << 20)}, "figures": figures}
        return [doubt.evidence for doubt in raise_doubts(evidence(rung, cold_on=cold_on))]

    assert told(1 << 19) == ["read from storage, by /proc/self/io: e/c/10-a 512\u202fKiB of 1\u202fMiB"]
    assert told(1 << 20) == told(None) == told(0, cold_on=None) == []


@pytest.mark.parametrize("seen", [[passing(55e-9), passing(217e-9, to=2)], [passing(23e-9), passing(66e-9)]])
def test_processors_that_stay_near_or_far_are_no_doubt(seen: list[Roof]) -> None:
    assert raise_doubts(evidence(measured=seen)) == []


@pytest.mark.case("commands.A9", "commands.A9.climb")
def test_quota_that_stopped_it_is_told_of_climbs_and_commands() -> None:
    end = {"cgroup": {"throttled_over_campaign": 0.6, "cpu_quota": 0.5}}
    start = {"cgroup": {"throttled_periods": 1000, "cpu_quota": 0.5}}
    of_climb = raise_doubts(evidence(conditions=[start, end]))
    of_commands = about_the_machine(StillMachine().machine(2), [start, end], 0.003)
    told = "its quota of 0.5 CPUs was used up in 60% of the periods in which it had work"
    assert [one.evidence for one in of_climb] == [one.evidence for one in of_commands] == [told]
    assert about_the_machine(StillMachine().machine(2), [start], 0.003) == []


def test_a_clean_campaign_raises_none() -> None:
    quiet = {
        "load": [0.2],
        "steal": {"over_interval": 0.001},
        "cgroup": {"throttled_over_campaign": 0.0, "cpu_quota": 4.0},
    }
    assert raise_doubts(evidence({"vs_below": compared()}, [quiet], [roof(1.0), roof(1.1)])) == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (evidence(conditions=[{"load": [1.7, 1.0, 1.0]}]), "busy"),
        (evidence(conditions=[{"load": []}, {"steal": {"over_campaign": 0.2, "over_interval": 0}}]), "hypervisor"),
        (evidence(conditions=[{"cgroup": {"throttled_over_campaign": 0.6, "cpu_quota": 0.5}}]), "quota stopped"),
        (evidence(floor=0.05), "same rung differ"),
        (evidence(floor=float("inf")), "floor could not be measured"),
        (evidence({"roof_fraction": 1.1}), "faster than its own roof"),
        (evidence({"vs_below": compared(pairs=3, verdict="not resolved")}), "Too few pairs"),
        (evidence({"vs_best_peer": compared(verdict="not resolved")}), "not resolved, which does not mean equal"),
        (evidence({"binding": [[0]]}), "not bound as asked"),
        (evidence({"binding": [[0], [0]]}), "not bound as asked"),
        (evidence(measured=[roof(2e10), roof(1e10)]), "drifted"),
        (evidence(measured=[passing(24e-9), passing(204e-9)]), "moved processors"),
        (evidence({"limit": None, "roof_fraction": None}), "beside no limit"),
    ],
)
def test_each_doubt(changed: Evidence, words: str) -> None:
    raised = raise_doubts(changed)
    assert len(raised) == 1
    assert words in raised[0].name
    assert raised[0].evidence
    assert raised[0].remedy


@pytest.mark.case("commands.I7")
def test_values_of_commands_raise_doubts_of_their_own() -> None:
    rising = [1 + 0.05 * at for at in range(20)]
    series = {"grows": rising, "steps": [1.0, 2.0, 1.0] * 8, "still": [1.0, 1.01] * 10}
    found = about_the_machine(StillMachine().machine(2), [], 0.003, series)
    assert [one.name for one in found] == ["Values come in coarse steps", "Values changed from run to run"]
    assert found[0].evidence == "steps █▁▁▁▁▁▁▁▁▁▁▁▁▁▁▅ in steps of 1 of its median"
    assert found[1].evidence == "grows: the last third of 20 runs +62% on the first"


def test_a_doubt_is_one_line_and_verbose_lists_what_it_is_about() -> None:
    names = [f"fake/case/{number}-rung" for number in range(40)]
    (doubt,) = Doubt.about_all("Too few pairs", names, "Give a larger --budget")
    assert doubt.lines() == ["40, such as fake/case/0-rung. Give a larger --budget"]
    assert doubt.lines(verbose=True)[1:] == names
    assert doubt.about == names
    assert len(doubt.evidence) < 200
    assert list(Doubt.about_all("Too few pairs", [], "Give a larger --budget")) == []
    (moved,) = Doubt.about_all("Moved", ["9 ns", "8 ns"], "Wait", lead="a cache line took ")
    assert moved.lines() == ["2, such as a cache line took 9 ns. Wait"]


@pytest.mark.parametrize("verbose", [False, True])
def test_the_command_line_lists_what_doubts_are_about_if_asked(
    verbose: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    app = typer.Typer()

    @app.command("told", cls=VerboseCommand)
    def told() -> None:
        say_findings(tables(), "doubt: ", Doubt.about_all("Too few pairs", ["one", "two"], "Wait"))

    app(args=["--verbose"] if verbose else [], standalone_mode=False)
    lines = ["doubt: Too few pairs: 2, such as one. Wait", "    one", "    two"]
    assert capsys.readouterr().out.splitlines() == (lines if verbose else lines[:1])
