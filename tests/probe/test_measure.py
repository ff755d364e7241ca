"""The machine as measured: what is reused, what is measured anew, and what a failing probe leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.machine import cores_now
from rooftop.probe import machine, probe_document, refresh_roofs
from rooftop.probe.cache import ProbeCache, cache_file, load, save

MakeProbe = Callable[[str, str], Path]
Runs = Callable[[str], list[str]]


def caches(place: Path) -> list[Path]:
    """Return the files of the cache."""
    return list((place / "home" / "probe").glob("*.json"))


def test_the_second_time_nothing_runs(make_probe: MakeProbe, runs: Runs, good: str) -> None:
    make_probe("fma_peak", good)
    first = probe_document(True)
    second = probe_document(True)
    assert len(runs("fma_peak")) == 1
    assert (first.cached, second.cached) == (False, True)
    assert second.measured == first.measured
    assert second.machine.roofs == first.machine.roofs
    assert [roof.metric for roof in second.machine.roofs] == ["fma"]


def test_refresh_measures_anew(make_probe: MakeProbe, runs: Runs, good: str) -> None:
    make_probe("fma_peak", good)
    machine(True)
    machine(True, refresh=True)
    assert len(runs("fma_peak")) == 2


def test_a_full_run_answers_for_a_quick_one_but_not_the_other_way(make_probe: MakeProbe, runs: Runs, good: str) -> None:
    make_probe("fma_peak", good)
    machine(True)
    machine(False)
    machine(True)
    machine(False)
    threads = f"--threads {cores_now()}"
    assert runs("fma_peak") == [f"--quick {threads}", threads]


def test_only_a_new_or_changed_probe_runs(make_probe: MakeProbe, runs: Runs, good: str) -> None:
    make_probe("fma_peak", good)
    make_probe("other", good)
    machine(True)
    make_probe("other", good.replace("3e11", "4e11"))
    make_probe("third", good)
    found = machine(True)
    assert [len(runs(name)) for name in ("fma_peak", "other", "third")] == [1, 2, 1]
    assert max(roof.value for roof in found.roofs) == 4e11


def test_threads_are_part_of_the_question(make_probe: MakeProbe, runs: Runs, good: str) -> None:
    make_probe("fma_peak", good)
    machine(True, threads=1)
    machine(True, threads=1)
    machine(True, threads=10_000)
    assert runs("fma_peak")[0] == "--quick --threads 1"
    assert len(runs("fma_peak")) == (1 if cores_now() == 1 else 2)
    with pytest.raises(Misuse, match="threads is 0"):
        machine(True, threads=0)


@pytest.mark.parametrize("damage", ["", "{", '{"schema":"rooftop/probe-cache/0","machine":"x"}', "[1]", "\x00\xff"])
def test_a_damaged_or_old_cache_is_measured_anew_with_one_line(
    make_probe: MakeProbe, runs: Runs, good: str, place: Path, damage: str
) -> None:
    make_probe("fma_peak", good)
    machine(True)
    caches(place)[0].write_text(damage, encoding="utf-8")
    said: list[str] = []
    found = machine(True, say=said.append)
    assert found.roofs
    assert len(runs("fma_peak")) == 2
    assert len(said) == 1
    assert "measuring again" in said[0]
    machine(True, say=said.append)
    assert len(said) == 1


def test_a_failing_probe_is_a_line_of_missing_and_the_others_go_on(make_probe: MakeProbe, good: str) -> None:
    make_probe("aaa", "import os; os.abort()")
    make_probe("fma_peak", good)
    found = machine(True)
    assert len(found.roofs) == 1
    assert "aaa: was killed by SIGABRT" in found.missing


def test_a_failed_probe_is_tried_again_and_one_that_skips_is_not(make_probe: MakeProbe, runs: Runs) -> None:
    make_probe("fails", "import os; os.abort()")
    make_probe("skips", """print('{"protocol": 1, "probe": "skips", "skipped": "one core"}')""")
    machine(True)
    assert "skips: one core" in machine(True).missing
    assert (len(runs("fails")), len(runs("skips"))) == (2, 1)


def test_without_probes_the_machine_is_still_known(place: Path) -> None:
    found = machine(True)
    assert found.roofs == []
    assert any(line.startswith("probes: none built in") for line in found.missing)
    assert found.cores >= 1
    assert found.conditions["kernel"]


def test_a_home_that_cannot_be_written_costs_only_the_cache(
    make_probe: MakeProbe, good: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_probe("fma_peak", good)
    (place / "file").write_text("")
    monkeypatch.setenv("ROOFTOP_HOME", str(place / "file" / "home"))
    found = machine(True)
    assert len(found.roofs) == 1
    assert any("probe cache:" in line and "cannot be" in line for line in found.missing)


def test_progress_is_told(make_probe: MakeProbe, good: str) -> None:
    make_probe("a", good)
    make_probe("b", good)
    told: list[tuple[str, int, int]] = []
    machine(True, progress=lambda *step: told.append(step))
    assert told == [("a", 0, 2), ("b", 1, 2), ("", 2, 2)]


def test_within_a_campaign_only_the_roofs_are_measured_and_nothing_is_kept(
    make_probe: MakeProbe, runs: Runs, good: str, place: Path
) -> None:
    make_probe("fma_peak", good)
    make_probe("core_to_core", good)
    make_probe("noise", good)
    assert [roof.metric for roof in refresh_roofs(1)] == ["fma"]
    assert runs("fma_peak") == runs("core_to_core") == ["--brief --threads 1"]
    assert runs("noise") == []
    assert caches(place) == []


@given(st.binary(max_size=200))
def test_any_bytes_in_the_cache_are_a_cache_or_a_complaint(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    file.write_bytes(data)
    cache, complaint = load(file, "m")
    assert cache == ProbeCache(schema="rooftop/probe-cache/1", machine="m")
    assert complaint is not None


def test_the_cache_of_another_machine_is_not_believed(tmp_path: Path) -> None:
    file = cache_file(tmp_path, "a")
    assert save(file, ProbeCache(schema="rooftop/probe-cache/1", machine="b")) is None
    assert json.loads(file.read_text())["machine"] == "b"
    assert "about machine b" in (load(file, "a")[1] or "")
    assert [entry.name for entry in file.parent.iterdir()] == ["a.json"]
