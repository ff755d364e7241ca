"""A campaign of many samples is copied in several transactions: others write in between, and a kill loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from growing_store import Growing, contents

from rooftop.campaign.rebuild import find_campaign, newest_campaign
from rooftop.errors import Misuse
from rooftop.store import sync
from rooftop.store.campaign_store import CampaignStore
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, campaigns, choose
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow, SampleRow
from rooftop.store.sqlite import SqliteStore
from rooftop.store.sync import Synchronized, synchronized

SAMPLES = 4  # of a transaction


class Killed(BaseException):
    """The end of a copy."""


@pytest.fixture(name="stores")
def stores_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Store, Store]]:
    monkeypatch.setattr(sync, "_CHUNK", SAMPLES)
    with opened_database(tmp_path / "a.sqlite") as source, opened_database(tmp_path / "b.sqlite") as target:
        yield source, target


Stores = tuple[Store, Store]


def grown(store: Store, name: str = "first") -> Growing:
    campaign = Growing(store, name, cases=2)
    campaign.measure(7)
    campaign.resume(store)
    campaign.measure(3)
    campaign.look()
    return campaign


def killed_after(monkeypatch: pytest.MonkeyPatch, transactions: int, source: Store, target: Store) -> None:
    """Copy, and end it after so many transactions."""
    begun = [0]
    whole = SqliteStore.transaction

    @contextmanager
    def counted(self: SqliteStore) -> Iterator[None]:
        begun[0] += 1
        if begun[0] > transactions:
            raise Killed
        with whole(self):
            yield

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "transaction", counted)
        with pytest.raises(Killed):
            synchronized(source, target)


@pytest.mark.parametrize("transactions", [1, 2, 3, 4])
def test_a_copy_that_is_killed_is_completed(stores: Stores, monkeypatch: pytest.MonkeyPatch, transactions: int) -> None:
    source, target = stores
    grown(source).finish()
    killed_after(monkeypatch, transactions, source, target)
    assert len(select(target, SampleRow, "")) == SAMPLES * transactions
    (row,) = select(target, CampaignRow, "")
    assert row.copying is not None
    assert row.finished is None
    for refused in (
        lambda: find_campaign(target, "first"),
        lambda: choose(target, "compare", Resume(), lambda _: None, lambda _: None),
        lambda: CampaignStore(target, row, {}),
    ):
        with pytest.raises(Misuse, match="was copied in part only: run the 'rooftop sync'"):
            refused()
    assert newest_campaign(target) is None
    assert [listed.copying for listed, _ in campaigns(target)] == [row.copying]
    assert "in part only" in synchronized(target, source).refused[0]
    done = synchronized(source, target)
    assert (done.grown, done.samples) == (1, 20 - SAMPLES * transactions)
    assert contents(target) == contents(source)
    assert synchronized(source, target) == Synchronized(unchanged=1)


def test_others_write_between_the_transactions_of_a_copy(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = stores
    grown(source)
    with opened_database(Path(target.execute("PRAGMA database_list").fetchone()[2])) as other:
        there = Growing(other, "second")
        open_again = SqliteStore.transaction

        def between(self: SqliteStore) -> AbstractContextManager[None]:
            if self is target:
                there.measure(1)
            return open_again(self)

        monkeypatch.setattr(SqliteStore, "transaction", between)
        assert synchronized(source, target) == Synchronized(new=1, samples=20)
        monkeypatch.undo()
    assert contents(target)["first"] == contents(source)["first"]
    assert len(select(target, SampleRow, "")) > 20 + 20 // SAMPLES


def test_two_copies_that_take_turns_make_one(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = stores
    grown(source)
    files = [Path(store.execute("PRAGMA database_list").fetchone()[2]) for store in stores]
    begun = [0]
    whole = SqliteStore.transaction

    def between(self: SqliteStore) -> AbstractContextManager[None]:
        begun[0] += self is target
        if self is target and begun[0] == 3:
            with opened_database(files[0]) as again, opened_database(files[1]) as other:
                killed_after(monkeypatch, 1, again, other)
        return whole(self)

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "transaction", between)
        synchronized(source, target)
    assert contents(target) == contents(source)


def test_an_older_state_does_not_end_the_copy_of_a_newer_one(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = stores
    campaign = Growing(source, "first")
    campaign.measure(2)
    with opened_database(Path(source.execute("PRAGMA database_list").fetchone()[2]).with_name("c.sqlite")) as older:
        synchronized(source, older)
        campaign.measure(9)
        campaign.resume(source)
        campaign.measure(3)
        killed_after(monkeypatch, 1, source, target)
        before = contents(target)
        synchronized(older, target)
        assert contents(target) == before
    synchronized(source, target)
    assert contents(target) == contents(source)
