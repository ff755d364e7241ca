"""The driver of Python peers: what is timed, reset and judged, and what mistakes are answered."""

from __future__ import annotations

from typing import Any

import pytest

from rooftop.driver.peer import PeerDriver, SkipCaseError, Verdict


class Counting:
    """A case that counts what is done with it."""

    def __init__(self, right: bool = True) -> None:
        """Nothing is done."""
        self.done: list[str] = []
        self.right = right

    def run(self) -> None:
        self.done.append("run")

    def poison(self) -> None:
        self.done.append("poison")

    def work(self) -> dict[str, Any]:
        return {"memory_bytes": 1.0}

    def verdict(self) -> Verdict:
        return Verdict(0.5, 1.0, "" if self.right else "it is wrong", [{"figures": {"runs": len(self.done)}}])


class Anew(Counting):
    """A case that begins each run anew."""

    def reset(self) -> None:
        self.done.append("reset")


def driven(case: Counting) -> PeerDriver:
    driver = PeerDriver(lambda _parameters, _seed, _threads: case)
    reply = driver.answer({"op": "case", "case": {}})
    assert reply["work"] == {"memory_bytes": 1.0}
    return driver


def test_runs_of_a_sample() -> None:
    """One untimed run comes before those that are timed, unless each begins anew."""
    for case, expected in ((Counting(), ["run"] * 4), (Anew(), ["reset", "run"] * 3)):
        driver = driven(case)
        case.done.clear()
        reply = driver.answer({"op": "sample", "iterations": 3})
        assert case.done == expected
        assert reply["ranks_ns"] == [reply["elapsed_ns"]]


def test_a_result_is_poisoned_and_judged() -> None:
    """Before the first run of a case, and of each verification."""
    case = Counting(right=False)
    driver = PeerDriver(lambda _parameters, _seed, _threads: case)
    reply = driver.answer({"op": "case", "case": {}})
    assert case.done == ["poison", "run"]
    assert (reply["outcome"], reply["reason"], reply["error"]) == ("wrong", "it is wrong", 0.5)
    assert reply["facts"] == [{"figures": {"runs": 2}}]
    assert driver.answer({"op": "verify"})["outcome"] == "wrong"
    assert case.done == ["poison", "run"] * 2


def test_calibration_doubles() -> None:
    """Until a sample is long enough."""
    reply = driven(Counting()).answer({"op": "calibrate", "min_ns": 10_000})
    assert reply["elapsed_ns"] >= 10_000
    assert reply["iterations"] & (reply["iterations"] - 1) == 0


def test_what_cannot_be_done_is_told() -> None:
    """No case yet, one that is skipped, one that fails, and an unknown request."""

    def make(parameters: dict[str, Any], _seed: int, _threads: int) -> Counting:
        if parameters.get("skip"):
            raise SkipCaseError("not for this peer")
        return Counting() if parameters["n"] > 0 else Counting(right=bool(1 // parameters["n"]))

    driver = PeerDriver(make)
    assert "before a case was set up" in driver.answer({"op": "sample", "iterations": 1})["message"]
    skipped = driver.answer({"op": "case", "case": {"skip": True}})
    assert (skipped["outcome"], skipped["reason"]) == ("skipped", "not for this peer")
    failed = driver.answer({"op": "case", "case": {"n": 0}})
    assert (failed["outcome"], failed["stage"]) == ("failed", "set_up")
    assert driver.answer({"op": "verify"})["event"] == "error"
    assert driver.answer({"op": "case", "case": {"n": 1}})["outcome"] == "ok"
    assert driver.answer({"op": "other"})["event"] == "error"


def test_verdict_without_facts() -> None:
    """Nothing is said of facts where there are none."""
    assert Verdict(None, None).reply() == {"outcome": "ok", "reason": None, "error": None, "tolerance": None}
    with pytest.raises(AttributeError):
        Verdict(None, None).wrong = "x"  # type: ignore[misc]


def test_what_storage_gave_is_told_of_runs_that_begin_anew() -> None:
    for case, names in ((Counting(), {"runs"}), (Anew(), {"runs", "storage_read_bytes"})):
        reply = driven(case).answer({"op": "verify"})
        figures = reply["facts"][0]["figures"]
        assert set(figures) == names
        assert figures.get("storage_read_bytes", 0) >= 0
