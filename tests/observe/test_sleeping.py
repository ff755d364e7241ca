"""What sleeping threads wait for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rooftop.command.process import Limits, run
from rooftop.observe.proc_lines import Wait, parse_syscall
from rooftop.observe.sampler import Sampler
from rooftop.observe.sleeping import IO, LOCK, NETWORK, OTHER, SLEEP, kind_of, kinds_of


@pytest.mark.parametrize(
    ("line", "wait"),
    [
        ("202 0x7f01 0x80 0x2 0x0 0x0 0x0 0x7ffd 0x7f8\n", Wait(202, 0x7F01)),
        ("running\n", None),
        ("-1 0x7ffd 0x7f8\n", None),
        ("", None),
        ("0\n", None),
    ],
)
def test_lines_of_syscall(line: str, wait: Wait | None) -> None:
    assert parse_syscall(line) == wait


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_each_call_has_one_kind(machine: str) -> None:
    kinds = kinds_of(machine)
    assert {LOCK, IO, NETWORK, SLEEP} <= set(kinds.values())
    assert kinds[{"x86_64": 202, "aarch64": 98}[machine]] == LOCK


def test_an_unknown_machine_tells_nothing() -> None:
    assert kinds_of("vax") == {}
    assert kind_of(None) == OTHER


READ_FROM_A_PIPE = """
import os, time
r, w = os.pipe()
if os.fork() == 0:
    time.sleep(0.4)
    os._exit(0)
os.close(w)
os.read(r, 1)
"""
PROGRAMS = {
    SLEEP: "import time; time.sleep(0.4)",
    LOCK: "import threading; threading.Event().wait(0.4)",
    NETWORK: "import select; select.select([], [], [], 0.4)",
    IO: READ_FROM_A_PIPE,
}


@pytest.mark.parametrize("kind", [SLEEP, LOCK, NETWORK, IO])
def test_programs_are_seen_asleep(kind: str) -> None:
    if not Path("/proc/self/syscall").exists():
        pytest.skip("this kernel does not tell system calls")
    sampler = Sampler(interval_s=0.002, sleeps=True)
    assert run([sys.executable, "-c", PROGRAMS[kind]], Limits(60.0), observer=sampler).status == 0
    seen = [one.sleeps for look in sampler.ended().looks for one in look.seen.values() if one.sleeps]
    assert kind in seen
