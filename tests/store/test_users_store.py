"""Tests leave alone what a user's environment names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = ("ROOFTOP_STORE", "PGPASSWORD", "PGHOST", "PGSERVICE", "SLURM_CONF", "SBATCH_PARTITION")


def test_tests_do_not_see_the_store_and_the_servers_of_the_user() -> None:
    program = "import os, sys, conftest\nprint(*[name for name in sys.argv[1:] if name in os.environ])"
    environment = os.environ | dict.fromkeys(NAMES, "theirs") | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    words = [sys.executable, "-c", program, *NAMES]
    ended = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout == "\n"
