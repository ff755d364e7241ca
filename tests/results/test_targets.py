"""What a targets.toml may say, and the line that refuses anything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tree import ROOT

from rooftop.errors import Misuse
from rooftop.ladder.discovery import load_declaration
from rooftop.measure.targets import Condition, Target, read_targets

TARGET = '[[target]]\nid = "a"\nasked = "x"\nsize = "S"\nmeasure = "error"\nat_most = 1.0\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[[target", "is not TOML"),
        ("", "target: Field required"),
        ("target = []", "at least 1 item"),
        (TARGET + TARGET, "two targets have the id 'a'"),
        (TARGET + "at_least = 2\n", "either at_least or at_most"),
        (TARGET.replace("at_most = 1.0", ""), "either at_least or at_most"),
        (TARGET.replace("1.0", "-1.0"), "greater than 0, found -1.0"),
        (TARGET.replace("1.0", "nan"), "target.0.at_most"),
        (TARGET.replace('"error"', '"ratio"'), "measure 'ratio' needs 'against'"),
        (TARGET + 'against = "best peer"\n', "measure 'error' has no 'against'"),
        (TARGET.replace('"error"', '"speed"'), "found 'speed'"),
        (TARGET.replace('"error"', '"figure"'), "measure 'figure' needs 'named'"),
        (TARGET + 'named = "memory_bytes"\n', "measure 'figure' needs 'named', and no other has it"),
        (TARGET.replace('"a"', '"A b"'), "found 'A b'"),
        (TARGET + "wher = { c = 1 }\n", "target.0.wher: Extra inputs are not permitted"),
        (TARGET + "where = { c = {} }\n", "min, max, equals or one_of"),
        (TARGET + 'where = { c = { min = "x" } }\n', "target.0.where.c.min"),
        (TARGET + '[opponents]\n"best peer" = ["direct"]\n', "built in"),
    ],
)
def test_bad_targets_are_refused_in_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "targets.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Misuse) as refused:
        read_targets(path)
    assert message in str(refused.value) and str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="No such file"):
        read_targets(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Misuse, match="is not TOML"):
        read_targets(tmp_path / "binary.toml")


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        ({"min": 28}, 28, True),
        ({"min": 28}, 27, False),
        ({"max": 512, "min": 128}, 513, False),
        ({"equals": "nchw"}, "nchw", True),
        ({"one_of": [256, 512]}, 384, False),
        ({"min": 0}, "nchw", False),
        ({"min": 0}, True, False),
    ],
)
def test_conditions(condition: dict[str, Any], value: Any, holds: bool) -> None:
    assert Condition(**condition).holds(value) is holds


def test_bounds_include_what_was_asked() -> None:
    asked: dict[str, Any] = {"id": "a", "asked": "x", "size": "S", "measure": "error"}
    assert Target(**asked, at_most=2.0).reached_by(2.0) and not Target(**asked, at_most=2.0).reached_by(2.1)
    assert Target(**asked, at_least=2.0).reached_by(2.0) and not Target(**asked, at_least=2.0).reached_by(1.9)


DECLARED = sorted((ROOT / "experiments").glob("**/targets.toml"))


@pytest.mark.parametrize("path", DECLARED, ids=lambda path: path.parent.name)
def test_every_declared_target_covers_cases(path: Path) -> None:
    """A target on a size, a parameter or a value that the experiment has not would never be judged."""
    targets = read_targets(path)
    declaration = load_declaration(path.parent / "experiment.py")
    for target in targets.targets:
        cases = [targets.parameters(case.parameters) for case in declaration.cases(target.size)]
        assert any(
            all(name in given and condition.holds(given[name]) for name, condition in target.where.items())
            for given in cases
        ), target.id
    assert set(targets.budgets) | set(targets.only) | set(targets.pairs) <= set(declaration.sizes)
