"""The file system of a path, from recorded lists of mounts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rooftop.machine.file_system import (
    DROP_CACHES,
    FileSystem,
    drops_caches,
    existing_folder,
    file_system_of,
    refuses_direct,
    refuses_io_uring,
)
from rooftop.machine.system_files import SystemFiles

Plant = Callable[[dict[str, str]], SystemFiles]


def mounts(*lines: str) -> dict[str, str]:
    """Return /proc/self/mountinfo with these mounts: "MOUNT TYPE SOURCE"."""
    rows = []
    for number, line in enumerate(lines):
        at, kind, source = line.split()
        rows.append(f"{number + 20} 1 0:{number} / {at} rw,relatime shared:1 - {kind} {source} rw")
    return {"/proc/self/mountinfo": "\n".join(rows) + "\n"}


def test_the_nearest_mount_above_a_path_counts_and_the_last_of_several(plant: Plant, tmp_path: Path) -> None:
    inner = tmp_path / "with blank"
    inner.mkdir()
    at = str(inner).replace(" ", "\\040")
    files = plant(mounts("/ ext4 /dev/vda", f"{at} nfs4 server:/a", f"{at} tmpfs tmpfs", f"{at}/other xfs /dev/vdb"))
    found = file_system_of(inner / "later" / "file", files)
    assert (found.type, found.source, found.mount_point, found.kind) == ("tmpfs", "tmpfs", str(inner), "memory")
    assert found.name == f"tmpfs on tmpfs, mounted at {inner}"
    assert found.bytes >= found.free_bytes > 0
    assert file_system_of(tmp_path, files).type == "ext4"


@pytest.mark.parametrize("text", ["", "nonsense", "1 2 3 - ", "- - -", "1 1 0:1 / /a rw - ext4"])
def test_a_list_that_cannot_be_read_leaves_the_type_unknown(plant: Plant, text: str) -> None:
    found = file_system_of(Path("/"), plant({"/proc/self/mountinfo": text}))
    assert (found.type, found.kind) == ("unknown", "local")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("ext4", "local"), ("overlay", "overlay"), ("nfs4", "remote"), ("9p", "remote"), ("ramfs", "memory")],
)
def test_kinds(kind: str, expected: str) -> None:
    assert FileSystem(kind, "a", "/").kind == expected


def test_a_path_that_is_not_there_lies_where_it_would_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert existing_folder(tmp_path / "a" / "b") == existing_folder(tmp_path / "file") == tmp_path.resolve()


def test_caches_are_dropped_where_their_file_can_be_written(plant: Plant) -> None:
    assert not drops_caches(plant({}))
    assert drops_caches(plant({DROP_CACHES: ""}))


def test_direct_and_io_uring_are_tried_for_real_and_leave_nothing(tmp_path: Path) -> None:
    assert refuses_direct(tmp_path) is None or isinstance(refuses_direct(tmp_path), str)
    assert list(tmp_path.iterdir()) == []
    assert refuses_direct(tmp_path / "absent") == "No such file or directory"
    assert refuses_io_uring() is None or isinstance(refuses_io_uring(), str)
