"""The rung that pairs threads, with threads that have no other one and with more of them than cores."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rooftop.settings import Settings

CASES = Path(__file__).with_name("cases.jsonl")


@pytest.mark.parametrize("threads", [1, 3, 4, 2 * (os.cpu_count() or 1) + 1])
def test_lines_are_right_with_any_number_of_threads(threads: int) -> None:
    built = Settings().build_folder / "experiments" / "ft"
    module = built / "rungs" / "55-halved-lines.avx2.so"
    if not (module.is_file() and (built / "driver").is_file()):
        pytest.skip(f"no {module}: it is not built")
    words = [built / "driver", "check", "--module", module, "--cases", CASES, "--threads", str(threads)]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=300)
    if done.returncode == 77:
        pytest.skip(done.stdout + done.stderr)
    lines = (done.stdout + done.stderr).splitlines()
    assert done.returncode == 0, lines
    assert sum(line.startswith("ok ") for line in lines) >= 8
