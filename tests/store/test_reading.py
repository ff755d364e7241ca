"""A store that is opened for reading: nothing of it changes, and whoever writes meanwhile does not wait."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from growing_store import Growing
from postgres_server import running_server, why_not

from rooftop.errors import StoreError
from rooftop.store.database import open_database, opened_database, opened_for_reading
from rooftop.store.digests import digests
from rooftop.store.place import Place
from rooftop.store.rows import select
from rooftop.store.schema import DigestRow

COUNT = "SELECT count(*) FROM sample"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture(name="place", params=["file", "server"])
def place_fixture(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "file":
        yield tmp_path / "store.sqlite"
    elif (reason := why_not()) is not None:
        pytest.skip(reason)
    else:
        with running_server() as server:
            yield server.new_store()


def test_a_writer_does_not_wait_for_readers_who_see_one_state(place: Place) -> None:
    with opened_database(place) as store:
        if isinstance(store, sqlite3.Connection):
            store.execute("PRAGMA busy_timeout=0")  # whoever has to wait fails at once
        campaign = Growing(store, "campaign")
        campaign.measure(3)
        with opened_for_reading(place, 60.0) as reader:
            assert reader.execute(COUNT).fetchone() == (3,)
            campaign.measure(3)
            assert reader.execute(COUNT).fetchone() == (3,)
            with opened_for_reading(place, 60.0) as later:
                assert later.execute(COUNT).fetchone() == (6,)
            with store.transaction(), opened_for_reading(place, 60.0) as meanwhile:
                store.execute("DELETE FROM file")
                assert meanwhile.execute(COUNT).fetchone() == (6,)


def test_nothing_can_be_written(place: Place) -> None:
    open_database(place).close()
    for statement in (
        "DELETE FROM campaign",
        "CREATE TABLE more (id INTEGER)",
        "UPDATE alembic_version SET version_num = 1",
    ):
        with pytest.raises(Exception, match=r"read-?only") as raised, opened_for_reading(place, 60.0) as reader:
            reader.execute(statement)
        assert not isinstance(raised.value, AssertionError)


def test_what_cannot_be_kept_leaves_the_state_that_is_read(place: Place) -> None:
    with opened_database(place) as store:
        campaign = Growing(store, "campaign")
        campaign.measure(3)
        with opened_for_reading(place, 60.0) as reader:
            assert reader.execute(COUNT).fetchone() == (3,)
            campaign.measure(3)
            found = digests(reader, "length", ["campaign"], lambda some: {one: {"length": len(one)} for one in some})
            assert found == {"campaign": {"length": 8}}
            assert reader.execute(COUNT).fetchone() == (3,)
        assert select(store, DigestRow, "") == []


def test_what_takes_too_long_is_ended(place: Place) -> None:
    open_database(place).close()
    with pytest.raises(StoreError, match=r"was not read within|timeout"), opened_for_reading(place, 0.2) as reader:
        reader.execute(ENDLESS).fetchone()


def test_a_file_with_a_view_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    open_database(file).close()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE VIEW endless AS SELECT 1")
    connection.close()
    with pytest.raises(StoreError, match="stores have tables only"), opened_for_reading(file, 60.0):
        pass


def test_no_store_is_made_or_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with pytest.raises(StoreError, match="cannot be read"), opened_for_reading(file, 60.0):
        pass
    assert list(tmp_path.iterdir()) == []
    with opened_database(file) as store:
        store.execute("UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(StoreError, match="has the tables of another version"), opened_for_reading(file, 60.0):
        pass
    file.write_bytes(b"no store at all " * 1000)
    with pytest.raises(StoreError, match="not a database"), opened_for_reading(file, 60.0):
        pass
