"""What a command's processes run is seen while they do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rooftop.command.measured_files import SeenFiles
from rooftop.command.process import Limits, run
from rooftop.machine.system_files import Processes

MAPS = """\
55d0 r--p 00000000 fe:00 1 /place/app
55d0-55d1 r--p 00000000 fe:00 1                          /place/data.so
55d0-55d1 r-xp 00000000 fe:00 1                          /place/app
55d2-55d3 r-xp 00000000 fe:00 2                          /place/with space.so
55d2-55d3 rwxp 00000000 00:00 0
55d2-55d3 r-xp 00000000 fe:00 3                          /place/old.so (deleted)
55d2-55d3 r-xp 00000000 00:01 4                          /memfd:jit (deleted)
55d2-55d3 rwxs 00000000 00:01 4                          /dev/zero
7ffd-7ffe r-xp 00000000 00:00 0                          [vdso]
"""


def test_mapped_code_is_read_from_proc(tmp_path: Path) -> None:
    process = tmp_path / "7"
    (process / "task" / "7").mkdir(parents=True)
    (process / "task" / "7" / "children").write_text("9 ", encoding="utf-8")
    (process / "maps").write_text(MAPS, encoding="utf-8")
    (process / "cmdline").write_bytes(b"./app\0data\0")
    (process / "cwd").symlink_to("/place")
    seen = SeenFiles(Processes(str(tmp_path)))
    intervals = [seen.interval_s]
    for _ in range(3):
        seen.look([7])
        intervals.append(seen.interval_s)
    assert list(seen.mapped) == [Path("/place/app"), Path("/place/with space.so")]
    assert list(seen.begun) == [(Path("/place"), ("./app", "data"))]
    assert intervals == sorted(set(intervals))


@pytest.mark.case("commands.G1.files")
def test_children_and_their_folders_are_seen(tmp_path: Path) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    (folder / "inner.sh").write_text("read answer\n", encoding="utf-8")
    stop = tmp_path / "stop"

    class Until(SeenFiles):
        def look(self, roots: object) -> None:
            super().look(roots)  # type: ignore[arg-type]
            if (folder, ("sh", "inner.sh")) in self.begun:
                stop.touch()

    waiting = f"import os, subprocess\nchild = subprocess.Popen(['sh', 'inner.sh'], cwd={str(folder)!r}, stdin=-1)\n"
    waiting += f"while not os.path.exists({str(stop)!r}): pass\nchild.stdin.close(); child.wait()"
    seen = Until()
    assert run([sys.executable, "-c", waiting], Limits(timeout_s=60), observer=seen).status == 0
    assert Path(sys.executable).resolve() in seen.mapped
