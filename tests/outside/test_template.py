"""``rooftop new``: whole or not at all, and never over something that is there."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.cli.app import main
from rooftop.errors import Misuse
from rooftop.ladder.template import make_experiment
from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]


def test_the_template_under_its_own_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "my_sum"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "rooftop show my_sum --from my_sum",
        "rooftop climb my_sum --from my_sum",
    ]
    made = {file.relative_to(tmp_path / "my_sum").as_posix() for file in (tmp_path / "my_sum").rglob("*")}
    template = ROOT / "experiments" / "_template"
    copied = {file.relative_to(template).as_posix() for file in template.rglob("*") if "__pycache__" not in file.parts}
    assert made == copied | {"CMakeLists.txt", ".gitignore"}
    texts = {file: file.read_text(encoding="utf-8") for file in (tmp_path / "my_sum").rglob("*") if file.is_file()}
    assert [file for file, text in texts.items() if "_template" in text or str(ROOT) in text] == []
    for name in ("problem.cpp", "README.md", "CMakeLists.txt", "experiment.py"):
        assert "my_sum" in texts[tmp_path / "my_sum" / name]


def test_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "some where").mkdir()
    assert main(["new", "my_sum", "--in", "some where", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "rooftop/new/1"
    assert told["folder"] == str(tmp_path / "some where" / "my_sum")
    assert "rungs/10-one-sum.cpp" in told["files"]
    assert told["next"][1] == "rooftop climb my_sum --from 'some where/my_sum'"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["1st"], "NAME is '1st', expected letters, digits and underscores, the first one a letter"),
        (["_hidden"], "NAME is '_hidden', expected letters"),
        (["my-sum"], "NAME is 'my-sum', expected letters"),
        (["../sum"], "NAME is '../sum', expected letters"),
        (["a" * 300], "cannot be made: File name too long"),
        (["taken"], "taken is there already, expected a name that is not taken"),
        (["dangling"], "dangling is there already"),
        (["fine", "--in", "nowhere"], "nowhere is not a folder, expected the one in which fine is to be made"),
        (["fine", "--in", "file"], "file is not a folder"),
        (["fine", "--in", str(ROOT / "experiments")], "belongs to the bench's own tree"),
        ([], "NAME"),
    ],
)
def test_misuse_leaves_nothing_behind(
    words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    (tmp_path / "dangling").symlink_to("nothing")
    before = sorted(tmp_path.rglob("*"))
    assert main(["new", *words]) == 2
    told = capsys.readouterr()
    assert expected in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert sorted(tmp_path.rglob("*")) == before


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text().filter(lambda text: not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", text)))
def test_no_other_name_is_taken(name: str, tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="NAME is"):
        make_experiment(name, tmp_path, Settings())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_is_left_half_made(
    fault: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr(shutil, "copy", fail)
    assert main(["new", "my_sum"]) == (2 if isinstance(fault, OSError) else 130)
    assert list(tmp_path.iterdir()) == []
    assert isinstance(fault, KeyboardInterrupt) or "No space left on device" in capsys.readouterr().err
