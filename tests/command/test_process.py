"""Commands are run to their end, and nothing of them stays."""

from __future__ import annotations

import operator
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from running import runs

from rooftop.command import process
from rooftop.command.driver import CommandDriver, Held, Terms
from rooftop.command.line import from_text
from rooftop.command.measured import Measured
from rooftop.command.process import Limits, run
from rooftop.command.spec import Spec

QUICK = Limits(timeout_s=20.0)


def python(source: str) -> list[str]:
    return [sys.executable, "-c", source]


def test_exit_code_signal_and_last_words() -> None:
    assert run(["true"], QUICK).status == 0
    left = run(python("import sys; sys.stderr.write('no\\nfile'); sys.exit(3)"), QUICK)
    assert (left.status, left.said) == (3, "no file")
    assert run(python("import os; os.kill(os.getpid(), 11)"), QUICK).status == -11


def test_figures() -> None:
    own_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    most_mb = max(600, own_mb + 200)  # more than this process ever had, whose peak Linux tells otherwise
    done = run(python(f"x = bytearray({most_mb} << 20); sum(range(10**6))"), QUICK)
    assert done.elapsed_ns > 0
    assert done.user_s > 0
    assert done.max_rss_bytes is not None
    assert most_mb << 20 < done.max_rss_bytes < (most_mb + 100) << 20
    assert run(["true"], QUICK).max_rss_bytes is None  # Linux tells the bench's own peak here


SPIN = f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.2: pass'"
BIG = f"{sys.executable} -c 'x = bytearray(600 << 20)'"


@pytest.mark.case("commands.G7")
@pytest.mark.parametrize("text", ["( ({spin}; : > {done}) & )", "{spin}; : > {done}"])
def test_work_that_is_not_waited_for_is_counted(text: str, tmp_path: Path) -> None:
    text = f"{text}\nwhile [ ! -e {{done}} ]; do sleep 0.01; done"
    done = run(["sh", "-c", text.format(spin=SPIN, done=tmp_path / "done")], QUICK)
    assert done.user_s + done.system_s >= 0.2
    orphans_s = done.orphans.user_s + done.orphans.system_s  # how they are told apart is up to the kernel's ticks
    assert (orphans_s >= 0.05) == ("&" in text)


@pytest.mark.case("commands.G7.killed")
def test_work_that_is_cut_off_is_counted_until_then(tmp_path: Path) -> None:
    text = f"({SPIN}; : > {tmp_path}/done; sleep 60) & while [ ! -e {tmp_path}/done ]; do sleep 0.01; done"
    done = run(["sh", "-c", text], QUICK)
    assert done.left != ()
    assert done.user_s + done.system_s >= 0.2


@pytest.mark.case("commands.G7.maxrss")
@pytest.mark.parametrize(
    "text",
    [
        "( ({big}; : > {done}) & ); while [ ! -e {done} ]; do sleep 0.01; done",
        "{big} & {big}; wait",  # it is the peak of the largest process, not of all together
    ],
)
def test_memory_is_that_of_the_largest_process_waited_for_or_not(text: str, tmp_path: Path) -> None:
    terms = Terms(measured=Measured("maxrss"))
    spec = Spec(from_text(text.format(big=BIG, done=tmp_path / "done")))
    figures = CommandDriver(spec, terms, Held(spec, terms)).sample(1, 30.0).figures or {}
    assert 600 << 20 < figures["maxrss"] < 700 << 20


def test_a_command_runs_in_its_folder(tmp_path: Path) -> None:
    program = tmp_path / "here"
    program.write_text("#!/bin/sh\npwd\n", encoding="utf-8")
    program.chmod(0o755)
    done = run(["./here"], QUICK, capture="first", folder=tmp_path)
    assert done.output.decode().strip() == str(tmp_path)
    with pytest.raises(OSError, match="nowhere"):
        run(["./here"], QUICK, folder=tmp_path / "nowhere")


def test_output_is_kept_as_far_as_asked() -> None:
    assert run(["echo", "hello"], QUICK).output == b""
    assert run(["echo", "hello"], QUICK, capture="first").output == b"hello\n"
    kept = run(
        python("import sys; sys.stdout.write('x' * 3_000_000)"), Limits(20.0, output_bytes=1000), capture="first"
    )
    assert (len(kept.output), kept.truncated, kept.status) == (1000, True, 0)


