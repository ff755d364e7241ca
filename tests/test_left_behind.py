"""Daemons of tests end with the tests that have started them, also with those that are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from job_stores import until
from left_behind import in_any_end

KILLED = """
import os, signal, sys
from left_behind import in_any_end
with in_any_end("touch", sys.argv[1]):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_is_said_runs_where_a_process_is_killed(tmp_path: Path) -> None:
    program = f"import sys; sys.path[:0] = {sys.path!r}\n{KILLED}"
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path / "ended")], check=False)
    assert ended.returncode == -signal.SIGKILL
    until((tmp_path / "ended").exists)


def test_it_does_not_where_a_block_is_left(tmp_path: Path) -> None:
    with in_any_end("touch", str(tmp_path / "ended")):
        pass
    assert not (tmp_path / "ended").exists()
