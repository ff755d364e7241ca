"""A launcher is one file: nothing else names one, and one more is found and gone without a trace."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tree import ROOT, files

from rooftop.launchers import launchers

HOME = Path("src/rooftop/launchers")


def _texts(source: str) -> set[str]:
    """Return the texts in a program, apart from those that nothing reads: its docstrings."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    }


def test_nothing_else_names_a_launcher() -> None:
    named = {name for one in launchers() for name in (one.name, one.program, *one.names, *one.rank_variables)}
    words = re.compile(rf"(?<![\w.-])({'|'.join(map(re.escape, sorted(named)))})(?![\w.-])")
    assert words.search("--launcher openmpi")
    found = {
        path.as_posix(): [text for text in _texts((ROOT / path).read_text(encoding="utf-8")) if words.search(text)]
        for path in files()
        if path.suffix == ".py" and path.is_relative_to("src/rooftop") and not path.is_relative_to(HOME)
    }
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_one_more_file_is_one_more_launcher(tmp_path: Path) -> None:
    """It is asked for, looked for by the doctor and written into lines to copy; deleted, all is as before."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / HOME / "mpich.py").read_text(encoding="utf-8")
    added = tmp_path / HOME / "mine.py"
    program = tmp_path / "bin" / "mpirun.mine"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"

    def told() -> str:
        ask = (
            "from rooftop.doctor import find_checks\n"
            "from rooftop.launchers import launchers, launcher_of\n"
            "from rooftop.launchers.team import Team\n"
            "print([one.name for one in find_checks()], getattr(launcher_of('mpirun.mine'), 'name', None))\n"
            "for one in launchers(): print(one.name, one.started(['x'], {}, Team(ranks=1), 'close').line)"
        )
        environment = os.environ | {"PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1", "PATH": path}
        return subprocess.run(
            [sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True
        ).stdout

    before = told()
    assert "mine" not in before
    added.write_text(text.replace("MPICH", "My MPI").replace(".mpich", ".mine").replace("ORDER = 20", "ORDER = 40"))
    after = told()
    assert "'My MPI'" in after
    assert after.splitlines()[0].endswith(" mine")
    assert after.splitlines()[-1].startswith("mine mpirun.mine -np 1 ")
    added.unlink()
    assert told() == before
