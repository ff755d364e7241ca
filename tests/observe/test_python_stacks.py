"""Which commands are Python's, and the stacks of one where there is py-spy."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rooftop.command.process import Finished, Limits, run
from rooftop.observe import python_stacks
from rooftop.observe.python_stacks import NoPythonStacks, interpreted

DONE = Finished(elapsed_ns=1, user_s=0.0, system_s=0.0, max_rss_bytes=1, status=0, errors=b"no such thing\n")


def test_interpreters_and_their_scripts(tmp_path: Path) -> None:
    script = tmp_path / "script"
    for first, expected in (
        ("#!/usr/bin/env python3", True),
        ("#!/usr/bin/python3.11 -I", True),
        ("#!/bin/sh", False),
        ("python3", False),
        ("", False),
    ):
        script.write_text(f"{first}\n")
        script.chmod(0o755)
        assert interpreted([str(script)]) is expected
    assert interpreted([sys.executable, "-c", "pass"])
    assert not interpreted(["sh", "-c", "python3"])
    assert not interpreted([str(tmp_path / "nothing")])


def test_without_py_spy_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_stacks, "_py_spy", lambda: None)
    with pytest.raises(NoPythonStacks, match="py-spy is not installed"):
        python_stacks.python_stacks(["python3"], lambda words: DONE)


def test_what_py_spy_writes_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_stacks, "_py_spy", lambda: "py-spy")

    def writes(words: object) -> Finished:
        assert isinstance(words, tuple)
        Path(words[words.index("--output") + 1]).write_text("main (a.py:1);work (a.py:3) 7\n")
        assert words[words.index("--") + 1 :] == ("python3", "a.py")
        return DONE

    stacks, _ = python_stacks.python_stacks(["python3", "a.py"], writes)
    assert stacks == {("main (a.py:1)", "work (a.py:3)"): 7}
    with pytest.raises(NoPythonStacks, match="py-spy failed: no such thing"):
        python_stacks.python_stacks(["python3", "a.py"], lambda words: DONE)


def test_a_real_program() -> None:
    program = "def work():\n return sum(i * i for i in range(9_000_000))\nwork()"
    try:
        stacks, _ = python_stacks.python_stacks([sys.executable, "-c", program], lambda words: run(words, Limits(60.0)))
    except NoPythonStacks as reason:
        pytest.skip(str(reason))
    assert any(name.startswith("work ") for stack in stacks for name in stack)
