"""Why a program cannot be started: what is missing is named."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from rooftop.command.check import Check, failure, judged_wrong
from rooftop.command.driver import CommandDriver, Held, Terms
from rooftop.command.line import CommandLine, from_text, from_words
from rooftop.command.measured import Measured
from rooftop.command.not_started import not_started, why_not
from rooftop.command.process import Finished, Limits, run
from rooftop.command.spec import Spec
from rooftop.driver.error_output import ending
from rooftop.driver.executor import DriverFailed
from rooftop.launchers.nodes import NODES

SCRIPTS = {
    "crlf": (b"#!/bin/sh\r\necho\r\n", "the interpreter '/bin/sh' and ends with CR LF"),
    "options": (b"#!/bin/sh -e\r\necho\r\n", "the interpreter '/bin/sh' and ends with CR LF"),
    "env": (b"#!/usr/bin/env sh\r\necho\r\n", "the interpreter '/usr/bin/env sh' and ends with CR LF"),
    "gone": (b"#!/nowhere/python3\necho\n", "its interpreter '/nowhere/python3' does not exist"),
    "blank": (b"#!\necho\n", "its first line names no interpreter"),
    "plain": (b"echo\n", "a script without a #! line"),
    "nothing": (b"", "the file is empty"),
    "musl": (
        b"\x7fELF\2\1\1\0\0/lib/ld-nowhere-x86_64.so.1\0",
        "its loader /lib/ld-nowhere-x86_64.so.1 does not exist",
    ),
}


def script(folder: Path, content: bytes, mode: int = 0o755) -> Path:
    file = folder / "script"
    file.write_bytes(content)
    file.chmod(mode)
    return file


def failed(command: CommandLine, terms: Terms, folder: Path | None = None) -> str:
    spec = Spec(command, folder=folder)
    with pytest.raises(DriverFailed) as error:
        CommandDriver(spec, terms, Held(spec, terms)).case({}, 0, 30.0)
    return error.value.message


@pytest.mark.case("commands.D7", "commands.D7.loader", "commands.D7.no-line")
@pytest.mark.parametrize("kind", SCRIPTS)
def test_what_a_file_lacks_is_named(kind: str, tmp_path: Path) -> None:
    content, expected = SCRIPTS[kind]
    file = script(tmp_path, content)
    told = why_not(str(file))
    assert told is not None
    assert expected in told
    if kind != "musl":
        message = failed(from_words([str(file)]), Terms())
        assert f"{file} cannot be started: " in message
        assert expected in message


@pytest.mark.case("commands.D7.limited")
@pytest.mark.parametrize(
    "terms",
    [
        Terms(Check(any_status=True), limits=Limits(30.0, memory_bytes=1 << 30)),
        Terms(Check(any_status=True), Measured("maxrss"), Limits(30.0)),
    ],
)
def test_what_starts_it_for_us_does_not_hide_the_reason(terms: Terms, tmp_path: Path) -> None:
    file = script(tmp_path, SCRIPTS["crlf"][0])
    assert SCRIPTS["crlf"][1] in failed(from_words([str(file)]), terms)


@pytest.mark.case("commands.D7.shell")
def test_interpreter_is_named_where_a_shell_did_not_find_it(tmp_path: Path) -> None:
    script(tmp_path, SCRIPTS["gone"][0])
    message = failed(from_text("./script > log"), Terms(), tmp_path)
    assert "exited with code 127" in message
    assert "./script cannot be started: its interpreter '/nowhere/python3' does not exist" in message


@pytest.mark.case("commands.D7.beside")
def test_reason_is_named_for_what_runs_beside_a_command(tmp_path: Path) -> None:
    file = script(tmp_path, SCRIPTS["gone"][0])
    beside = from_words([str(file)])
    spec, terms = Spec(from_words(["true"]), prepare=beside), Terms()
    with pytest.raises(DriverFailed, match="its interpreter '/nowhere/python3' does not exist"):
        CommandDriver(spec, terms, Held(spec, terms)).case({}, 0, 30.0)
    told = judged_wrong(Finished(1, 0.0, 0.0, None, 0), Check(judge=beside), Limits())
    assert told is not None
    assert "its interpreter '/nowhere/python3' does not exist" in told


@pytest.mark.case("commands.D7.kinds")
def test_other_reasons(tmp_path: Path) -> None:
    plain = script(tmp_path, b"#!/bin/sh\n", 0o644)
    assert why_not(str(plain)) == f"it is not executable: chmod +x {plain}"
    assert why_not(str(tmp_path)) == "it is a folder, expected a program"
    assert why_not("true", tmp_path / "gone") == f"its working folder {tmp_path / 'gone'} does not exist"
    os.mkfifo(tmp_path / "pipe", 0o755)
    assert why_not(str(tmp_path / "pipe")) == "it is not a regular file, expected a program"
    assert why_not("true") is None
    assert "too long; it has 3 words" in not_started(["true", "a", "b"], OSError(errno.E2BIG, "Argument list too long"))


@pytest.mark.case("commands.D4.words")
def test_shell_s_own_word_given_as_words_is_named() -> None:
    message = failed(from_words(["cd", "/"]), Terms())
    assert "it is a shell builtin and not a program: quote the whole command" in message
    assert "no program of this name is on PATH" in failed(from_words(["no-such-program"]), Terms())


OPEN_MPI = """--------------------------------------------------------------------------
mpirun was unable to find the specified executable file, and therefore
did not launch the job.

