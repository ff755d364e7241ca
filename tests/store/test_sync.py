"""Copying campaigns between stores: all of it, nothing twice, whenever it is done and wherever it is killed."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from growing_store import Growing, contents
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from rooftop.store.database import open_database, opened_database
from rooftop.store.protocol import Store
from rooftop.store.rows import insert, select
from rooftop.store.schema import CampaignRow, SampleRow
from rooftop.store.sync import Synchronized, synchronized

SYNC = """
import sys
from pathlib import Path
from rooftop.store.database import opened_database
from rooftop.store.sync import synchronized
with opened_database(Path(sys.argv[1])) as source, opened_database(Path(sys.argv[2])) as target:
    print("open", flush=True)
    synchronized(source, target)
"""


@pytest.fixture(name="stores")
def stores_fixture(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    with opened_database(tmp_path / "a.sqlite") as source, opened_database(tmp_path / "b.sqlite") as target:
        yield source, target


Stores = tuple[Store, Store]


def grown(store: Store, name: str) -> Growing:
    campaign = Growing(store, name, cases=2)
    campaign.measure(5)
    campaign.look()
    campaign.keep_file("digest")
    return campaign


def test_a_campaign_is_copied_once(stores: Stores) -> None:
    source, target = stores
    grown(source, "first").finish()
    grown(source, "second")
    told: list[tuple[str, int]] = []
    done = synchronized(source, target, lambda *one: told.append(one))
    assert done == Synchronized(new=2, samples=20)
    assert told == [("first", 10), ("second", 10)]
    assert contents(target) == contents(source)
    assert synchronized(source, target) == Synchronized(unchanged=2)
    assert contents(target) == contents(source)


def test_one_that_has_grown_is_brought_up_to_date(stores: Stores) -> None:
    source, target = stores
    campaign = grown(source, "first")
    synchronized(source, target)
    for grow in (campaign.fail, campaign.look, lambda: campaign.keep_file("other"), campaign.finish_case):
        grow()
        assert synchronized(source, target) == Synchronized(grown=1)
        assert contents(target) == contents(source)
    campaign.resume(source)
    campaign.measure(2)
    campaign.keep_file(None)
    campaign.finish()
    assert synchronized(source, target) == Synchronized(grown=1, samples=4)
    assert contents(target) == contents(source)
    assert synchronized(target, source) == Synchronized(unchanged=1)


def test_stores_of_several_jobs_meet_in_one(tmp_path: Path, stores: Stores) -> None:
    source, target = stores
    grown(source, "first")
    with opened_database(tmp_path / "c.sqlite") as other:
        grown(other, "second")
        for _ in range(2):
            synchronized(source, target)
            synchronized(other, target)
        assert contents(target) == contents(source) | contents(other)


def test_an_older_state_does_not_take_the_place_of_a_newer_one(stores: Stores) -> None:
    source, target = stores
    campaign = grown(source, "first")
    synchronized(source, target)
    campaign.resume(target)
    campaign.measure()
    before = contents(target)
    assert synchronized(source, target) == Synchronized(unchanged=1)
    assert contents(target) == before
    assert synchronized(target, source) == Synchronized(grown=1, samples=6)
    assert contents(source) == before


def test_what_went_on_in_both_is_refused_and_others_are_copied(stores: Stores) -> None:
    source, target = stores
    campaign = grown(source, "first")
    synchronized(source, target)
    for store in stores:
        campaign.resume(store)
        campaign.measure()
    before = contents(target)["first"]
    grown(source, "second")
    done = synchronized(source, target)
    assert replace(done, refused=()) == Synchronized(new=1, samples=10)
    assert done.refused == ("campaign first was resumed in both stores, each by itself: the target keeps its own",)
    assert contents(target)["first"] == before


def test_another_campaign_of_the_same_id_is_refused(stores: Stores) -> None:
    source, target = stores
    grown(source, "first")
    grown(target, "first")
    target.execute("UPDATE campaign SET started = '1999-01-01T00:00:00Z'")
    before = contents(target)
    assert "its started differs" in synchronized(source, target).refused[0]
    assert contents(target) == before


def test_samples_that_differ_are_refused(stores: Stores) -> None:
    source, target = stores
    campaign = grown(source, "first")
    synchronized(source, target)
    target.execute("UPDATE sample SET elapsed_ns = 1 WHERE id = (SELECT max(id) FROM sample)")
    campaign.measure()
    before = contents(target)
    assert "other samples" in synchronized(source, target).refused[0]
    assert contents(target) == before


def test_one_that_was_killed_as_it_began_is_brought_up_to_date(stores: Stores) -> None:
    source, target = stores
    campaign = grown(source, "first")
    campaign.resume(source)
    (row,) = select(source, CampaignRow, "")
    insert(target, row)  # and no session
    assert synchronized(source, target) == Synchronized(grown=1, samples=10)
    assert contents(target) == contents(source)


def test_one_that_is_written_meanwhile_is_copied_as_it_was(stores: Stores, tmp_path: Path) -> None:
    source, target = stores
    campaign = grown(source, "first")
    with opened_database(tmp_path / "a.sqlite") as reader:
        grown(source, "second")
        synchronized(reader, target, lambda *_: campaign.measure())
    assert len(select(target, SampleRow, "")) == 20
    synchronized(source, target)
    assert contents(target) == contents(source)


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_instants_nothing_is_lost_or_doubled(tmp_path: Path, seed: int) -> None:
    source, target = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    rng = random.Random(seed)
    with opened_database(source) as store:
        for number in range(30):
            grown(store, f"campaign {number}").measure(rng.randrange(1, 60))
        whole = contents(store)
        with opened_database(target):
            pass
        for _ in range(6):
            words = [sys.executable, "-c", SYNC, str(source), str(target)]
            with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as copy:
                assert copy.stdout is not None
                copy.stdout.readline()
                time.sleep(rng.random() * 0.06)
                copy.send_signal(signal.SIGKILL)
            with opened_database(target) as there:
                found = contents(there)
            assert found.items() <= whole.items(), "a campaign is there in part"
        with opened_database(target) as there:
            synchronized(store, there)
            assert contents(there) == whole


# --- Any order of growing and copying ---------------------------------------------------------------------------------


@pytest.fixture(scope="module", name="empty", autouse=True)
def empty_fixture(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A store without campaigns, to be copied."""
    Copying.folder = tmp_path_factory.mktemp("stores")
    open_database(Copying.folder / "empty.sqlite").close()


