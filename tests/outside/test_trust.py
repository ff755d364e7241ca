"""Code of others runs once the user has agreed, and is asked about again when it has changed."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tree import ROOT

from rooftop.cli.app import main
from rooftop.errors import Misuse
from rooftop.ladder.template import make_experiment
from rooftop.ladder.trust import read_pack
from rooftop.settings import Settings

DECLARATION = """from pathlib import Path

from rooftop.ladder.experiment import Case, Experiment

Path(__file__).parents[1].joinpath("has_run").touch()
experiment = Experiment(title="A pack", rate_unit="1/s", rate_scale=1.0, sizes={"quick": [Case("one", {}, 1)]})
"""


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack of others, which tells whether any of it has run."""
    folder = tmp_path / "pack"
    (folder / "rungs").mkdir(parents=True)
    (folder / "experiment.py").write_text(DECLARATION, encoding="utf-8")
    (folder / "rungs" / "10-a.cpp").write_text("// A.\n", encoding="utf-8")
    (folder / "CMakeLists.txt").write_text("", encoding="utf-8")
    return folder


def has_run(pack: Path) -> bool:
    """Whether the pack's code has run since this was asked last."""
    mark = pack.parent / "has_run"
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


@pytest.mark.parametrize("words", [["climb"], ["list"], ["show"], ["results"], ["compare", "pack/10-a", "pack/10-a"]])
def test_without_a_terminal_it_is_refused_on_one_line(
    pack: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], "--from", "pack", *words[1:]]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert f"{pack} (digest {read_pack(pack).digest[:12]}; 2 files to compile, 1 of Python)" in told.err
    assert "--trust" in told.err
    assert not has_run(pack)


def test_it_is_agreed_to_once(pack: Path, tmp_path: Path) -> None:
    assert main(["show", "--from", "pack", "--trust"]) == 0
    assert has_run(pack)
    assert main(["show", "--from", "pack"]) == 0
    assert has_run(pack)
    # The digest is of the contents: a copy is the same pack.
    shutil.copytree(pack, tmp_path / "elsewhere" / "pack")
    assert main(["list", "--from", "elsewhere"]) == 0


def _rename(pack: Path) -> None:
    (pack / "rungs" / "10-a.cpp").rename(pack / "rungs" / "11-a.cpp")


def _mark_executable(pack: Path) -> None:
    (pack / "rungs" / "10-a.cpp").chmod(0o755)


def _edit(pack: Path) -> None:
    (pack / "rungs" / "10-a.cpp").write_text("// B.\n", encoding="utf-8")


def _add_compiled_python(pack: Path) -> None:
    (pack / "__pycache__").mkdir()
    (pack / "__pycache__" / f"experiment.{sys.implementation.cache_tag}.pyc").write_bytes(b"")


def _move_between_files(pack: Path) -> None:
    """Keep what all files hold together."""
    (pack / "CMakeLists.txt").write_text("// A.\n", encoding="utf-8")
    (pack / "rungs" / "10-a.cpp").write_text("", encoding="utf-8")


@pytest.mark.parametrize("change", [_rename, _mark_executable, _edit, _add_compiled_python, _move_between_files])
def test_what_has_changed_is_asked_about_again(
    pack: Path, change: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "--from", "pack", "--trust"]) == 0
    assert has_run(pack)
    change(pack)
    capsys.readouterr()
    assert main(["show", "--from", "pack"]) == 2
    assert "--trust" in capsys.readouterr().err
    assert not has_run(pack)


def test_compiled_python_beside_it_does_not_run_in_its_place(pack: Path) -> None:
    """Whoever looks at experiment.py has seen what runs."""
    (pack / "experiment.py").write_text(DECLARATION.replace("has_run", "has_fun"), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(pack)], check=True)
    stamp = (pack / "experiment.py").stat()
    (pack / "experiment.py").write_text(DECLARATION, encoding="utf-8")
    os.utime(pack / "experiment.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert main(["show", "--from", "pack", "--trust"]) == 0
    assert has_run(pack)
    assert not (pack.parent / "has_fun").exists()


def test_built_files_that_it_brings_are_named(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "build").mkdir()
    assert main(["climb", "--from", "pack"]) == 2
    assert "built files in build/" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["/etc", "../..", "/etc/passwd", "../../secret"])
