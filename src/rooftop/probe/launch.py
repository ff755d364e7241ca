"""Run one probe executable. Whatever it does, the result is figures, and lines for ``Machine.missing``."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.driver.error_output import it_said, last_words
from rooftop.probe.lines import Figures, parse_output
from rooftop.settings import COMPILED

_MOST_BYTES = 4 << 20  # a probe prints a few hundred short lines


def find_probes(folder: Path) -> list[Path]:
    """Return the executables in a folder, sorted by name."""
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.is_file() and os.access(file, os.X_OK))


def probes_folder(build_folder: Path, name: str) -> Path:
    """Return a folder of probes: that of the build, or where none of them was built there, that of the package."""
    folder, packaged = build_folder / name, COMPILED / name
    return packaged if find_probes(packaged) and not find_probes(folder) else folder


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _exchange(process: subprocess.Popen[bytes], limit_s: float) -> tuple[bytes, bytes, str | None]:
    """Read both streams until they end. The third value is an error: the time limit passed, or too much was printed."""
    deadline = time.monotonic() + limit_s
    assert process.stdout is not None
    assert process.stderr is not None
    taken = {process.stdout.fileno(): b"", process.stderr.fileno(): b""}
    out, err = list(taken)
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return taken[out], taken[err], f"was still running after {limit_s:g} s"
            for key, _ in selector.select(left_s):
                chunk = os.read(key.fd, 1 << 16)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif len(taken[key.fd]) + len(chunk) > _MOST_BYTES:
                    return taken[out], taken[err], f"printed more than {_MOST_BYTES >> 20} MiB"
                else:
                    taken[key.fd] += chunk
    try:
        process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return taken[out], taken[err], f"was still running after {limit_s:g} s"
    return taken[out], taken[err], None


def _end(code: int) -> str | None:
    if code == 0:
        return None
    if code > 0:
        return f"exited with code {code}"
    with contextlib.suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"


@dataclass(frozen=True)
class Started:
    """How a probe is started: words before its own, such as a launcher's, and additional environment variables."""

    words: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


def run_probe(executable: Path, options: Sequence[str], limit_s: float, by: Started | None = None) -> Figures:
    """Run a probe for at most ``limit_s`` seconds and parse its output; figures printed before a failure are kept."""
    name, by = executable.name, by or Started()
    environment = {**os.environ, **by.environment, "LC_ALL": "C"}
    try:
        process = subprocess.Popen(
            [*by.words, str(executable), *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        return Figures(missing=[f"{name}: cannot be started: {error.strerror or error}"], failed=True)
    with process:
        try:
            output, said, wrong = _exchange(process, limit_s)
        finally:
            _kill(process)
    figures = parse_output(name, output.decode("utf-8", errors="replace"))
    wrong = wrong or _end(process.returncode)
    if wrong is not None:
        figures.failed = True
        figures.missing.append(f"{name}: {wrong}" + it_said(last_words(said)))
    elif not figures.roofs and not figures.missing:
        figures.failed = True
        figures.missing.append(f"{name}: printed nothing")
    return figures
