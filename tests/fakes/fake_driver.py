"""A driver in Python that speaks the protocol of decision 0001, and misbehaves when told to.

A rung file of a fake experiment reads ``import fake_driver; fake_driver.main(run_ns=2e6, …)``. Nothing is timed: the
times are drawn from a seeded generator, so tests depend on no clock.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any


def _say(**content: Any) -> None:
    sys.stdout.write(json.dumps({"protocol": 1, **content}) + "\n")
    sys.stdout.flush()


def _misbehave(how: str | None) -> None:
    if how == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "exit":
        sys.stderr.write("boiler pressure lost\n")
        sys.exit(7)
    elif how == "hang":
        time.sleep(600)
    elif how == "garbage":
        sys.stdout.write("Segmentation of the market\n")
        sys.stdout.flush()
    elif how == "array":
        sys.stdout.write("[1, 2]\n")
        sys.stdout.flush()
    elif how == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\n")
        sys.stdout.buffer.flush()
    elif how == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    elif how == "child":  # a grandchild that would outlive its parent
        if os.fork() == 0:
            Path(os.environ["FAKE_CHILD"]).write_text(str(os.getpid()), encoding="ascii")
            time.sleep(600)
        time.sleep(600)


def main(
    run_ns: float = 2e6,
    noise: float = 0.01,
    outcome: str = "ok",
    later: str = "ok",
    reason: str | None = None,
    supported: bool = True,
    misbehave: dict[str, str] | None = None,
    sleep_s: float = 0.0,
    parallel: bool = False,
    events: list[list[list[object]]] | None = None,
    figures: list[dict[str, float | None]] | None = None,
    algorithm: str = "a",
    times: str | None = None,
    device_bytes: float = 0.0,
) -> None:
    """Answer requests; `misbehave` maps an op to what goes wrong there. Where `parallel`, threads share `run_ns`.

    times         a parameter of the case that multiplies `run_ns`
    device_bytes  that a run asks of files
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("mode")
    parser.add_argument("--module")
    arguments = parser.parse_args()
    wrongs = misbehave or {}
    if arguments.mode == "describe":
        _misbehave(wrongs.get("describe"))
        _say(experiment="fake", module="x", isa=None, supported=supported, reason=None if supported else "lacks avx9")
        return
    rng = random.Random(run_ns)
    for line in sys.stdin:
        request = json.loads(line)
        op = request["op"]
        if how := wrongs.get(op):
            _misbehave(how)
            continue
        time.sleep(sleep_s)
        if op == "case" and parallel:
            run_ns /= request["threads"]
        if op == "case" and times is not None:
            run_ns *= request["case"][times]
        once = run_ns * rng.lognormvariate(0, noise)
        if op == "case":
            _say(
                event="case",
                outcome=outcome,
                reason=reason,
                stage=None,
                error=1e-7,
                tolerance=1e-5,
                first_run_ns=once,
                work={
                    "fma_flops": 1e6,
                    "add_flops": 0,
                    "memory_bytes": 1e3,
                    "working_set_bytes": 1e3,
                    "device_bytes": device_bytes,
                    "algorithm": algorithm,
                },
                binding=[[core] for core in range(request["threads"])],
            )
        elif op == "calibrate":
            count = 1
            while count * run_ns < request["min_ns"]:
                count *= 2
            _say(event="calibrate", iterations=count, elapsed_ns=count * once)
        elif op == "sample":
            count = request["iterations"]
            _say(event="sample", iterations=count, elapsed_ns=count * once, ranks_ns=[count * once])
        elif op == "verify":
            facts: list[dict[str, object]] = [{"events": told} for told in events or []]
            facts += [{"figures": told} for told in figures or []]
            error = 1e-7 if later == "ok" else None
            _say(event="verify", outcome=later, error=error, tolerance=1e-5, facts=facts or None)
        else:
            _say(event="error", message=f"unknown op {op}")
