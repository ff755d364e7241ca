"""The commands that the guide to gating shows work as they are shown, in a repository such as it speaks of."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from rooftop.cli.app import main

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "gating.md").read_text(encoding="utf-8")
SHOWN = [line for line in GUIDE.splitlines() if line.startswith("rooftop ")]
FILES = {
    "bench.sh": "#!/bin/sh\nsleep 0.0$1\n",
    "Makefile": "bench: bench.sh\n\tcp bench.sh bench && chmod +x bench\n",
    "rate": "#!/bin/sh\necho rate 20\n",
}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_shown_commands_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
        (folder / name).chmod(0o755)
    match = re.search(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    assert match is not None
    (folder / "gate.toml").write_text(match[1], encoding="utf-8")
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], check=True)
    assert len(SHOWN) >= 5
    for line in SHOWN:
        # On a busy machine "not resolved" is an answer too, and here it is not what is asked.
        lenient = [] if "--history" in line else ["--max-pairs", "12"]
        words = shlex.split(line)[1:]
        assert main([words[0], *lenient, *words[1:]]) in (0, 7), line
        assert "internal error" not in capfd.readouterr().err
    assert (folder / "gate.xml").is_file()
    assert (folder / "gate.md").read_text(encoding="utf-8").startswith("## ")
