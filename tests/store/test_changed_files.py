"""Samples belong to one program: a changed one is not gone on with, and is doubted where it changed meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from rooftop.cli.app import main

# At its Nth run it does something: it needs no clock. Its count is a file that it names, and changes in each run.
COUNTING = """\
#!/bin/sh
n=$(cat count 2> /dev/null || echo 0)
echo $((n + 1)) > count
if [ "$n" = {at} ]; then {then}; fi
exit 0
"""
INTERRUPT = f"kill -INT {os.getpid()}"
KINDS = {
    "compare": ["./p1.sh", "./p2.sh"],
    "tune": ["--param", "N=1,2", "--", "./p2.sh", "{N}"],
    "scale": ["--threads", "1,2", "--", "./p2.sh"],
    "gate": ["--", "./p1.sh", ":::", "./p2.sh"],
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a program to be measured, and another."""
    folder = tmp_path / "place"
    folder.mkdir()
    monkeypatch.chdir(folder)
    write("p1.sh", "#!/bin/sh\n")
    return folder


def write(name: str, text: str) -> None:
    """Write a program as an editor does: another file takes its place."""
    beside = Path(f"{name}~")
    beside.write_text(text, encoding="utf-8")
    beside.chmod(0o755)
    beside.replace(name)


def interrupted(kind: str, *words: str, at: int = 6) -> str:
    """Measure a program that interrupts the bench; return its text."""
    text = COUNTING.format(at=at, then=INTERRUPT)
    write("p2.sh", text)
    assert main([kind, "--budget", "60s", "--max-pairs", "8", *words]) == 130
    return text


def samples(place: Path) -> int:
    with sqlite3.connect(place.parent / "home" / "store.sqlite") as connection:
        (count,) = connection.execute("SELECT count(*) FROM sample").fetchone()
        return int(count)