class Copying(RuleBasedStateMachine):
    """A store in which campaigns grow, one on the way, and a target."""

    folder = Path()
    made = 0

    @initialize()
    def begin(self) -> None:
        Copying.made += 1
        files = [self.folder / f"{Copying.made}-{name}.sqlite" for name in ("source", "middle", "target")]
        for file in files:
            shutil.copy(self.folder / "empty.sqlite", file)
        self.source, self.middle, self.target = (open_database(file) for file in files)
        self.campaigns: list[Growing] = []

    def teardown(self) -> None:
        if hasattr(self, "source"):
            self.whole()
            for store in (self.source, self.middle, self.target):
                store.close()

    @rule(cases=st.integers(1, 2))
    def start(self, cases: int) -> None:
        self.campaigns.append(Growing(self.source, f"campaign {len(self.campaigns)}", cases))

    @precondition(lambda self: self.campaigns)
    @rule(data=st.data(), samples=st.integers(0, 4))
    def grow(self, data: st.DataObject, samples: int) -> None:
        campaign = data.draw(st.sampled_from(self.campaigns))
        steps = {
            "resume": lambda: campaign.resume(self.source),
            "measure": lambda: campaign.measure(samples),
            "fail": campaign.fail,
            "finish case": campaign.finish_case,
            "look": campaign.look,
            "keep file": lambda: campaign.keep_file(f"digest {samples}"),
            "drop file": lambda: campaign.keep_file(None),
            "end": campaign.end,
            "finish": campaign.finish,
        }
        steps[data.draw(st.sampled_from(sorted(steps)))]()

    @rule()
    def to_the_target(self) -> None:
        synchronized(self.source, self.target)
        assert contents(self.target) == contents(self.source)

    @rule()
    def to_the_middle(self) -> None:
        synchronized(self.source, self.middle)

    @rule()
    def by_the_middle(self) -> None:
        assert not synchronized(self.middle, self.target).refused

    @rule()
    def back(self) -> None:
        before = contents(self.source)
        done = synchronized(self.target, self.source)
        assert (done.new, done.grown, done.samples, done.refused) == (0, 0, 0, ())
        assert contents(self.source) == before

    def whole(self) -> None:
        """Check what the last copies come to."""
        synchronized(self.source, self.middle)
        synchronized(self.middle, self.target)
        assert contents(self.target) == contents(self.source)
        assert synchronized(self.source, self.target).grown == 0


TestCopying = Copying.TestCase
TestCopying.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