Node:       vm
Executable: nosuchprog
--------------------------------------------------------------------------
"""
HYDRA = "[proxy:0:0@vm] HYDU_create_process (utils/launch/launch.c:73): execvp error on file nosuchprog (No such file)"
SLURM = "slurmstepd: error: execve(): nosuchprog: No such file or directory"


@pytest.mark.case("commands.I8.launcher")
@pytest.mark.parametrize(("said", "status"), [(OPEN_MPI, 134), (HYDRA, 255), (SLURM, 2)])
def test_a_program_that_a_launcher_does_not_find(said: str, status: int, tmp_path: Path) -> None:
    file = script(tmp_path, f"#!/bin/sh\ncat >&2 <<'END'\n{said}\nEND\nexit {status}\n".encode())
    message = failed(from_words([str(file), "-n", "1", "nosuchprog"]), Terms())
    done = run([str(file)], Limits(30.0))
    assert failure(done, Check(), Limits()) == message  # of a setup, a build, and what pin watches
    assert message == (
        f"{ending(status)}: nosuchprog cannot be started: no program of this name is on PATH; aliases and "
        "functions of an interactive shell cannot be used"
    )


SLOTS = """--------------------------------------------------------------------------
There are not enough slots available in the system to satisfy the 2
slots that were requested by the application:

  true

Alternatively, you can use the --oversubscribe option to ignore the
number of available slots when deciding the number of processes to
launch.
--------------------------------------------------------------------------
"""


def test_a_job_with_too_few_tasks_for_a_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = script(tmp_path, f"#!/bin/sh\ncat >&2 <<'END'\n{SLOTS}\nEND\nexit 1\n".encode())
    assert "--oversubscribe" in (failure(run([str(file)], Limits(30.0)), Check(), Limits()) or "")
    monkeypatch.setenv(NODES, "1x1")
    assert failure(run([str(file)], Limits(30.0)), Check(), Limits()) == (
        "exited with code 1: the job has too few tasks for Open MPI to start 2 ranks: give --ntasks-per-node 2"
    )


@pytest.mark.parametrize("launcher", ["mpirun.openmpi", "mpirun.mpich"])
def test_launchers_of_this_machine_say_what_they_do_not_find(launcher: str) -> None:
    if shutil.which(launcher) is None:
        pytest.skip(f"{launcher} is not installed")
    terms = Terms(environment={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    message = failed(from_words([launcher, "-n", "1", "nosuchprog"]), terms)
    assert "nosuchprog cannot be started: no program of this name is on PATH" in message
