"""The probe of messages between ranks: when it runs, by what it is started, and what its figures are told apart by."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rooftop.launchers import of_this_tree
from rooftop.machine import cores_now
from rooftop.probe import machine
from rooftop.probe.launch import Started, find_probes, run_probe
from rooftop.probe.measure import RANKS_FOLDER, Question, of_ranks
from rooftop.settings import Settings

MakeProbe = Callable[[str, str], Path]
PROBES = find_probes(Settings().build_folder / "probes" / RANKS_FOLDER)
built = pytest.mark.skipif(not PROBES, reason="no MPI library to build it with")


def question(place: Path) -> Question:
    """Return what the other probes are run for."""
    return Question(place / "build" / "probes", "key", True, 2)


def test_without_it_one_line_says_what_is_lacking(place: Path, make_probe: MakeProbe, good: str) -> None:
    make_probe("fma_peak", good)
    assert "message: its probe needs an MPI library and was not built: see 'rooftop doctor'" in machine(True).missing


def test_one_core_is_not_enough(place: Path, make_probe: MakeProbe, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "build" / "probes" / RANKS_FOLDER).mkdir()
    make_probe(f"{RANKS_FOLDER}/messages", "")
    monkeypatch.setattr("rooftop.launchers.team.usable_cores", lambda: 1)
    monkeypatch.setattr(type(of_this_tree()), "missing", lambda self: None)
    assert of_ranks(question(place)) == "message: its probe needs two cores, and only one is usable"


def test_it_is_started_on_two_bound_ranks(place: Path, make_probe: MakeProbe, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "build" / "probes" / RANKS_FOLDER).mkdir()
    make_probe(f"{RANKS_FOLDER}/messages", "")
    monkeypatch.setattr("rooftop.launchers.team.usable_cores", lambda: 2)
    monkeypatch.setattr(type(of_this_tree()), "missing", lambda self: None)
    asked = of_ranks(question(place))
    assert isinstance(asked, Question)
    assert asked.by is not None
    assert asked.by.words[0] == of_this_tree().program
    assert "2" in asked.by.words
    assert "core" in asked.by.words[-1]
    assert asked.threads == 2


def test_words_and_variables_reach_a_probe(make_probe: MakeProbe, good: str, place: Path) -> None:
    probe = make_probe("fma_peak", good.replace('" ".join(sys.argv[1:])', '__import__("os").environ["SEEN"]'))
    (roof,) = run_probe(probe, [], 20, Started(("env", "SEEN=yes"), {"OTHER": "1"})).roofs
    assert roof.detail["options"] == "yes"


@built
@pytest.mark.skipif(cores_now() < 2, reason="one core")
def test_messages_are_told_by_size() -> None:
    asked = of_ranks(Question(Settings().build_folder / "probes", "key", True, 2))
    assert isinstance(asked, Question)
    figures = run_probe(PROBES[0], ["--quick", "--threads", "2"], 120, asked.by)
    assert figures.missing == []
    for metric in ("message", "message_exchange"):
        sizes = [roof.detail["message_bytes"] for roof in figures.roofs if roof.metric == metric]
        assert sizes == sorted(set(sizes))
        assert sizes[0] < 100 < sizes[-1]
    assert {"message_gap", "message_overhead"} <= {roof.metric for roof in figures.roofs}


@built
def test_one_rank_is_a_skip_and_a_wrong_option_misuse() -> None:
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    assert run_probe(PROBES[0], [], 60, Started((), environment)).missing == [
        "messages: message needs two ranks, and there are 1"
    ]
    done = subprocess.run([PROBES[0], "--thread", "1"], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
