"""Of what a program said on standard error, the part that tells most is told."""

from __future__ import annotations

import os
import sys
from tempfile import TemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.process import Limits, run
from rooftop.driver.error_output import it_said, last_words, said_last
from rooftop.launchers import named
from rooftop.launchers.team import Team

RULE = "-" * 74 + "\n"
REMARKS = [f"{RULE}Primary job terminated normally, but 1 process returned\na non-zero exit code.\n{RULE}"]
REMARKS.append(f"{RULE}mpirun detected that one or more processes exited:\n\n  Exit code: 3\n{'x' * 400}\n{RULE}")

ON_ITSELF = """\
[node:04431] [[32177,0],0] ORTE_ERROR_LOG: Out of resource in file ../../../orte/util/show_help.c at line 501
[node:04431] 1 more process has sent help message help-mpi-api.txt / mpi-abort
[node:04431] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages
[warn] Epoll MOD(1) on fd 39 failed.  Old events were 6; read change was 0 (none); write change was 2 (del); close \
change was 0 (none): Bad file descriptor
"""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("no memory\nno memory\n" + "".join(REMARKS), "no memory"),
        (REMARKS[0] + "no  memory\n" + REMARKS[1], "no memory"),
        ("no memory\n" + REMARKS[0] + ON_ITSELF * 2, "no memory"),
        ("[node:1] no memory\n", "[node:1] no memory"),
        ("first\n" + "y" * 300, "y" * 300),
        ("no memory\n" + "y" * 400 + "\nno memory\n", "y" * 290 + " no memory"),
        (REMARKS[0].replace("a non", "a  non"), " ".join(REMARKS[0].split()[1:])),
        ("begun\n-----\nno memory\n-----\n", "begun no memory -----"),  # the program's own rules
        ("", ""),
    ],
)
def test_the_program_is_told_before_what_open_mpi_remarks(said: str, told: str) -> None:
    assert last_words(said.encode()) == told


@given(st.binary() | st.text().map(str.encode), st.sampled_from(["", *REMARKS]))
def test_whatever_is_said_is_one_line(said: bytes, remark: str) -> None:
    told = last_words(said + remark.encode())
    assert len(told) <= 300
    assert len(told.splitlines()) <= 1


def test_of_a_long_file_the_end_is_read() -> None:
    with TemporaryFile() as file:
        file.write(b"begun\n" * 10_000 + b"no memory\n" + REMARKS[1].encode())
        assert said_last(file).endswith("no memory")
        file.seek(0, 2)
        file.write(b"at all\n")
        assert said_last(file).endswith("no memory at all")
    assert (it_said("no"), it_said("")) == ("; it said: no", "")


@pytest.mark.parametrize("name", ["openmpi", "mpich"])
def test_what_failing_ranks_said_is_told(name: str) -> None:
    if (reason := named(name).missing()) is not None:
        pytest.skip(reason)
    program = [sys.executable, "-c", r"import os; os.write(2, b'seven rows for two ranks\n'); os._exit(3)"]
    launch = named(name).started(program, {}, Team(ranks=2), "none")
    finished = run(launch.words, Limits(60.0), environment=os.environ | dict(launch.environment))
    assert finished.status != 0
    assert finished.said == "seven rows for two ranks"
