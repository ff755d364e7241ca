"""Programs that are hard to observe: what can be told is told, the rest has its reason, and nothing is left behind."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from rooftop.cli.app import main
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.errors import FINE, INTERRUPTED, MISUSE, WRONG
from rooftop.observe import call_counts
from rooftop.observe.sampler import Sampler
from rooftop.settings import Settings

SOURCE = Path(__file__).with_name("misbehaving.c")
NO_GCC = "gcc is not installed"

NO_COUNTS = call_counts.missing(Settings().build_folder)
counted = pytest.mark.skipif(NO_COUNTS is not None, reason=str(NO_COUNTS))


def built(folder: Path, *flags: str) -> Path:
    program = folder / "misbehaving"
    done = subprocess.run(
        ["gcc", "-O1", "-Wall", "-Wextra", "-Werror", *flags, str(SOURCE), "-o", str(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and flags:
        pytest.skip(f"gcc {' '.join(flags)} does not link: {done.stderr.strip()[-200:]}")
    assert not done.returncode, done.stderr
    return program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip(NO_GCC)
    return built(tmp_path_factory.mktemp("misbehaving"))


@dataclass
class Scene:
    """Where a command is diagnosed: in an empty folder, with a folder of its own for temporary files."""

    here: Path
    temporary: Path
    noted: Path
    said: Callable[[], str]

    def diagnose(self, *words: str, options: Sequence[str] = ()) -> tuple[int, DiagnoseDocument]:
        """Return the exit code and the document."""
        code = main(["diagnose", "--json", "--without", "all", "--budget", "1s", *options, "--", *words])
        return code, DiagnoseDocument.model_validate_json(self.said())

    def require_clean(self) -> None:
        """Raise AssertionError if a process or a file is left."""
        assert list(self.here.iterdir()) == []
        assert [one.name for one in self.temporary.iterdir()] == []
        assert [one for one in self.noted.iterdir() if one.name != "0" and psutil.pid_exists(int(one.name))] == []
        assert [one for one in psutil.Process().children() if one.name() == "misbehaving"] == []


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Scene:
    folders = [tmp_path / name for name in ("here", "temporary", "noted")]
    for folder in folders:
        folder.mkdir()
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(folders[1]))
    monkeypatch.setenv("TMPDIR", str(folders[1]))
    monkeypatch.chdir(folders[0])
    here, temporary, noted = folders
    return Scene(here, temporary, noted, lambda: capsys.readouterr().out)


# Of each kind, whether its calls can be counted.
KINDS = {
    "work": True,
    "daemon": True,
    "close_all": True,
    "preload": True,
    "clear": True,
    "exec": True,
    "loud": True,
    "chdir": True,
    "vfork": True,
    "undumpable": True,
    "seccomp": False,
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_diagnosed_and_nothing_is_left(kind: str, program: Path, place: Scene) -> None:
    code, document = place.diagnose(str(program), kind, str(place.noted))
    place.require_clean()
    assert (code, document.status, document.failure) == (FINE, 0, None)
    facts = document.facts
    if shutil.which("perf") is not None:
        assert "work" in [one.function for one in facts.hot or []]
    else:
        assert facts.missing[0].startswith("functions by their time: perf is not installed")
    counted_here = KINDS[kind] and NO_COUNTS is None
    assert (facts.calls is not None) is counted_here
    assert counted_here or facts.missing[-1].startswith("calls of the allocator and of input and output")
    if kind == "seccomp" and NO_COUNTS is None:
        assert "may not open files" in facts.missing[-1]
    if kind == "loud" and facts.calls is not None:
        assert facts.calls.written_bytes >= 2 * 2000 * 4096


def test_what_was_cut_off_is_told(program: Path, place: Scene) -> None:
    _, document = place.diagnose(str(program), "daemon", str(place.noted))
    (doubt,) = [one for one in document.doubts if one.name == "Work may have been cut off"]
    assert "left a process running when it ended (misbehaving)" in doubt.evidence


def test_a_crash_fails_and_is_told(program: Path, place: Scene) -> None:
    code, document = place.diagnose(str(program), "crash", str(place.noted))
    assert (code, document.status) == (WRONG, -11)
    assert document.failure == "was killed by signal 11 (SIGSEGV)"
    assert document.no_cures == "the command failed"
    assert document.facts.elapsed_s > 0
    place.require_clean()


def test_standard_input_is_what_was_given(program: Path, place: Scene, tmp_path: Path) -> None:
    code, document = place.diagnose(str(program), "stdin", str(place.noted))
    assert (code, document.failure) == (WRONG, "exited with code 4")
    (tmp_path / "given").write_text("x", encoding="ascii")
    given = ["--input", str(tmp_path / "given")]
    code, document = place.diagnose(str(program), "stdin", str(place.noted), options=given)
    assert (code, document.failure) == (FINE, None)
    place.require_clean()


def test_a_time_limit_ends_what_runs_long(place: Scene) -> None:
    code, document = place.diagnose("sleep", "600", options=["--timeout", "0.3s"])
    assert (code, document.failure) == (WRONG, "took longer than 0.3 s")
    assert [one.name for one in document.passes] == ["threads"]
    place.require_clean()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_interrupt_in_any_pass_keeps_what_was_seen(number: int, place: Scene, tmp_path: Path) -> None:
    if number > 1 and (NO_COUNTS is not None or shutil.which("perf") is None):
        pytest.skip("fewer passes: perf is not installed, or 'make build' was not run")
    runs = shlex.quote(str(tmp_path / "runs"))
    script = f"echo x >> {runs}; if [ $(wc -l < {runs}) = {number} ]; then kill -INT {os.getpid()}; exec sleep 600; fi"
    work = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"
    code, document = place.diagnose("sh", "-c", f"{work}; {script}")
    assert code == INTERRUPTED
    assert [one.name for one in document.passes] == ["threads", "functions"][: number - 1]
    assert document.no_cures == "observing was interrupted"
    assert document.status == (0 if number > 1 else None)
    assert document.facts.user_s > 0
    assert (tmp_path / "runs").read_text(encoding="ascii").count("x") == number
    place.require_clean()


def test_a_pipeline_is_seen_whole(place: Scene) -> None:
    count = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); echo $i; done"
    code, document = place.diagnose("sh", "-c", f"({count}) | sort -rn | tail -1 > /dev/null")
    assert (code, document.failure) == (FINE, None)
    assert document.facts.user_s + document.facts.system_s > 0
    place.require_clean()


def test_an_empty_environment(program: Path, place: Scene) -> None:
    code, document = place.diagnose("env", "-i", str(program), "work", str(place.noted))
    assert (code, document.failure) == (FINE, None)
    place.require_clean()


def test_a_command_that_is_not_there_is_misuse(place: Scene) -> None:
    assert main(["diagnose", "--", "./not-there"]) == MISUSE
    place.require_clean()


@counted
def test_a_static_program_has_its_reason(place: Scene, tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip(NO_GCC)
    code, document = place.diagnose(str(built(tmp_path, "-static")), "work", str(place.noted))
    assert (code, document.facts.calls) == (FINE, None)
    assert document.facts.sealed is not None
    assert "is linked statically" in document.facts.missing[-1]
    place.require_clean()


@counted
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a program that runs as another user")
def test_a_setuid_program_has_its_reason(program: Path, place: Scene, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copy(program, other)
    os.chown(other, 65534, 65534)
    other.chmod(0o4755)
    code, document = place.diagnose(str(other), "work", str(place.noted))
    assert (code, document.facts.calls) == (FINE, None)
    assert "runs with another's rights (setuid or setgid)" in document.facts.missing[-1]
    place.require_clean()


def test_processes_that_may_not_be_traced_are_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "7" / "task" / "7"
    folder.mkdir(parents=True)
    numbers = " ".join(["0"] * 18 + ["500"] + ["0"] * 30)
    (folder / "stat").write_text(f"7 (a) S {numbers}\n", encoding="ascii")
    sampler = Sampler(str(tmp_path), sleeps=True)

    def refused(name: str) -> str:
        if name.endswith("/syscall"):
            raise PermissionError(1, "Operation not permitted")
        return (tmp_path / name).read_text(encoding="ascii")

    monkeypatch.setattr(sampler._proc, "text", refused)
    sampler.look([7])
    assert sampler.ended().hidden == {7}
