"""Interrupt every command at random moments and count how each ended."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import psutil
import typer

from benchmarks.form import ROOT, machine, page, table
from benchmarks.interrupts.interrupts_commands import COMMANDS, write_problems

MARK = "ROOFTOP_INTERRUPTS_RUN"  # by which processes of a run are found when it has ended
LIMIT_S = 1.0
_HANGS_S = 60.0
_LEFT_S = 3.0  # what a guardian still ends


@dataclass(frozen=True)
class Interrupt:
    """One interrupt and what came of it.

    after_s  from the start to the signal; ended_s, cpu_s  from the signal to the end, wall and processor time
    early    the command had ended before the signal
    """

    command: str
    sent: str
    after_s: float
    ended_s: float
    cpu_s: float
    code: int
    early: bool
    traceback: bool
    left: int
    said: str

    @property
    def outcome(self) -> str:
        """How it ended, in a word or two."""
        if self.early:
            return "ended before"
        if self.code == 130:
            return "130"
        if self.code < 0:  # in the first milliseconds, before the shell or `env` has become Python
            return f"by {signal.Signals(-self.code).name}"
        return f"exit {self.code}"

    @property
    def wrong(self) -> bool:
        """Whether it ended as it must not, its time aside."""
        return self.code == 70 or self.traceback or self.left > 0 or self.ended_s >= _HANGS_S


def _cpu_s(pid: int) -> float:
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)


def _left(mark: str) -> list[psutil.Process]:
    """Return the processes that a run has left, once there was time for its guardian."""
    deadline = time.monotonic() + _LEFT_S
    while True:
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except psutil.Error:
                continue
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


def run(words: list[str], home: Path, number: signal.Signals | None, after_s: float) -> tuple[Interrupt, float]:
    """Start a command and interrupt it; give what came of it, and the seconds that it took in all."""
    mark = f"{os.getpid()}-{threading.get_ident()}-{time.monotonic_ns()}"
    # Campaigns of one machine would refuse each other.
    environment = os.environ | {MARK: mark, "ROOFTOP_HOME": str(home), "ROOFTOP_LOCKS": str(home / "locks")}
    with tempfile.TemporaryFile() as errors:
        began_s = time.monotonic()
        process = subprocess.Popen(
            [str(ROOT / "rooftop"), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=environment,
            cwd=home,
            start_new_session=True,
        )
        early = True
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            early = False
        used_s, sent_s = _cpu_s(process.pid), time.monotonic()
        if not early and number == signal.SIGINT:
            os.killpg(process.pid, number)
        elif not early and number is not None:
            process.send_signal(number)
        try:
            _, status, usage = os.wait4(process.pid, 0) if not early else (0, 0, None)
            if usage is not None:
                process.returncode = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            usage = None
        ended_s = time.monotonic()
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").replace(f"{ROOT}/", "")
    left = _left(mark)
    for one in left:
        one.kill()
    found = Interrupt(
        command="",
        sent=number.name if number is not None else "",
        after_s=sent_s - began_s,
        ended_s=ended_s - sent_s,
        cpu_s=max(0.0, usage.ru_utime + usage.ru_stime - used_s) if usage is not None else 0.0,
        code=process.returncode,
        early=early,
        traceback="Traceback" in said or "Exception ignored" in said,
        left=len(left),
        said=said[-2000:],
    )
    return found, ended_s - began_s


class Campaign:
    """All interrupts: commands take turns, instants are spread over the time that each takes."""

    def __init__(self, names: list[str], seed: int, folder: Path, log: Path | None) -> None:
        """Homes and problems go into the folder."""
        self._random = random.Random(seed)
        self._names = names
        self._folder = folder
        self._log = log
        self._took_s: dict[str, float] = {}
        self._lock = threading.Lock()
        self._homes = threading.local()
        write_problems(folder)

    def _words(self, name: str) -> list[str]:
        return [word.replace("PROBLEMS", str(self._folder)) for word in COMMANDS[name]]

    def _home(self) -> Path:
        if not hasattr(self._homes, "path"):
            self._homes.path = Path(tempfile.mkdtemp(dir=self._folder))
            run(self._words("climb"), self._homes.path, None, _HANGS_S)  # what `report` draws
        home: Path = self._homes.path
        return home

    def one(self, place: int) -> Interrupt:
        """Interrupt the command whose turn it is."""
        name = self._names[place % len(self._names)]
        home = self._home()
        with self._lock:
            part, number = self._random.random(), self._random.choice((signal.SIGINT, signal.SIGTERM))
            took_s = self._took_s.get(name)
        if took_s is None:
            took_s = run(self._words(name), home, None, _HANGS_S)[1]
            with self._lock:
                self._took_s[name] = took_s
        found, whole_s = run(self._words(name), home, number, part * took_s)
        found = Interrupt(**asdict(found) | {"command": name})
        with self._lock:
            if found.early:  # the machine is less busy than it was
                self._took_s[name] = whole_s
            if self._log is not None:
                with self._log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(found)) + "\n")
        return found

    def all(self, count: int, workers: int, seconds: float) -> list[Interrupt]:
        """Interrupt until there are so many, or the time is over."""
        deadline = time.monotonic() + seconds
        found: list[Interrupt] = []
        with ThreadPoolExecutor(workers) as pool:
            running: set[Future[Interrupt]] = set()
            place = 0
            while (len(found) < count and time.monotonic() < deadline) or running:
                while len(running) < workers and len(found) + len(running) < count and time.monotonic() < deadline:
                    running.add(pool.submit(self.one, place))
                    place += 1
                done = {future for future in running if future.done()}
                running -= done
                found += [one for future in done if not (one := future.result()).early]
                time.sleep(0.02)
        return found


def _table(found: list[Interrupt]) -> str:
    outcomes = sorted({one.outcome for one in found}, key=lambda outcome: (outcome != "130", outcome))
    rows = []
    for name in [*sorted({one.command for one in found}), ""]:
        own = [one for one in found if name in ("", one.command)]
        counts = Counter(one.outcome for one in own)
        slowest = max(own, key=lambda one: one.ended_s)
        cells = [f"`{name}`" if name else "all", str(len(own)), *(str(counts[outcome] or "") for outcome in outcomes)]
        cells += [str(sum(one.traceback for one in own) or ""), str(sum(one.left for one in own) or "")]
        cells += [
            f"{slowest.ended_s:.2f}",
            f"{slowest.cpu_s:.2f}",
            str(sum(one.ended_s > LIMIT_S for one in own) or ""),
        ]
        rows.append(cells)
    head = ["command", "interrupts", *outcomes, "tracebacks", "left", "slowest, s", "its processor time, s", "over 1 s"]
    return table(head, rows)


def interrupts_page(found: list[Interrupt], seconds: float) -> str:
    """Return the page: what was done, the table, and what was not as it must be."""
    wrong = [one for one in found if one.wrong]
    slow = [one for one in found if one.ended_s > LIMIT_S]
    busy = sum(one.cpu_s <= LIMIT_S for one in slow)
    parts = [
        f"{len(found)} interrupts in {seconds / 60:.0f} minutes. Each must end within a second with exit code 130, or "
        "with its own where it had come to its end, without a traceback and without leaving a process.",
        _table(found),
        f"Not as it must be: {len(wrong) or 'none'}.",
        "\n".join(
            f"- `{one.command}`, {one.sent} after {one.after_s:.2f} s: {one.outcome}: {one.said[-300:]!r}"
            for one in wrong
        ),
        f"Over a second: {len(slow)}, of which {busy} used less than that of a processor: they waited for one."
        if slow
        else "",
    ]
    on = f"{machine()}, load average {os.getloadavg()[2]:.1f}"
    return page("Interrupts at random moments", "interrupts", *parts, on=on)


def main(
    count: Annotated[int, typer.Option(min=1, help="Number of interrupts.")] = 1000,
    minutes: Annotated[float, typer.Option(help="Time limit.")] = 600.0,
    workers: Annotated[int, typer.Option(min=1, help="Number of commands that run at a time.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of the instants.")] = 1,
    only: Annotated[list[str] | None, typer.Option(help="Only this command; may be repeated.")] = None,
    log: Annotated[Path | None, typer.Option(help="Append a JSON line for each interrupt to this file.")] = None,
    to: Annotated[Path | None, typer.Option("--page", help="Write the page to this file.")] = None,
) -> int:
    """Interrupt commands and print the table. Exit code 1 where an interrupt did not end as it must."""
    if unknown := sorted(set(only or ()) - set(COMMANDS)):
        raise typer.BadParameter(f"--only is {unknown[0]!r}, expected one of {', '.join(sorted(COMMANDS))}")
    # A shell without job control has what it starts in the background ignore SIGINT, and that is inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rooftop-interrupts-") as folder:
        campaign = Campaign(only or list(COMMANDS), seed, Path(folder), log)
        found = campaign.all(count, workers, minutes * 60)
    text = interrupts_page(found, time.monotonic() - began_s) if found else "no interrupts\n"
    sys.stdout.write(text)
    if to is not None:
        to.write_text(text, encoding="utf-8")
    return 1 if any(one.wrong for one in found) else 0
