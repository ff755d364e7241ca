"""Memory that may still be taken, under recorded cgroup files."""

from __future__ import annotations

from pathlib import Path

from rooftop.driver.memory import available_bytes


def write(folder: Path, **files: str) -> None:
    """Write files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content, encoding="ascii")


def test_the_tightest_limit_above_counts(tmp_path: Path) -> None:
    proc, sys_fs = tmp_path / "proc", tmp_path / "sys"
    write(proc / "self", cgroup="0::/a/b\n")
    write(sys_fs / "a", memory__max="1000000\n", memory__current="400000\n", memory__stat="inactive_file 50000\n")
    write(sys_fs / "a" / "b", memory__max="max\n", memory__current="300000\n")
    assert available_bytes(proc, sys_fs) == 650_000


def test_version_1(tmp_path: Path) -> None:
    proc, sys_fs = tmp_path / "proc", tmp_path / "sys"
    write(proc / "self", cgroup="5:cpu:/x\n4:memory:/x\n")
    write(sys_fs / "memory" / "x", memory__limit_in_bytes="9000\n", memory__usage_in_bytes="10000\n")
    assert available_bytes(proc, sys_fs) == 0


def test_without_cgroups_the_kernel_is_asked(tmp_path: Path) -> None:
    assert available_bytes(tmp_path, tmp_path) > 0
