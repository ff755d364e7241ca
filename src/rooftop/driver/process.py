"""Runs drivers as processes of their own and speaks the protocol of decision 0001 to them.

A driver that crashes, hangs, prints garbage or an endless line fails alone: its whole process group is killed, and what
it last said on standard error goes into the message.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import psutil
from pydantic import ValidationError

from rooftop.driver.error_output import ending, it_said, last_words, said_last
from rooftop.driver.executor import DriverFailed
from rooftop.driver.memory import available_bytes
from rooftop.driver.protocol import CalibrateReply, CaseReply, Description, Reply, SampleReply, VerifyReply
from rooftop.ladder.discovery import Module
from rooftop.launchers import of_this_tree
from rooftop.launchers.launcher import Launcher
from rooftop.launchers.nodes import on_this_node
from rooftop.launchers.team import Team

LONGEST_LINE = 1 << 20
_DESCRIBE_LIMIT_S = 30.0
_LEAVE_LIMIT_S = 1.0

R = TypeVar("R", bound=Reply)


def openmp_settings(threads: int) -> dict[str, str]:
    """Return a driver's variables: `threads` bound threads, and none that spins while other drivers are sampled.

    The waiting policies let a thread spin for a fraction of a millisecond, which bridges the gaps between the parallel
    regions of one run, and then sleep.
    """
    return {
        "OMP_NUM_THREADS": str(threads),
        "OMP_DYNAMIC": "false",
        "OMP_PROC_BIND": "close",
        "OMP_PLACES": "cores",
        "OMP_WAIT_POLICY": "passive",
        "GOMP_SPINCOUNT": "2000",  # about 0.15 ms; libgomp lets it override the policy
        "KMP_BLOCKTIME": "1",  # ms, the least that every libomp understands
        "OPENBLAS_NUM_THREADS": str(threads),
        "OPENBLAS_THREAD_TIMEOUT": "18",  # 2^18 ticks, about 0.1 ms; its own 26 are longer than many a sample
        "MKL_NUM_THREADS": str(threads),
        "MKL_DYNAMIC": "false",
    }


def driver_environment(threads: int) -> dict[str, str]:
    """Return the environment of a driver of so many threads."""
    return os.environ | openmp_settings(threads)


def _launched(
    module: Module, team: Team, more: Mapping[str, str], launcher: Launcher | None
) -> tuple[list[str], dict[str, str]]:
    """Return the words and the environment that start a driver; `more`: variables of its own.

    Raises DriverFailed where nothing starts ranks here.
    """
    words, environment = module.words("run"), driver_environment(team.threads) | dict(more)
    if not module.ranked:
        return words, environment
    launcher = launcher or of_this_tree()
    if (reason := launcher.missing()) is not None:
        raise DriverFailed("launch", reason)
    # Bound as threads are: each rank to cores of its own, as long as there are enough.
    launch = launcher.started(words, openmp_settings(team.threads) | dict(more), on_this_node(team), "close")
    return list(launch.words), environment | dict(launch.environment)


def guarded() -> list[str]:
    """Return the words before a command that end it if the bench itself is killed; none where there is no setpriv."""
    found = shutil.which("setpriv")
    return [] if found is None else [found, "--pdeathsig", "KILL"]


class ProcessDriver:
    """A driver process, alive until closed; for an MPI program its launcher, which ends its ranks with itself."""

    def __init__(
        self,
        module: Module,
        team: Team,
        variables: Mapping[str, str] | None = None,
        launcher: Launcher | None = None,
    ) -> None:
        """Start it. Raises DriverFailed.

        variables  of its environment, beside those that every driver has
        launcher   of the MPI library that it is built with; None: of this tree's
        """
        words, environment = _launched(module, team, variables or {}, launcher)
        self._team = team
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the driver
        self._buffer = b""
        self._stage = "launch"
        self._leaving: threading.Thread | None = None
        # Should the bench itself be killed, its drivers must not stay behind and disturb the next campaign.
        try:
            self._process = subprocess.Popen(
                [*guarded(), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=environment,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._stderr.close()
            raise DriverFailed("launch", f"{words[0]} cannot be started: {error}") from error
        # When memory runs out the kernel should end a driver, never the bench.
        with contextlib.suppress(OSError):
            Path(f"/proc/{self._process.pid}/oom_score_adj").write_text("1000", encoding="ascii")

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """See Driver. Of ranks, each has the team's threads."""
        request = {"op": "case", "case": parameters, "seed": seed, "threads": self._team.threads}
        return self._ask("case", request, CaseReply, limit_s)

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """See Driver."""
        return self._ask("calibrate", {"op": "calibrate", "min_ns": min_ns}, CalibrateReply, limit_s)

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """See Driver."""
        reply = self._ask("sample", {"op": "sample", "iterations": iterations}, SampleReply, limit_s)
        if reply.iterations != iterations:
            raise self._fail(f"timed {reply.iterations} iterations, expected {iterations}")
        return reply

    def verify(self, limit_s: float) -> VerifyReply:
        """See Driver."""
        return self._ask("verify", {"op": "verify"}, VerifyReply, limit_s)

    def peak_bytes(self) -> int:
        """See Driver. The driver's process, or the sum of its ranks'."""
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self._process.pid)
            return sum(peak_bytes(Path(f"/proc/{one.pid}")) for one in (process, *process.children(recursive=True)))
        return 0

    def leave(self) -> None:
        """See Driver."""
        if self._leaving is None:
            self._leaving = threading.Thread(target=self._end, name="leaving driver")
            self._leaving.start()

    def close(self) -> None:
        """See Driver. A driver leaves by itself at end of file; one that does not is killed with its group."""
        self.leave()
        assert self._leaving is not None
        self._leaving.join()

    def _end(self) -> None:
        if self._stderr.closed:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE_LIMIT_S)
        self._kill()
        self._stderr.close()

    def _kill(self) -> None:
        if self._team.processes > 1 and self._process.poll() is None:
            # Ranks are in groups of their own: the launcher ends them when it is asked to end.
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_LEAVE_LIMIT_S)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _fail(self, message: str, *, silent: bool = False) -> DriverFailed:
        """Kill the driver and make the error that tells what happened."""
        if not self._stderr.closed:
            self._kill()
            message += it_said(said_last(self._stderr))
            self.close()
        return DriverFailed(self._stage, message, silent=silent)

    def _ask(self, stage: str, request: dict[str, Any], kind: type[R], limit_s: float) -> R:
        self._stage = stage
        if self._stderr.closed:
            raise self._fail("the driver has already ended")
        assert self._process.stdin is not None
        deadline = time.monotonic() + limit_s
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise self._fail(self._ended()) from error
        line = self._read_line(deadline, limit_s)
        try:
            content = json.loads(line)
            if isinstance(content, dict) and content.get("event") == "error":
                raise self._fail(f"the driver refused the request: {content.get('message')}")
            return kind.model_validate(content)
        except (ValueError, RecursionError, ValidationError) as error:
            shown = line[:80].decode("utf-8", "replace")
            raise self._fail(f"replied {shown!r}, expected a {stage} reply of protocol 1") from error

    def _ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE_LIMIT_S)
        return f"the driver {ending(self._process.poll())}"

    def _read_line(self, deadline: float, limit_s: float) -> bytes:
        assert self._process.stdout is not None
        file = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            if len(self._buffer) > LONGEST_LINE:
                raise self._fail(f"printed a line of more than {LONGEST_LINE} bytes")
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([file], [], [], left)[0]:
                raise self._fail(f"no answer within {limit_s:.3g} s", silent=True)
            chunk = os.read(file, 1 << 16)
            if not chunk:
                raise self._fail(self._ended())
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line


