"""What a test has started outside of its own processes ends with it, even where it is killed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

_AT_THE_END = 'cat > /dev/null; exec "$@"'


@contextmanager
def in_any_end(*words: str, user: str | None = None) -> Iterator[None]:
    """Run a command if this process ends without leaving the block: a pipe that nobody holds any more tells of that."""
    shell = ["sh", "-c", _AT_THE_END, "sh", *words]
    with subprocess.Popen(
        shell,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        user=user,
        cwd="/",
        start_new_session=True,
    ) as watching:
        try:
            yield
        finally:
            watching.kill()
