"""Batch systems that are not here: their programs stand in, which start jobs and answer as their manuals say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from asked_schedulers import asked_for_one_test
from job_stores import until

from rooftop.cli.app import main
from rooftop.errors import Misuse
from rooftop.schedulers import asking, executors, queue
from rooftop.schedulers.job import Job, new_job
from rooftop.schedulers.options import JobOptions
from rooftop.schedulers.run import end_of

pytest.importorskip("psij", reason="psij-python is not installed")

# Takes the script, the last word or standard input, for a job, and starts it unless it is to be held; a job that has
# ended is not listed any more.
_SUBMIT = """\
#!/bin/sh
for script; do :; done
[ $# -gt 0 ] || {{ script={jobs}.script; cat > $script; }}
number=$(($(ls {jobs} | wc -l) + 238))
cp "$script" {jobs}/$number
echo {running} > {states}/$number
[ -e {hold} ] || setsid sh -c "bash '$script'; rm {states}/$number" < /dev/null > /dev/null 2>&1 &
echo "{told}"
"""
_XML = "<?xml version='1.0'?><job_info xmlns:xsd='http://www.w3.org/2001/XMLSchema'><queue_info>"


@dataclass(frozen=True)
class System:
    """A batch system.

    programs  that submits, and that lists
    told      what the first prints of a job
    native    what the job is called
    running   how the second calls a job that runs
    listing   shell that prints what it says of jobs, from $1, the files of their states, by their numbers
    asks      lines of the batch script of a job of two nodes in the partition and account "own"
    """

    name: str
    programs: tuple[str, str]
    told: str
    native: str
    running: str
    listing: str
    asks: tuple[str, ...]


SYSTEMS = [
    System(
        "pjm",
        ("pjsub", "pjstat"),
        "[INFO] PJM 0000 pjsub Job $number submitted.",
        "238",
        "RUN",
        'echo H,JOB_ID,ST; for one in $(ls $1); do echo ",$one,$(cat $1/$one)"; done',
        ("-L node=2", "-L rscgrp=own", "-g own", "-L elapse=0:10:0", "--mpi max-proc-per-node=1"),
    ),
    System(
        "sge",
        ("qsub", "qstat"),
        "$number",
        "238",
        "r",
        f'echo "{_XML}"; for one in $(ls $1); do echo "<job_list state=\'seen\'><JB_job_number>$one</JB_job_number>'
        '<state>$(cat $1/$one)</state></job_list>"; done; echo "</queue_info></job_info>"',
        ("-q own", "-A own", "-l h_rt=0:10:0", "-V"),
    ),
    System(
        "pbs",
        ("qsub", "qstat"),
        "$number.server",
        "238.server",
        "R",
        "own=$1; shift 2; end=0; for one; do file=$own/${one%.server}; if [ -e $file ]; then "
        'printf "Job Id: $one\\n    Job_Name = rooftop\\n    job_state = $(cat $file)\\n"; '
        'printf "    Variable_List = A=a,\\n\\tB=\\n    job_state = F\\n    comment = as seen\\n\\n"; '
        'else echo "qstat: Unknown Job Id $one" >&2; end=153; fi; done; exit $end',
        ("-l select=2:ncpus=1:mpiprocs=1", "-q own", "-A own", "-l walltime=0:10:0", "-l place=scatter:exclhost"),
    ),
    System(
        "lsf",
        ("bsub", "bjobs"),
        "Job <$number> is submitted to queue <own>.",
        "238",
        "RUN",
        'printf \'{"RECORDS": [\'; for one in $(ls $1); do printf \'{"JOBID": "%s", "STAT": "%s", "EXIT_REASON": \' '
        '$one $(cat $1/$one); printf \'"why", "KILL_REASON": "", "SUSPEND_REASON": ""}, \'; done; '
        'echo \'{"JOBID": "9", "ERROR": "no"}]}\'',
        ('-q "own"', '-P "own"', "-W 0:10", "-nnodes 2"),
    ),
]


class StandIn:
    """The programs of a batch system, in a folder of the path."""

    def __init__(self, system: System, folder: Path) -> None:
        self._jobs, self._states, self.hold = folder / "jobs", folder / "states", folder / "hold"
        self._bin, self._system = folder / "bin", system
        for one in (self._jobs, self._states, self._bin):
            one.mkdir(parents=True)
        known = {"jobs": self._jobs, "states": self._states, "hold": self.hold}
        self.program(0, _SUBMIT.format(told=system.told, running=system.running, **known))
        self.program(1, f'#!/bin/sh\nset -- {self._states} "$@"\n{system.listing}\n')

    def program(self, number: int, text: str) -> None:
        file = self._bin / self._system.programs[number]
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    def says(self, state: str) -> None:
        (self._states / "238").write_text(state, encoding="ascii")

    @property
    def script(self) -> str:
        return (self._jobs / "238").read_text(encoding="utf-8")


@pytest.fixture(params=SYSTEMS, ids=lambda one: one.name, name="system")
def system_fixture(request: pytest.FixtureRequest) -> System:
    system: System = request.param
    return system


@pytest.fixture(name="stand_in")
def stand_in_fixture(
    system: System, tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[StandIn]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'own' / 'bin'}:{os.environ['PATH']}")
    with asked_for_one_test(monkeypatch):
        monkeypatch.setattr(queue, "POLL_S", 0.0)
        yield StandIn(system, tmp_path / "own")


def submitted(system: System, folder: Path, **asked: object) -> Job:
    job = new_job(folder / "home", system.name, "compare", [], "compare")
    job.script.write_text(f"echo ran; echo 0 > {job.folder}/exit\n", encoding="utf-8")
    options = JobOptions(on=system.name, account="own", partition="own", **asked)  # type: ignore[arg-type]
    queue.submit(job, options, 600)
    return job


def state(job: Job) -> tuple[str, str]:
    return queue.states([job])[job.record.id]


def test_a_job_is_asked_for_started_and_known(system: System, stand_in: StandIn, tmp_path: Path) -> None:
    job = submitted(system, tmp_path, nodes=2)
    assert job.record.native == system.native
    for line in system.asks:
        assert line in [text.partition(" ")[2] for text in stand_in.script.splitlines()]
    until(lambda: job.exit_code() == 0)
    assert job.output.read_text(encoding="utf-8") == "ran\n"
    assert state(job) == ("ended", "")


def test_a_job_that_was_killed_has_ended(system: System, stand_in: StandIn, tmp_path: Path) -> None:
    stand_in.hold.touch()
    job = submitted(system, tmp_path)
    assert state(job)[0] == "running"
    (tmp_path / "own" / "states" / "238").unlink()
    assert state(job) == ("ended", "")
    told = f"(no exit code, and {system.name} does not know it any more)"
    assert end_of(job, "") == f"job {system.native} of {system.name} ended {told}"


WAITING = {"pjm": ("QUE", "HLD", "ERR"), "sge": ("qw", "hqw", "Eqw"), "pbs": ("Q", "H"), "lsf": ("PEND", "PSUSP")}
RUNNING = {"pjm": ("RUN", "RNE", "SPD"), "sge": ("r", "t", "S", "dr"), "pbs": ("R", "E"), "lsf": ("RUN", "USUSP")}
ENDED = {"pjm": ("EXT", "CCL", "RJT"), "sge": (), "pbs": ("F", "X"), "lsf": ("DONE", "EXIT")}


def test_states(system: System, stand_in: StandIn, tmp_path: Path) -> None:
    stand_in.hold.touch()
    job = submitted(system, tmp_path)
    for words, expected in ((WAITING, "queued"), (RUNNING, "running"), (ENDED, "ended")):
        for word in words[system.name]:
            stand_in.says(word)
            assert state(job)[0] == expected, word


@pytest.mark.parametrize("text", ["", "the server is away", "H,ST\n,238", "<job_info", "{", '{"RECORDS": [{}]}'])
def test_what_is_not_understood_ends_no_job(text: str, system: System, stand_in: StandIn, tmp_path: Path) -> None:
    stand_in.hold.touch()
    job = submitted(system, tmp_path)
    stand_in.program(1, f"#!/bin/sh\nprintf '%s' '{text}'\nexit 1\n")
    assert state(job) == ("unknown", "the scheduler cannot be asked")


def test_a_job_that_is_refused_is_none(system: System, stand_in: StandIn, tmp_path: Path) -> None:
    stand_in.program(0, "#!/bin/sh\necho there is no such queue >&2\nexit 1\n")
    with pytest.raises(Misuse, match=f"--on {system.name}: the job was refused: .*there is no such queue"):
        submitted(system, tmp_path)


def test_grid_engine_names_no_nodes(
    tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "--on", "sge", "--nodes", "2", "--", "true", ":::", "false"]) == 2
    assert "give --template FILE with the line '#$ -pe NAME SLOTS'" in capsys.readouterr().err


def test_each_file_is_a_scheduler(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"local", "lsf", "pbs", "pjm", "sge", "slurm"} <= set(executors.names())
    assert main(["compare", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "pjm, sge, slurm" in told.replace("│ ", "").replace("│", "")


def test_a_scheduler_that_does_not_answer_is_not_waited_for(
    tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'own' / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(asking, "_PROGRAM_S", 0.3)
    with asked_for_one_test(monkeypatch):
        stand_in = StandIn(SYSTEMS[-1], tmp_path / "own")
        stand_in.hold.touch()
        job = submitted(SYSTEMS[-1], tmp_path)
        stand_in.program(1, "#!/bin/sh\nexec sleep 60\n")
        assert state(job) == ("unknown", "the scheduler cannot be asked")
