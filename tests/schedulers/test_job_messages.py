"""What a job printed last is told, however much it printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rooftop.driver.error_output import KEPT_BYTES
from rooftop.schedulers.job import new_job


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (b"", ""),
        (b"a\nrooftop: b\n \n", "b"),
        (b"a\n" * KEPT_BYTES + b"the end\n", "the end"),
        (b"\xff" * KEPT_BYTES + b"\nthe end", "the end"),
    ],
)
def test_the_last_line_is_told(tmp_path: Path, printed: bytes, told: str) -> None:
    job = new_job(tmp_path, "local", "compare", [], "compare")
    job.messages.write_bytes(printed)
    assert job.last_message() == told


def test_no_more_than_the_end_is_read(tmp_path: Path) -> None:
    """A file of 1 TiB without contents takes no space, and would take that memory."""
    job = new_job(tmp_path, "local", "compare", [], "compare")
    with job.messages.open("wb") as file:
        file.truncate(1 << 40)
        file.seek(0, 2)
        file.write(b"\nthe end")
    assert job.last_message() == "the end"
