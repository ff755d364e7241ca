"""Without ROOFTOP_HDF5_IO_FOLDER files are written in a folder of the user's own, and in nobody else's."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from rooftop.settings import Settings

BUILT = Settings().build_folder / "experiments" / "hdf5_io"
CASE = {"rows": 5, "columns": 37, "block": 37, "stride": 37, "chunk_rows": 0, "chunk_columns": 0, "filter": "none",
        "cold": 0}  # fmt: skip

pytestmark = pytest.mark.skipif(not (BUILT / "driver").is_file(), reason="hdf5_io is not built")


def set_up(temporary: Path) -> str:
    """Return what a rung answers whose file is in the temporary folder."""
    words = [str(BUILT / "driver"), "run", "--module", str(BUILT / "rungs" / "10-library.so")]
    environment = {name: value for name, value in os.environ.items() if name != "ROOFTOP_HDF5_IO_FOLDER"}
    done = subprocess.run(
        words,
        input=json.dumps({"op": "case", "case": CASE, "seed": 1, "threads": 1}) + "\n",
        env=environment | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout + done.stderr


def test_a_folder_of_ones_own_is_made_and_used_again(tmp_path: Path) -> None:
    for _ in range(2):
        assert '"outcome":"ok"' in set_up(tmp_path)
        assert (tmp_path / "rooftop-hdf5-io" / "5x37.h5").is_file()


def test_a_folder_of_others_is_refused(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "rooftop-hdf5-io", tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)
    told = f"{folder} is no folder of this user: set ROOFTOP_HDF5_IO_FOLDER"
    assert told in set_up(tmp_path)
    folder.unlink()
    if os.geteuid() == 0:  # who may give files away
        folder.mkdir(mode=0o777)
        os.chown(folder, 65534, 65534)
        assert told in set_up(tmp_path)
    assert list(elsewhere.iterdir()) == []
