"""A disk without space ends a campaign with one line; what was kept stays, and it goes on once there is space."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rooftop.store.database import opened_database
from rooftop.store.rows import select
from rooftop.store.schema import SampleRow

_LARGEST = 500_000  # bytes of a file, some 100 samples
_WRITER = f"""
import resource
from growing_store import Growing
from pathlib import Path
from rooftop.errors import StoreError
from rooftop.store.database import opened_database
with opened_database(Path(sys.argv[1])) as store:
    campaign = Growing(store, "first")
    space, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ({_LARGEST}, most))
    taken = 0
    try:
        while True:
            campaign.measure(1)
            taken += 1
    except StoreError as error:
        print(taken)
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (space, most))
    campaign.resume(store)
    campaign.measure(3)
"""


def test_what_was_kept_before_the_disk_was_full_stays(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    program = f"import sys; sys.path[:0] = {sys.path!r}\n{_WRITER}"
    ended = subprocess.run([sys.executable, "-c", program, str(file)], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    taken, said = ended.stdout.splitlines()
    assert said.startswith("the store cannot be written: ")
    assert said.endswith("free some space, then resume")
    with opened_database(file) as store:
        found = [row.elapsed_ns - 1e7 for row in select(store, SampleRow, "ORDER BY id")]
    kept = int(taken)
    assert kept > 0
    # The sample for which there was no space may be kept or not, depending on which of its writes failed.
    assert found[:kept] == list(range(1, kept + 1))
    assert found[-3:] == [kept + 2, kept + 3, kept + 4] or found[-3:] == [kept + 1, kept + 2, kept + 3]
    assert len(set(found)) == len(found) == kept + 3