@pytest.mark.case("commands.G1")
@pytest.mark.parametrize("kind", KINDS)
def test_another_program_is_not_gone_on_with(kind: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = interrupted(kind, *KINDS[kind])
    taken = samples(place)
    write("p2.sh", text + "# another\n")
    capsys.readouterr()
    assert main([kind, "--resume"]) == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert said.startswith("rooftop: campaign ")
    assert said.endswith(
        " cannot be resumed: p2.sh changed since it was measured; restore it, or start a new one without --resume\n"
    )
    assert samples(place) == taken
    write("p2.sh", text)
    assert main([kind, "--resume", "--json"]) in (0, 1, 6, 7)
    document = json.loads(capsys.readouterr().out)
    assert samples(place) >= taken
    assert not [doubt for doubt in document["doubts"] if "changed" in doubt["doubt"]]


@pytest.mark.case("commands.G1.files")
@pytest.mark.parametrize(
    ("words", "file"),
    [
        (["sh -c './p2.sh && cat data'", "true"], "data"),
        (["./p2.sh", "python3 app.py"], "helper.py"),
        (["--input", "data", "./p2.sh", "cat"], "data"),
        (["--prepare", "./before.sh", "./p2.sh", "true"], "before.sh"),
        (["--check", "./before.sh", "./p2.sh", "true"], "before.sh"),
        (["./link", "./p2.sh"], "link"),
        (["./p2.sh", "inner"], "../bin/inner"),
    ],
)
def test_any_file_of_a_command_is_named(
    words: list[str], file: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.parent / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{place.parent}/bin:/usr/bin:/bin")
    for name in ("before.sh", "linked.sh", "linked2.sh", "../bin/inner"):
        write(name, f"#!/bin/sh\n: {Path(name).stem}\n")
    Path("link").symlink_to("linked.sh")
    Path("app.py").write_text("import helper\n", encoding="utf-8")
    Path("helper.py").write_text("", encoding="utf-8")
    Path("data").write_text("1", encoding="utf-8")
    interrupted("compare", *words)
    if file == "link":
        Path("link").unlink()
        Path("link").symlink_to("linked2.sh")
    else:
        write(file, "#!/bin/sh\n: other\n")
    capsys.readouterr()
    assert main(["compare", "--resume"]) == 2
    shown = str((place / file).resolve()) if file.startswith("..") else file
    assert f"cannot be resumed: {shown} changed since" in capsys.readouterr().err


@pytest.mark.case("commands.G1")
def test_a_program_that_is_gone_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    interrupted("compare", *KINDS["compare"])
    Path("p2.sh").unlink()
    assert main(["compare", "--resume"]) == 2
    assert "p2.sh changed since it was measured" in capsys.readouterr().err


@pytest.mark.case("commands.G2")
@pytest.mark.parametrize("kind", KINDS)
def test_one_that_is_replaced_while_it_is_measured_is_doubted(
    kind: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write("other", "#!/bin/sh\nexit 0\n")
    write("p2.sh", COUNTING.format(at=6, then="cp -p other p2.new; mv p2.new p2.sh"))
    main([kind, "--budget", "60s", "--max-pairs", "8", "--json", *KINDS[kind]])
    document = json.loads(capsys.readouterr().out)
    first = document["doubts"][0]
    assert first["doubt"].startswith("Samples of several programs are compared as one")
    assert first["evidence"] == "p2.sh"
    if kind in ("compare", "gate"):  # whose pages have doubts
        assert main(["report", "--out", str(place / "page.html"), document["campaign"]]) == 0
        assert "Samples of several programs" in (place / "page.html").read_text(encoding="utf-8")


@pytest.mark.case("commands.G2.own-work")
def test_what_the_runs_write_is_not_doubted(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("out.txt", "result.bin"):
        Path(name).write_text("of an earlier run", encoding="utf-8")
    write("p2.sh", "#!/bin/sh\ndate +%N > $1\ncp out.txt result.bin\ncp p1.sh made.sh; ./made.sh\n")
    words = ["--budget", "60s", "--max-pairs", "6", "--output", "log.txt", "./p2.sh out.txt", "date +%N; ./p1.sh"]
    assert main(["compare", "--json", *words]) == 0
    document = json.loads(capsys.readouterr().out)
    assert not [doubt for doubt in document["doubts"] if "changed" in doubt["doubt"]]


def test_an_unfinished_campaign_of_an_earlier_version_is_gone_on_with(place: Path) -> None:
    interrupted("compare", *KINDS["compare"])
    with sqlite3.connect(place.parent / "home" / "store.sqlite") as connection:
        connection.execute("DELETE FROM file")
    write("p2.sh", "#!/bin/sh\n")
    assert main(["compare", "--resume"]) in (0, 7)


# --- the same words that mean something else --------------------------------------------------------------------------


@pytest.mark.case("commands.G1.meaning")
@pytest.mark.parametrize("kind", KINDS)
def test_the_folder_is_part_of_what_was_asked(kind: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = interrupted(kind, *KINDS[kind])
    (other := place.parent / "other").mkdir()
    os.chdir(other)
    for name in ("p1.sh", "p2.sh"):
        write(name, "#!/bin/sh\nexit 3\n")
    write(str(place / "p2.sh"), text + "# another\n")
    capsys.readouterr()
    assert main([kind, "--resume"]) == 2
    assert f"cannot be resumed: {place}/p2.sh changed since" in capsys.readouterr().err
    write(str(place / "p2.sh"), text)
    assert main([kind, "--resume", "--json"]) in (0, 6, 7)
    assert Path.cwd() == other
    assert "exit code 3" not in capsys.readouterr().out


def test_a_folder_that_is_gone_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted("compare", *KINDS["compare"])
    os.chdir(place.parent)
    place.rename("elsewhere")
    capsys.readouterr()
    assert main(["compare", "--resume"]) == 2
    said = capsys.readouterr().err
    assert f"was begun in {place}, which cannot be entered: No such file" in said
    assert said.count("\n") == 1


@pytest.mark.case("commands.G1.meaning")
@pytest.mark.parametrize(
    ("name", "then", "now", "said"),
    [
        ("OMP_NUM_THREADS", "1", "2", "its variable OMP_NUM_THREADS was '1', now it is '2'"),
        ("LD_LIBRARY_PATH", None, "/x", "its variable LD_LIBRARY_PATH was not there, now it is '/x'"),
        ("MKL_NUM_THREADS", "x", None, "its variable MKL_NUM_THREADS was 'x', now it is not there"),
        ("OF_MINE", "x", None, None),
        ("PATH", "{0}/one:/usr/bin:/bin", "{0}/two:/usr/bin:/bin", "its program inner was '{0}/one/inner'"),
        ("TERM_PROGRAM", "a", "b", None),
        ("PATH", "{0}/one:/usr/bin:/bin", "{0}/one:/bin:/usr/bin:/sbin", None),
    ],
)
def test_variables_and_programs_on_path_are_compared(
    name: str,
    then: str | None,
    now: str | None,
    said: str | None,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def put(value: str | None) -> None:
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value.format(place))

    for folder in ("one", "two"):
        (place / folder).mkdir()
        write(f"{folder}/inner", "#!/bin/sh\n")
    put(then)
    inner = ["inner"] if name == "PATH" else ["sh -c 'true $OF_MINE'"]
    interrupted("compare", "./p2.sh", *inner)
    put(now)
    capsys.readouterr()
    code = main(["compare", "--resume"])
    if said is None:
        assert code in (0, 7)
    else:
        assert code == 2
        assert said.format(place) in capsys.readouterr().err


@pytest.mark.case("commands.G1.builds")
@pytest.mark.parametrize(
    ("build", "command", "source"),
    [
        ("cp source built", "./built", "source"),
        ("cp source {build}/built", "{build}/built", "source"),
        ("./make.sh", "./built", "inner/part.txt"),
    ],
)
def test_what_a_tuning_builds_is_as_it_was(
    build: str, command: str, source: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "inner").mkdir()
    write("source", f"#!/bin/sh\ncd {place}\n{COUNTING.format(at=6, then=INTERRUPT).partition(chr(10))[2]}")
    write("make.sh", "#!/bin/sh\ncat inner/*.txt > part; cp source built\n")
    write("inner/part.txt", "1")
    write("ours.log", "1")
    words = ["--param", "N=1,2", "--build", build, "--", command, "{N}"]
    assert main(["tune", "--budget", "60s", "--max-pairs", "8", *words]) == 130
    text = Path(source).read_text(encoding="utf-8")
    write(source, text + "# another\n")
    write("ours.log", "2")
    capsys.readouterr()
    assert main(["tune", "--resume"]) == 2
    assert f"cannot be resumed: {source} changed since it was measured" in capsys.readouterr().err
    write(source, text)
    assert main(["tune", "--resume"]) != 2


@pytest.mark.case("commands.G1.builds")
def test_a_build_that_another_tuning_took_away_is_made_again(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("source", f"#!/bin/sh\ncd {place}\n{COUNTING.format(at=6, then=INTERRUPT).partition(chr(10))[2]}")
    words = ["--param", "N=1,2", "--build", "cp source built", "--", "./built", "{N}"]
    assert main(["tune", "--budget", "60s", "--max-pairs", "8", *words]) == 130
    builds = place.parent / "home" / "builds"
    assert list(builds.rglob("built"))
    shutil.rmtree(builds)
    assert main(["tune", "--resume", "--json"]) != 2
    assert list(builds.rglob("built"))
    assert "changed" not in capsys.readouterr().out
