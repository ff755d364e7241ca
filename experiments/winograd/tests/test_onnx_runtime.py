"""The Python-driven peer: same data as the C++ problem, right results on all terms, and planted errors are caught."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXPERIMENT = Path(__file__).resolve().parent.parent
PEER = EXPERIMENT / "peers" / "onnx_runtime.py"
sys.path.insert(0, str(EXPERIMENT))

from reference import Problem, check, uniform  # noqa: E402

from rooftop.machine.processor import processor  # noqa: E402
from rooftop.machine.system_files import SystemFiles  # noqa: E402

CASES = [json.loads(line) for line in (EXPERIMENT / "tests" / "cases.jsonl").read_text().splitlines()]


def direct(problem: Problem) -> Any:
    patches = (
        (problem.filter[:, :, r, s].astype(np.float64), problem.shifted(slice(None), r, s))
        for r in range(3)
        for s in range(3)
    )
    return sum(np.einsum("kc,ncyx->nkyx", taps, patch) for taps, patch in patches).astype(np.float32)


def test_uniform_lies_in_range_and_depends_on_the_seed() -> None:
    values = uniform(10_000, 5)
    assert values.min() >= -1
    assert values.max() < 1
    assert abs(float(values.mean())) < 0.05
    assert not np.array_equal(values, uniform(10_000, 6))
    assert np.array_equal(values[:100], uniform(100, 5))


@pytest.mark.parametrize("parameters", CASES, ids=str)
def test_planted_errors_are_caught(parameters: dict[str, Any]) -> None:
    problem = Problem.from_parameters(parameters, 1)
    right = direct(problem)
    error, tolerance, wrong = check(problem, right)
    assert wrong == ""
    assert error is not None
    assert error <= tolerance
    one_wrong = right.copy()
    one_wrong.flat[right.size // 2] += 0.1 * np.abs(right).max()
    not_a_number = right.copy()
    not_a_number.flat[-1] = np.nan
    flipped = Problem(problem.image, problem.filter[:, :, ::-1, ::-1], problem.padding, "nchw", "timed")
    for output in (one_wrong, not_a_number, np.zeros_like(right), direct(flipped), right[:, :, :, :-1]):
        assert check(problem, output)[2] != ""


def test_bad_parameters_are_named_with_their_value() -> None:
    with pytest.raises(ValueError, match=r"'k' is 0, expected an integer from 1"):
        Problem.from_parameters({**CASES[0], "k": 0}, 1)


def test_every_case_is_right_or_skipped_with_a_reason() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    requests = [{"op": "case", "case": case, "seed": 3, "threads": 2} for case in CASES]
    follow = [{"op": "calibrate", "min_ns": 1}, {"op": "sample", "iterations": 2}, {"op": "verify"}, {"op": "no"}]
    lines = "\n".join(json.dumps(request) for request in [*requests, requests[0], *follow]) + "\nnot json\n"
    command = [sys.executable, str(PEER), "run", "--module", str(PEER)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=300)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(reply["protocol"] == 1 for reply in replies)
    for case, reply in zip(CASES, replies, strict=False):
        no_terms = (case.get("layout"), case.get("filter")) == ("blocked", "timed")
        # It takes what the processor has: a result on other terms would be a lie.
        not_held = case.get("instructions") == "avx2" and "avx512" in processor(SystemFiles()).isas
        assert reply["outcome"] == ("skipped" if no_terms or not_held else "ok"), (case, reply)
    tail = replies[len(CASES) + 1 :]
    assert [reply["event"] for reply in tail] == ["calibrate", "sample", "verify", "error", "error"]
    assert tail[2]["outcome"] == "ok"


def test_describe_is_one_line() -> None:
    command = [sys.executable, str(PEER), "describe", "--module", str(PEER)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    reply = json.loads(done.stdout)
    assert reply["experiment"] == "winograd"
    assert reply["supported"] or reply["reason"]
