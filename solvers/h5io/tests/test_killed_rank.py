"""A rank killed during a collective write ends the job. The old file stays, beside a file with a telling name."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from rooftop.settings import Settings
from rooftop.solvers import h5io

PROGRAM = "solvers/h5io/mpi/tests/rooftop_h5io_mpi_test"


@pytest.mark.parametrize("kind", ["WritingAnArray", "WritingChunks"])
def test_a_killed_rank_leaves_the_old_file(kind: str, tmp_path: Path) -> None:
    program, mpirun = Settings().build_folder / PROGRAM, shutil.which("mpirun.openmpi")
    if mpirun is None or not program.is_file():
        pytest.skip("the tests on ranks are not built")
    path = tmp_path / "x.h5"
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "ROOFTOP_TEST_FILE": str(path),
    }
    words = ("--gtest_also_run_disabled_tests", f"--gtest_filter=KilledRank.DISABLED_{kind}")
    done = subprocess.run(
        [mpirun, "-np", "3", "--oversubscribe", "--bind-to", "none", program, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode != 0
    assert "signal 9" in done.stdout + done.stderr
    with h5io.File(path) as file:
        assert file.datasets() == ["before"]
        assert np.array_equal(file["before"][...], np.arange(512 * 256, dtype="<i4").reshape(512, 256))
    [left] = [one.name for one in tmp_path.iterdir() if one != path]
    assert left.startswith("x.h5.partial-")
