"""The files of a command are found by its words, without running anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.command.files import FileSearch, files_of, libraries_of
from rooftop.command.line import from_text
from rooftop.command.not_started import loader_of


@pytest.fixture(name="place")
def place_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, a script that starts it, and some more."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "p1.sh": "#!/bin/sh\n# ./comment\n./p2.sh --in data.txt > out.txt 2>errors.txt\n",
        "p2.sh": "#!/usr/bin/env bash\n. lib.sh\n",
        "lib.sh": "helper\n",
        "bare": "./p2.sh\n",
        "data.txt": "1 2 3",
        "out.txt": "",
        "errors.txt": "",
        "comment": "",
        "app.py": "import helper\nfrom package import part\n",
        "helper.py": "import os, sys, helper.nothing\n",
        "broken.py": "import (",
        "package/__init__.py": "",
        "package/part.py": "from . import other\n",
        "package/other.py": "from .. import x\n",
        "sub/inner.sh": "#!/bin/sh\ntrue\n",
        "bin/helper": "#!/bin/sh\n",
        "app.c": '#include <stdio.h>\n#include "app.h"\nint main() { return 0; }\n',
        "app.h": "",
        "Makefile": "app: app.c\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if file.suffix == ".sh" or name in ("bare", "bin/helper"):
            file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    return tmp_path


SCRIPTS = {"p1.sh", "p2.sh", "lib.sh", "data.txt", "bin/helper"}
PACKAGE = {"package/__init__.py", "package/part.py", "package/other.py"}


@pytest.mark.case("commands.G1.files")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("./p1.sh", SCRIPTS),
        ("p1.sh", SCRIPTS),
        ("sh ./p1.sh", SCRIPTS),
        ("sh bare", {"bare", *SCRIPTS} - {"p1.sh", "data.txt"}),
        ("./bare", {"bare", *SCRIPTS} - {"p1.sh", "data.txt"}),
        ("./p2.sh && true", SCRIPTS - {"p1.sh", "data.txt"}),
        ("cd sub && ./inner.sh > ../out.txt", {"sub/inner.sh"}),
        ("sh -c 'cd sub; ./inner.sh'", {"sub/inner.sh"}),
        ("bash -ec './p2.sh'", SCRIPTS - {"p1.sh", "data.txt"}),
        ("helper", {"bin/helper"}),
        ("mpirun -n 2 --oversubscribe ./p2.sh", SCRIPTS - {"p1.sh", "data.txt"}),
        ("taskset -c 0 nice ./sub/inner.sh", {"sub/inner.sh"}),
        ("python3 app.py data.txt", {"app.py", "helper.py", "data.txt", *PACKAGE}),
        ("python3 -m package.part", PACKAGE),
        ("python3 -c 'import helper'", {"helper.py"}),
        ("python3 broken.py", {"broken.py"}),
        ("dd if=data.txt of=/dev/null", {"data.txt"}),
        ("cat @data.txt --file=data.txt", {"data.txt"}),
        ("cc -o app app.c", {"app.c", "app.h"}),
        ("make app", {"Makefile"}),
        ("true 'a word with\nlines' '' . / -", set()),
        ("sh -c 'echo \"open'", set()),
    ],
)  # fmt: skip
def test_files_of_a_line(text: str, found: set[str], place: Path) -> None:
    files = files_of(from_text(text).words)
    assert {str(file.relative_to(place)) for file in files if file.is_relative_to(place)} == found
    assert len(files) == len(set(files))
    assert all(file.is_absolute() and file.is_file() for file in files)


@pytest.mark.case("commands.G1.files")
def test_a_command_runs_in_a_folder_and_environment_of_its_own(place: Path) -> None:
    search = FileSearch(place / "sub", {"PATH": str(place / "bin")})
    search.command(["helper", "./inner.sh"])
    assert next(iter(search.found)) == place / "bin" / "helper"
    assert place / "sub" / "inner.sh" in search.found
    assert search.on_path["helper"] == str(place / "bin" / "helper")


@pytest.mark.case("commands.G1.files")
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_libraries_are_those_that_the_loader_finds(place: Path) -> None:
    (place / "lib").mkdir()
    (place / "one.c").write_text("int one(void) { return 1; }\n", encoding="utf-8")
    (place / "use.c").write_text("int one(void); int main(void) { return one() - 1; }\n", encoding="utf-8")
    for words in (
        ["cc", "-shared", "-fPIC", "-o", "lib/libone.so", "one.c"],
        ["cc", "-o", "use", "use.c", "-Llib", "-lone", "-Wl,-rpath,$ORIGIN/lib"],
        ["cc", "-o", "plain", "use.c", "-Llib", "-lone"],
    ):
        subprocess.run(words, check=True)
    assert place / "lib" / "libone.so" in libraries_of(place / "use")
    assert place / "lib" / "libone.so" in files_of(["./use"])
    assert place / "lib" / "libone.so" not in libraries_of(place / "plain")
    assert place / "lib" / "libone.so" in libraries_of(place / "plain", {"LD_LIBRARY_PATH": str(place / "lib")})
    assert place / "lib" / "libone.so" in libraries_of(
        Path("/bin/sh"), {"LD_PRELOAD": str(place / "lib" / "libone.so")}
    )
    libc = next(file for file in libraries_of(place / "use") if file.name.startswith("libc."))
    assert libraries_of(libc)  # a library names no loader


@pytest.mark.case("commands.G1.files")
def test_nothing_of_a_program_is_run_to_find_its_libraries(place: Path) -> None:
    """Its loader may be anything: one that root has not installed is not asked."""
    content = Path(os.path.realpath(shutil.which("true") or "/bin/true")).read_bytes()
    loader = loader_of(content)
    assert loader is not None
    with tempfile.TemporaryDirectory(prefix="", dir="/tmp") as short:  # its name must fit where the loader's was
        evil = Path(short) / "ld-x.so"
        evil.write_text(f"#!/bin/sh\ntouch {place}/ran\n", encoding="utf-8")
        evil.chmod(0o777)
        assert len(str(evil)) <= len(loader)
        program = place / "program"
        program.write_bytes(content.replace(loader.encode(), str(evil).encode().ljust(len(loader), b"\0")))
        program.chmod(0o755)
        assert loader_of(program.read_bytes()) == str(evil)
        assert libraries_of(program) == []
    assert not (place / "ran").exists()


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"\x7fELF" + bytes(4096), b"\x7fELF/lib64/ld-none.so\0"])
def test_what_is_no_program_has_no_libraries(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    assert libraries_of(tmp_path / "x") == []
    assert libraries_of(tmp_path / "none") == []


def test_a_chain_of_scripts_is_followed_to_its_end(tmp_path: Path) -> None:
    for number in range(900):
        file = tmp_path / f"s{number}"
        file.write_text(f"{tmp_path}/s{number + 1}\n{tmp_path}/s0\n", encoding="utf-8")
        file.chmod(0o755)
    assert len(files_of([f"{tmp_path}/s0"])) == 900


@given(st.lists(st.text(max_size=30), max_size=6))
@settings(max_examples=50)
def test_any_words_give_files(words: list[str]) -> None:
    assert all(file.is_file() for file in files_of(["sh", "-c", " ".join(words)]))
    assert all(file.is_file() for file in files_of(["python3", *words]))
