"""A killed campaign has each sample once, and so have copies of its store; what is lost is counted."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from growing_store import Growing
from postgres_server import running_server, why_not

from benchmarks.interrupts.campaign_store import lacking, samples, twice
from benchmarks.interrupts.kills import Killed, _Copies, is_first_part
from benchmarks.interrupts.restarts import restarted
from rooftop.store.database import opened_database


def test_a_killed_campaign_has_each_sample_once(tmp_path: Path) -> None:
    one = Killed(tmp_path, seed=3, pairs=20)
    for _ in range(4):
        one.kill()
    one.end()
    found = one.found
    assert found.finished >= 1
    assert (found.lost, found.twice, found.left, found.torn, found.wrong) == (0, 0, 0, 0, [])
    assert found.samples >= found.finished * 40


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_a_campaign_whose_server_is_restarted_has_each_sample_once(tmp_path: Path) -> None:
    with running_server() as server:
        found = restarted(server, tmp_path, count=3, pairs=20, seed=1)
    assert (found.lost, found.twice, found.left, found.wrong) == (0, 0, 0, [])
    assert found.restarts >= 3
    assert found.samples >= found.finished * 40 > 0


def test_what_is_lost_or_twice_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with opened_database(file) as store:
        Growing(store, "first").measure(2)
        copies = _Copies(file, tmp_path)
        copies.take()
        whole = samples(file)
        assert copies.taken == [whole]
        assert len(whole) == 2
        assert is_first_part(whole[:1], whole)
        assert not is_first_part(whole[1:], whole)
        assert twice(file) == 0
        store.execute("UPDATE sample SET arm_id = (SELECT min(id) FROM arm)")
        assert twice(file) == 1


@pytest.mark.parametrize("contents", [b"no database, but long enough to be read" * 100])
def test_a_copy_that_cannot_be_read_is_counted(tmp_path: Path, contents: bytes) -> None:
    file = tmp_path / "store.sqlite"
    file.write_bytes(contents)
    with pytest.raises(sqlite3.DatabaseError):
        samples(file)
    copies = _Copies(file, tmp_path)
    copies.take()
    assert copies.taken == [None]


def test_what_a_finished_campaign_lacks_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with opened_database(file) as store:
        assert lacking(file, 4) == 8
        growing = Growing(store, "first")
        for samples_of_block in (2, 2, 1):  # a kill ends the third pair
            growing.measure(samples_of_block)
        growing.resume(store)
        for _ in range(2):
            growing.measure(2)
        first, last = (store.execute(f"SELECT {which}(block) FROM sample").fetchone()[0] for which in ("min", "max"))
        assert lacking(file, 4) == 0
        assert lacking(file, 6) == 4
        for block, lost in ((first + 1, 1), (last, 1 + 2)):  # half a pair at the end is none
            store.execute("DELETE FROM sample WHERE id IN (SELECT max(id) FROM sample WHERE block = ?)", [block])
            assert lacking(file, 4) == lost