def test_a_link_that_leads_out_of_it_is_refused(pack: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "rungs" / "20-b.cpp").symlink_to(target)
    assert main(["climb", "--from", "pack", "--trust"]) == 2
    assert f"20-b.cpp is a link that leads out of {pack}, to {target}" in capsys.readouterr().err
    assert not has_run(pack)


def test_what_is_no_file_is_refused(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(pack / "rungs" / "20-b.cpp")  # to read it would wait for ever
    assert main(["climb", "--from", "pack", "--trust"]) == 2
    assert "20-b.cpp is neither a file" in capsys.readouterr().err


def test_names_are_shown_with_what_a_terminal_would_obey_spelled_out(
    pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = pack.rename(pack.with_name("pack\x1b[2J"))
    assert main(["climb", "--from", str(evil)]) == 2
    told = capsys.readouterr().err
    assert r"pack\x1b[2J" in told and "\x1b" not in told


def test_a_folder_that_new_has_made_is_the_users_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_experiment("mine", tmp_path, Settings())
    (folder / "rungs" / "10-one-sum.cpp").write_text("// Mine.\n", encoding="utf-8")
    assert main(["show", "--from", "mine"]) == 0
    # Another one in its place is not.
    (tmp_path / "kept").mkdir()
    folder.rename(tmp_path / "kept" / "mine")
    shutil.copytree(tmp_path / "kept" / "mine", folder)
    capsys.readouterr()
    assert main(["show", "--from", "mine"]) == 2
    assert "--trust" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "[]", "[" * 100_000, '{"packs": 1, "own": []}', "\0"])
def test_a_damaged_memory_asks(pack: Path, content: str, tmp_path: Path) -> None:
    file = tmp_path / "state" / "rooftop" / "trusted.json"
    file.parent.mkdir(parents=True)
    file.write_text(content, encoding="utf-8")
    assert main(["show", "--from", "pack"]) == 2
    assert main(["show", "--from", "pack", "--trust"]) == 0
    assert main(["show", "--from", "pack"]) == 0


def test_a_tree_brings_no_agreement_with_it(pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the user's own folder for state is read, whatever folder the bench's data is kept in."""
    assert main(["show", "--from", "pack", "--trust"]) == 0
    shutil.copytree(tmp_path / "state" / "rooftop", tmp_path / "tree" / ".rooftop")
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "tree" / ".rooftop"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    has_run(pack)
    assert main(["show", "--from", "pack"]) == 2


def test_so_many_files_are_no_experiment(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.ladder.trust._MOST_FILES", 3)
    with pytest.raises(Misuse, match="more than 3 files"):
        read_pack(pack)


def on_terminal(answer: str) -> tuple[int, str]:
    """Run `show` on a pseudo-terminal, answer its question; return the exit code and what was shown."""
    leader, follower = pty.openpty()
    words = [sys.executable, "-m", "rooftop", "show", "--from", "pack"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(words, stdin=follower, stdout=follower, stderr=follower, env=environment) as started:
        os.close(follower)
        seen, answered = b"", False
        while select.select([leader], [], [], 60)[0]:
            try:
                seen += os.read(leader, 65536)
            except OSError:  # it has ended
                break
            if b"[y/N]" in seen and not answered:
                answered = True
                os.write(leader, answer.encode())
        code = started.wait(60)
    os.close(leader)
    return code, seen.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(("answer", "agreed"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_a_terminal_is_asked(pack: Path, answer: str, agreed: bool) -> None:
    digest = read_pack(pack).digest[:12]
    code, seen = on_terminal(answer)
    assert f"{pack}, with the digest {digest}\n  compiled, then run: CMakeLists.txt, rungs/10-a.cpp\n" in seen
    assert "  run by Python: experiment.py\n" in seen
    assert (code == 0) is agreed is has_run(pack)
    code, seen = on_terminal("n\n")
    assert ("[y/N]" in seen) is not agreed
