"""An experiment outside the tree is built and climbed for real, as the guide shows it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tree import shell_blocks

from rooftop.cli.app import main
from rooftop.climb.build import CMakeBuild
from rooftop.documents import ClimbDocument
from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
OWN_FLAG = "-fno-math-errno"
GUIDE = ROOT / "docs" / "guide" / "your-own-experiment.md"


@pytest.fixture
def bench() -> Path:
    """The bench's own build; its CMake, and a generator."""
    folder = Settings().build_folder
    if not (folder / "RooftopBenchConfig.cmake").is_file() or not (folder / "native" / "librooftop_driver.a").is_file():
        pytest.skip(f"the bench is not built in {folder}")
    if shutil.which("cmake") is None or shutil.which("ninja") is None:
        pytest.skip("CMake or Ninja is missing")
    return folder


def follow(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Do what the guide shows, with a flag of the user's own, the bench's commands in this process."""
    for line in "".join(shell_blocks(GUIDE)).splitlines():
        if line.startswith("./rooftop "):
            assert main([os.path.expanduser(word) for word in shlex.split(line)[1:]]) == 0, line  # noqa: PTH111
            if line.startswith("./rooftop new "):
                lists = Path("my_sum/CMakeLists.txt")
                flags = f"add_compile_options({OWN_FLAG})\nrooftop_add"
                lists.write_text(lists.read_text(encoding="utf-8").replace("rooftop_add", flags), encoding="utf-8")
        else:
            words = ["sh", "-euc", line.replace("$PWD/build/release", str(bench))]
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
            assert "No tests were found" not in done.stderr + done.stdout, line
    capsys.readouterr()


def climbed(capsys: pytest.CaptureFixture[str], *words: str, code: int) -> tuple[dict[str, str], str]:
    """Climb, and give every rung's outcome in the first case, and what was said beside the document."""
    assert (
        main(["climb", "--from", "my_sum", "--budget", "60s", "--size", "S", "--no-report", "--json", *words]) == code
    )
    told = capsys.readouterr()
    if not told.out:
        return {}, told.err
    document = ClimbDocument.model_validate_json(told.out)
    assert OWN_FLAG in document.machine.conditions["flags"]
    return {rung.name: rung.outcome for rung in document.experiments[0].cases[0].rungs}, told.err


def built_at(folder: Path) -> dict[str, int]:
    """Return when each file that the bench runs was built."""
    files = [folder / "driver", *folder.glob("*/*.so")]
    return {file.stem: file.stat().st_mtime_ns for file in files}


def test_from_the_template_to_a_rung_of_ones_own(
    bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    follow(bench, capsys)
    mine = tmp_path / "my_sum"
    built = mine / "build" / "experiments" / "my_sum"
    before = built_at(built)
    assert {"driver", "10-one-sum", "20-many-sums", "25-my-idea", "30-threads"} <= set(before)

    # A rung that was edited is compiled again, and nothing else; a wrong result is called wrong.
    rung = mine / "rungs" / "25-my-idea.cpp"
    right = rung.read_text(encoding="utf-8")
    rung.write_text(right.replace("*problem_.result = total;", "*problem_.result = total + 1;"), encoding="utf-8")
    outcomes, _ = climbed(capsys, "--only", "20-many-sums", "--only", "25-my-idea", code=1)
    assert outcomes == {"20-many-sums": "ok", "25-my-idea": "wrong"}
    after = built_at(built)
    assert {name for name in after if after[name] != before[name]} == {"25-my-idea"}

    # What does not compile is shown whole; what was built before may still be climbed.
    rung.write_text(f"{right}\nint slip = ;\n", encoding="utf-8")
    outcomes, told = climbed(capsys, code=4)
    assert outcomes == {}
    assert "25-my-idea.cpp" in told and "int slip = ;" in told and "error: " in told
    assert told.endswith(f"rooftop: {mine} does not compile: see above\n")
    assert climbed(capsys, "--no-build", "--only", "25*", code=1)[0] == {"25-my-idea": "wrong"}

    # A rung that is gone is gone; one that needs what is not here says so.
    rung.unlink()
    (mine / "rungs" / "40-wish.cpp").write_text("/// Wish.\n// needs: Perpetuum\n#error\n", encoding="utf-8")
    outcomes, _ = climbed(capsys, "--only", "10*", "--only", "40*", code=0)
    assert outcomes == {"10-one-sum": "ok", "40-wish": "skipped"}
    assert "25-my-idea" not in built_at(built)

    # A mistake in CMakeLists.txt is shown as CMake says it.
    with (mine / "CMakeLists.txt").open("a", encoding="utf-8") as lists:
        lists.write("no_such_command()\n")
    _, told = climbed(capsys, code=4)
    assert "no_such_command" in told
    assert told.endswith(f"rooftop: {mine} does not configure: see above\n")


def test_what_building_lacks_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusal() -> str:
        assert main(["climb", "--from", "my_sum"]) == 4
        told = capsys.readouterr()
        assert told.out == ""
        return told.err.replace("building my_sum\n", "", 1)

    assert main(["new", "my_sum"]) == 0
    capsys.readouterr()
    fake = tmp_path / "bench"
    fake.mkdir()
    monkeypatch.setenv("ROOFTOP_BUILD", str(fake))
    assert (
        refusal()
        == f"rooftop: the bench itself is not built in {fake}: run 'rooftop build', or 'make build' in its tree\n"
    )
    (fake / "RooftopBenchConfig.cmake").write_text("", encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(programs))
        patched.setattr(sys, "executable", str(programs / "python"))  # an environment's own CMake is found beside it
        assert refusal() == "rooftop: cmake was not found, expected 3.25 or newer: see 'rooftop doctor'\n"
        (programs / "cmake").write_text("#!/nowhere/sh\n", encoding="utf-8")
        (programs / "cmake").chmod(0o755)
        (fake / "build.json").write_text(json.dumps({"compiler_path": "/nowhere/c++"}), encoding="utf-8")
        told = refusal()
        assert told.startswith("rooftop: the compiler /nowhere/c++, with which the bench was built, was not found:")
        assert told.count("\n") == 1
        (fake / "build.json").write_text(json.dumps({"compiler_path": "/bin/sh"}), encoding="utf-8")
        assert refusal() == f"rooftop: {programs / 'cmake'} cannot be started: No such file or directory\n"
    (tmp_path / "my_sum" / "CMakeLists.txt").unlink()
    assert "has rungs to compile and no CMakeLists.txt" in refusal()
    assert not (tmp_path / "my_sum" / "build").exists()


def test_a_copy_is_built_anew(tmp_path: Path) -> None:
    """A copied folder brings the other's cache along, which CMake refuses: it is told to begin afresh."""
    (tmp_path / "mine" / "build").mkdir(parents=True)
    (tmp_path / "build.json").write_text(json.dumps({"compiler_path": "/bin/sh"}), encoding="utf-8")
    cache = tmp_path / "mine" / "build" / "CMakeCache.txt"
    cache.write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere/mine\n", encoding="utf-8")
    maker = CMakeBuild(tmp_path)
    assert "--fresh" in maker.words_to_configure(tmp_path / "mine")
    cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={tmp_path / 'mine'}\n", encoding="utf-8")
    assert maker.words_to_configure(tmp_path / "mine") == [f"-DRooftopBench_DIR={tmp_path}"]
