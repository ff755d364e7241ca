"""The Python-driven peers: U0 as the C++ has it, right results verified, and planted errors caught."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXPERIMENT = Path(__file__).resolve().parent.parent
PEERS = sorted(file for file in (EXPERIMENT / "peers").glob("*.py"))
PACKAGES = ("ducc0", "mkl", "scipy")
sys.path.insert(0, str(EXPERIMENT))

import python_driver  # noqa: E402
from numpy_reference import Complexes, Problem, Reference, draw_initial, published_checksums  # noqa: E402

from rooftop.driver.peer import PeerDriver  # noqa: E402

CASES = [json.loads(line) for line in (EXPERIMENT / "tests" / "cases.jsonl").read_text().splitlines()]
DIFFUSION = {"nx": 16, "ny": 8, "nz": 32, "iterations": 3}
TRANSFORM = {"nx": 12, "ny": 5, "nz": 7, "iterations": 0}


def transform(values: Complexes, forward: bool, _threads: int = 1) -> Complexes:
    return np.fft.fftn(values) if forward else np.fft.ifftn(values, norm="forward")


def answer(case: dict[str, Any], with_transform: Callable[..., Complexes]) -> dict[str, Any]:
    driver = PeerDriver(python_driver.maker(with_transform))
    return driver.answer({"op": "case", "case": case, "threads": 2})


def ask(peer: Path, words: list[str], requests: list[Any]) -> list[dict[str, Any]]:
    lines = "\n".join(request if isinstance(request, str) else json.dumps(request) for request in requests) + "\n"
    command = [sys.executable, str(peer), *words, "--module", str(peer)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=300)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(reply["protocol"] == 1 for reply in replies)
    return replies


def test_initial_values_are_drawn_one_after_the_other_wherever_they_begin() -> None:
    x, drawn = 314159265, []
    for _ in range(2 * 70_000):
        x = x * 5**13 % 2**46
        drawn.append(x / 2**46)
    expected = np.array(drawn).view(np.complex128)
    for first, count in ((0, 70_000), (7, 3), (40_000, 30_000)):
        values = np.empty(count, np.complex128)
        draw_initial(first, values)
        assert np.array_equal(values, expected[first : first + count])


def test_published_checksums_are_those_of_the_class() -> None:
    assert published_checksums(Problem(64, 64, 64, 6))[0] == 554.6087004964 + 484.5363331978j
    assert published_checksums(Problem(512, 256, 256, 20))[19] == 512.4146770029 + 511.5744692211j
    assert published_checksums(Problem(64, 64, 64, 5)) == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_right_result_passes(case: dict[str, Any]) -> None:
    reply = answer(case, transform)
    assert (reply["outcome"], reply["reason"]) == ("ok", None)
    assert reply["error"] <= reply["tolerance"]


@pytest.mark.parametrize("case", [DIFFUSION, TRANSFORM], ids=str)
def test_planted_errors_are_caught(case: dict[str, Any]) -> None:
    problem = Problem.from_parameters(case)
    benchmark = python_driver.Benchmark(problem, 1, transform)
    reference = Reference(problem)
    benchmark.poison()
    untouched = reference.check(benchmark.field, benchmark.checksums)
    assert untouched[1] != ""
    benchmark.run()
    right, checksums = benchmark.field.copy(), benchmark.checksums.copy()
    assert reference.check(right, checksums)[1] == ""
    # 1e-7 of a value at a time, whether it is sampled or not.
    for place in range(problem.size):
        one_wrong = right.copy()
        one_wrong.flat[place] += 1e-7 * np.abs(right).max()
        assert reference.check(one_wrong, checksums)[1] != "", place
    for t in range(problem.iterations):
        one_sum = checksums.copy()
        one_sum[t] *= 1 + 1e-10
        assert reference.check(right, one_sum)[1] != "", t
    not_a_number = right.copy()
    not_a_number.flat[-1] = np.nan
    single = right.astype(np.complex64).astype(np.complex128)
    for field in (not_a_number, single, right.conj(), right[::-1], right / problem.size, np.zeros_like(right)):
        assert reference.check(np.ascontiguousarray(field), checksums)[1] != ""


def test_wrong_transforms_are_told() -> None:
    wrong: list[Callable[..., Complexes]] = [
        lambda values, _forward, _threads: values,
        lambda values, forward, _threads: transform(values, forward) / np.sqrt(values.size),
        lambda values, forward, _threads: transform(values.astype(np.complex64), forward).astype(np.complex128),
    ]
    for planted in wrong:
        for case in (DIFFUSION, TRANSFORM, CASES[0]):
            assert answer(case, planted)["outcome"] == "wrong", case
    # Diffusion is the same with both directions exchanged, the transform alone is not.
    assert answer(TRANSFORM, lambda values, forward, _threads: transform(values, not forward))["outcome"] == "wrong"
    assert answer(DIFFUSION, lambda values, _forward, _threads: transform(values, True))["outcome"] == "wrong"


def test_bad_parameters_are_named_with_their_value() -> None:
    for name, value in (("nx", 0), ("iterations", -1), ("ny", 2.0), ("nz", True)):
        with pytest.raises(ValueError, match=rf"'{name}' is {value}, expected a whole number from"):
            Problem.from_parameters({**DIFFUSION, name: value})
    reply = answer({**DIFFUSION, "nx": 0}, transform)
    assert (reply["outcome"], reply["stage"]) == ("failed", "set_up")


@pytest.mark.parametrize("peer", PEERS, ids=lambda file: file.stem)
def test_a_peer_is_right_on_every_case(peer: Path) -> None:
    (described,) = ask(peer, ["describe"], [])
    if not described["supported"]:
        pytest.skip(described["reason"])
    requests = [{"op": "case", "case": case, "threads": threads} for case in CASES for threads in (1, 2)]
    for reply in ask(peer, ["run"], requests):
        assert (reply["outcome"], reply["reason"]) == ("ok", None)
    # The transform alone is timed in place, and judged afresh.
    follow = [{"op": "calibrate", "min_ns": 1}, {"op": "sample", "iterations": 2}, {"op": "verify"}, {"op": "no"}]
    for case in (DIFFUSION, TRANSFORM):
        replies = ask(peer, ["run"], [{"op": "case", "case": case, "threads": 2}, *follow, "not json"])
        assert [reply["event"] for reply in replies] == ["case", "calibrate", "sample", "verify", "error", "error"]
        assert replies[3]["outcome"] == "ok"


@pytest.mark.parametrize("peer", PEERS, ids=lambda file: file.stem)
def test_a_peer_without_its_package_is_skipped_with_the_reason(peer: Path, tmp_path: Path) -> None:
    without = tmp_path / "without.py"
    without.write_text(
        f"import runpy, sys; sys.modules.update(dict.fromkeys({PACKAGES}))\n"
        "del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')",
        encoding="utf-8",
    )
    asked = json.dumps({"op": "case", "case": TRANSFORM})
    for word, key, expected in (("describe", "supported", False), ("run", "outcome", "skipped")):
        command = [sys.executable, str(without), str(peer), word]
        done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True, timeout=60)
        reply = json.loads(done.stdout)
        assert reply[key] == expected
        assert "is not installed (pip install" in reply["reason"]


@pytest.mark.parametrize("peer", PEERS, ids=lambda file: file.stem)
def test_describe_is_one_line(peer: Path) -> None:
    (reply,) = ask(peer, ["describe"], [])
    assert (reply["experiment"], reply["module"]) == ("ft", peer.stem)
    assert reply["supported"] or reply["reason"]
