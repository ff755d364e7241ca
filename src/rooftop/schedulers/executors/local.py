"""Jobs on this machine by psij's local executor: each in a session of its own, and known by more than its number."""

from __future__ import annotations

import sys

import psutil
from psij import Job, JobExecutorConfig, Launcher
from psij.executors.local import LocalJobExecutor
from psij.launchers.single import SingleLauncher

# An interrupt from the keyboard, and the end of a terminal, reach all that is in the terminal's session.
_IN_OWN_SESSION = "import os, sys; os.setsid(); os.execv(sys.argv[1], sys.argv[1:])"
_SAME_S = 2.0  # the time of the boot, from which starts are reckoned, is in whole seconds


class _Launcher(SingleLauncher):
    """See psij's SingleLauncher."""

    def get_launch_command(self, job: Job, log_file: str | None = None) -> list[str]:
        """See psij's Launcher."""
        return [sys.executable, "-I", "-S", "-c", _IN_OWN_SESSION, *super().get_launch_command(job, log_file)]


class Executor(LocalJobExecutor):
    """See psij's LocalJobExecutor."""

    def __init__(self, config: JobExecutorConfig) -> None:
        """See psij's JobExecutor."""
        super().__init__(config=config)
        self._launcher = _Launcher(config)

    def _get_launcher(self, name: str, version_constraint: str | None = None) -> Launcher:
        return self._launcher


def started_at(number: str) -> float | None:
    """Return when a process was started, in seconds since the epoch; None where there is none."""
    try:
        return psutil.Process(int(number)).create_time()
    except psutil.NoSuchProcess:
        return None


def is_still_there(number: str, started_s: float | None) -> bool:
    """Return whether the process of a number is the one that was started then; None: it is not known when."""
    try:
        process = psutil.Process(int(number))
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return started_s is None or abs(process.create_time() - started_s) < _SAME_S
    except psutil.NoSuchProcess:
        return False