def test_megabytes_on_standard_error_do_not_block() -> None:
    done = run(python("import sys; sys.stderr.write('e' * 3_000_000 + 'end')"), QUICK)
    assert done.status == 0
    assert done.said.endswith("end")
    assert len(done.said) <= 300


def test_a_command_that_ignores_the_wish_to_leave_is_killed() -> None:
    done = run(["sh", "-c", "trap '' TERM; sleep 600"], Limits(timeout_s=2.0))
    assert (done.timed_out, done.status) == (True, -9)


def test_a_command_that_leaves_when_asked_is_not_killed() -> None:
    done = run(["sleep", "600"], Limits(timeout_s=0.2))
    assert (done.timed_out, done.status) == (True, -15)


@pytest.mark.parametrize("leave_session", ["", "os.setsid();"])
def test_children_left_behind_are_ended(leave_session: str, tmp_path: Path) -> None:
    # The child outlives its parent, holds its pipes, and may have left its session.
    file = tmp_path / "pid"
    source = f"""
import os, time
if os.fork() == 0:
    {leave_session}
    open({str(file)!r}, "w").write(str(os.getpid()))
    time.sleep(600)
while not os.path.exists({str(file)!r}) or not open({str(file)!r}).read():
    time.sleep(0.01)
print("done")
"""
    done = run(python(source), QUICK, capture="first")
    assert (done.status, done.output) == (0, b"done\n")
    assert not psutil.pid_exists(int(file.read_text(encoding="ascii")))


def test_memory_is_limited() -> None:
    source = "x = bytearray(400 << 20)"
    assert run(python(source), QUICK).status == 0
    assert run(python(source), Limits(20.0, memory_bytes=200 << 20)).status != 0


def test_a_limit_of_memory_is_there_when_the_command_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.command.process._limit", lambda *_: None)  # what a busy machine makes late
    finished = run(["sh", "-c", "ulimit -d"], Limits(20.0, memory_bytes=200 << 20), capture="first")
    assert finished.output == b"204800\n"


def test_what_cannot_be_started() -> None:
    with pytest.raises(FileNotFoundError):
        run(["/nowhere/program"], QUICK)


def test_an_interrupt_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int | None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rooftop.command.process._wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(["sleep", "600"], QUICK)
    assert [child for child in psutil.Process().children(recursive=True) if child.name() == "sleep"] == []


@pytest.mark.parametrize("step", ["subprocess.Popen", "os.pidfd_open"])
def test_an_interrupt_while_a_command_begins_leaves_no_process_behind(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: Callable[..., object] = operator.attrgetter(step)(process)

    def interrupted(*words: object, **more: object) -> object:
        begun(*words, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(f"rooftop.command.process.{step}", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(["sleep", "600"], QUICK)
    assert [child for child in psutil.Process().children(recursive=True) if child.name() == "sleep"] == []


KILLED_BEFORE_IT_NAMES_THE_SESSION = """
import os, signal, sys, time
from pathlib import Path
from rooftop.command.guardian import Guardian
from rooftop.command.process import Limits, run

def watch(self, session):
    while not Path(sys.argv[1], "two").exists():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

Guardian.watch = watch
run(["sh", "-c", 'cd "$0"; sleep 600 & echo $! >one; echo $$ >two.part; mv two.part two; wait', sys.argv[1]], Limits())
"""


def test_a_bench_killed_before_it_knows_its_command_leaves_no_process(tmp_path: Path) -> None:
    bench = subprocess.run([*python(KILLED_BEFORE_IT_NAMES_THE_SESSION), str(tmp_path)], check=False)
    assert bench.returncode == -9
    pids = [int((tmp_path / name).read_text(encoding="ascii")) for name in ("one", "two")]
    deadline = time.monotonic() + 120.0
    while (left := [pid for pid in pids if runs(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == []


def test_elapsed_is_the_command_s_own() -> None:
    # Not a timing: a run that sleeps cannot have taken less.
    began = time.monotonic()
    done = run(["sleep", "0.05"], QUICK)
    assert 50_000_000 <= done.elapsed_ns <= (time.monotonic() - began) * 1e9
