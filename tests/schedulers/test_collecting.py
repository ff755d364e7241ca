"""The store of a job is merged into the user's: every sample is there once, however often it is collected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from still_machine import StillMachine

from rooftop.ladder.discovery import Module
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_state import CaseState
from rooftop.schedulers.collecting import collected
from rooftop.store.campaign_store import CampaignStore
from rooftop.store.database import open_database, opened_database
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow
from rooftop.store.sync import synchronized

CAMPAIGN = "20260101-000000-abcd"
_TAKEN = """
SELECT "case".campaign, arm.name, sample.block, sample.taken_ns FROM sample
JOIN arm ON arm.id = sample.arm_id JOIN "case" ON "case".id = arm.case_id
JOIN session ON session.id = sample.session_id AND session.campaign = "case".campaign
"""


def state() -> CaseState:
    arms = [Arm(Module(name, "rung", Path(), Path(), "", None, "built", ()), "command") for name in ("a", "b")]
    return CaseState("compare", "commands", "commands", {}, 1.0, arms)


def work(file: Path, samples: int, *, first: int, campaign: str = CAMPAIGN, finish: bool = False) -> None:
    """Work on a campaign for a session, from its beginning or from where it was."""
    with opened_database(file) as connection:
        rows = select(connection, CampaignRow, "WHERE id = ?", campaign)
        case = state()
        if rows:
            store = CampaignStore(connection, rows[0], {})
        else:
            store = CampaignStore.create(
                connection,
                campaign=campaign,
                request={"kind": "compare"},
                fingerprint={},
                machine=StillMachine().identity(),
                cases=[case],
                conditions={},
            )
        store.restore(case)
        for arm in case.arms:
            arm.outcome = "ok"
            store.arm_changed(case, arm)
        for number in range(first, first + samples):
            for place, arm in enumerate(case.arms):
                store.sample_taken(case, arm, Sample(number, place, 1, 1e6, 10 * number + place, None, None))
            case.blocks = number + 1
            store.case_changed(case)
        if finish:
            store.case_finished(case)
            store.finish()


@pytest.fixture(name="user")
def user_fixture(tmp_path: Path) -> Iterator[Store]:
    with ExitStack() as stack:
        connection = open_database(tmp_path / "user.sqlite")
        stack.callback(connection.close)
        yield connection


def taken(user: Store) -> Counter[tuple[str, str, int, int]]:
    return Counter(user.execute(_TAKEN).fetchall())


def all_of(samples: int, campaign: str = CAMPAIGN) -> Counter[tuple[str, str, int, int]]:
    return Counter((campaign, "ab"[place], one, 10 * one + place) for one in range(samples) for place in (0, 1))


def test_collected_twice_is_collected_once(tmp_path: Path, user: Store) -> None:
    work(tmp_path / "job.sqlite", 5, first=0)
    for _ in range(3):
        assert collected(tmp_path / "job.sqlite", user) == [CAMPAIGN]
        assert taken(user) == all_of(5)
    assert [len(user.execute(f'SELECT * FROM "{table}"').fetchall()) for table in ("session", "case", "arm")] == [
        1,
        1,
        2,
    ]


def test_job_without_a_store_brings_nothing(tmp_path: Path, user: Store) -> None:
    assert collected(tmp_path / "none.sqlite", user) == []
    assert not (tmp_path / "none.sqlite").exists()


def test_what_was_there_stays(tmp_path: Path, user: Store) -> None:
    work(tmp_path / "user.sqlite", 3, first=0, campaign="20250101-000000-0000")
    work(tmp_path / "job.sqlite", 4, first=0)
    collected(tmp_path / "job.sqlite", user)
    assert taken(user) == all_of(3, "20250101-000000-0000") + all_of(4)


def test_an_older_job_does_not_undo_a_later_one(tmp_path: Path, user: Store) -> None:
    first, second = tmp_path / "first.sqlite", tmp_path / "second.sqlite"
    work(first, 3, first=0)
    collected(first, user)
    with opened_database(second) as job:
        synchronized(user, job, only=CAMPAIGN)
    work(second, 4, first=3, finish=True)
    collected(second, user)
    collected(first, user)
    assert taken(user) == all_of(7)
    (row,) = select(user, CampaignRow, "")
    assert row.finished is not None
    assert user.execute('SELECT blocks, finished FROM "case"').fetchall() == [(7, 1)]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(st.integers(0, 4), min_size=1, max_size=4),
    order=st.lists(st.integers(0, 3), max_size=8),
)
def test_jobs_in_a_row_collected_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, parts: list[int], order: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("jobs")
    with opened_database(folder / "user.sqlite") as user:
        files = [folder / f"{number}.sqlite" for number in range(len(parts))]
        done = 0
        for number, samples in enumerate(parts):
            if number:
                with opened_database(files[number]) as job:
                    synchronized(user, job, only=CAMPAIGN)
            work(files[number], samples, first=done, finish=number == len(parts) - 1)
            done += samples
            collected(files[number], user)
            for other in order:
                if other <= number:
                    collected(files[other], user)
            assert taken(user) == all_of(done)
        assert user.execute('SELECT blocks FROM "case"').fetchone() == (done,)