def _kilobytes(file: Path, *names: str) -> list[int]:
    """Return these lines of a file of the kernel's, in bytes; empty where it does not tell all of them."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = (line.split() for line in file.read_text(encoding="ascii", errors="replace").splitlines())
        told = {words[0]: int(words[1]) * 1024 for words in lines if words and words[0] in names}
        return [told[name] for name in names if name in told] if len(told) == len(names) else []
    return []


def peak_bytes(process: Path) -> int:
    """Return the most that a process held, from its folder in /proc: what it shares with others in equal parts.

    The kernel remembers the highest of the resident memory alone, which has all of what is shared: that much less as
    the one exceeds the other now.
    """
    highest = _kilobytes(process / "status", "VmHWM:")
    now = _kilobytes(process / "smaps_rollup", "Rss:", "Pss:")
    if not highest:
        return 0
    return highest[0] - max(now[0] - now[1], 0) if now else highest[0]


def describe(module: Module) -> Description:
    """Ask whether this processor can run a module. Raises DriverFailed."""
    try:
        done = subprocess.run(
            module.words("describe"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_DESCRIBE_LIMIT_S,
            env=driver_environment(1),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DriverFailed("describe", f"no answer within {_DESCRIBE_LIMIT_S:.3g} s", silent=True) from error
    except OSError as error:
        raise DriverFailed("describe", f"{module.command[0]} cannot be started: {error}") from error
    line = done.stdout[:LONGEST_LINE].split(b"\n", 1)[0]
    try:
        return Description.model_validate(json.loads(line))
    except (ValueError, RecursionError) as error:
        shown = line[:80].decode("utf-8", "replace")
        raise DriverFailed(
            "describe",
            f"replied {shown!r}, expected a description of protocol 1; the driver {ending(done.returncode)}"
            + it_said(last_words(done.stderr)),
        ) from error


class ProcessExecutor:
    """Runs real drivers on this machine; `launcher`: see ProcessDriver."""

    def __init__(self, launcher: Launcher | None = None) -> None:
        self._launcher = launcher

    def describe(self, module: Module) -> Description:
        """See Executor."""
        return describe(module)

    def start(self, module: Module, team: Team) -> ProcessDriver:
        """See Executor."""
        return ProcessDriver(module, team, launcher=self._launcher)

    def now_s(self) -> float:
        """See Executor."""
        return time.monotonic()

    def available_bytes(self) -> int:
        """See Executor."""
        return available_bytes()
