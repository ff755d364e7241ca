"""Copy campaigns from one store to another. Nothing is copied twice: what the target has already is left as it is.

A campaign only grows: its sessions, and a session's samples, are stored one after the other and never changed. So a
copy is behind its original, or equal to it, and what is missing is the end of it. A transaction adds at most `_CHUNK`
samples, so that others write in between. A campaign that lacks more is marked until it is whole: it is not resumed,
read or copied on, and the next copy completes it, whether this one was killed or still runs.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from rooftop.interrupts import uninterrupted
from rooftop.store.campaign_store import IN_PART
from rooftop.store.protocol import Store
from rooftop.store.rows import insert, insert_all, select, update
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, FileRow, RoofRow, SampleRow, SessionRow

RowT = TypeVar("RowT", CaseRow, ArmRow, SessionRow)

_CHUNK = 10_000  # samples that are in memory, and in a transaction, at a time
_OF_CAMPAIGN = "WHERE campaign = ? ORDER BY id"
_ARMS = 'JOIN "case" ON "case".id = arm.case_id WHERE "case".campaign = ? ORDER BY arm.id'
_TAKEN = """
SELECT sample.session_id, count(*) FROM sample JOIN arm ON arm.id = sample.arm_id
JOIN "case" ON "case".id = arm.case_id WHERE "case".campaign = ? GROUP BY sample.session_id
"""
_OF_SESSION = """
JOIN arm ON arm.id = sample.arm_id JOIN "case" ON "case".id = arm.case_id
WHERE "case".campaign = ? AND sample.session_id = ? AND sample.id > ? ORDER BY sample.id
"""


@dataclass(frozen=True)
class Synchronized:
    """What a copy has found and done.

    new        campaigns that the target did not have
    grown      campaigns of which the target had an earlier state
    unchanged  campaigns of which it had this state, or a later one
    samples    added to the target
    refused    a line for each campaign that is another, or has another course, in the target: it stays as it is there
    """

    new: int = 0
    grown: int = 0
    unchanged: int = 0
    samples: int = 0
    refused: tuple[str, ...] = ()


@dataclass(frozen=True)
class _State:
    """A campaign as one store has it, without its samples. `taken`: samples of each session."""

    campaign: CampaignRow
    sessions: list[SessionRow]
    cases: list[CaseRow]
    arms: list[ArmRow]
    roofs: list[RoofRow]
    files: list[FileRow]
    taken: list[int]

    def progress(self, sessions: int) -> tuple[object, ...]:
        """Return what only grows, over the first `sessions`."""
        last_s = [row.last_s for row in self.sessions[:sessions]]
        return sum(self.taken[:sessions]), self.campaign.finished is not None, max(last_s, default=0.0)


def synchronized(
    source: Store,
    target: Store,
    told: Callable[[str, int], None] = lambda campaign, samples: None,
    *,
    only: str | None = None,
) -> Synchronized:
    """Bring the target's campaigns up to date with the source's, and add those that it lacks.

    told  called with each campaign that was changed in the target, and the number of samples added to it
    only  the id of the one campaign that is copied; None: all are

    Both stores may be in use: a campaign that still runs is copied as it is now. A campaign that has gone on in both is
    refused, and so is one whose id another campaign has in the target.
    """
    done = Synchronized()
    for row in select(source, CampaignRow, "ORDER BY started, id"):
        if only is not None and row.id != only:
            continue
        with uninterrupted():
            done = _campaign_copied(source, target, row.id, done, told)
    return done


def _campaign_copied(
    source: Store,
    target: Store,
    campaign: str,
    done: Synchronized,
    told: Callable[[str, int], None],
) -> Synchronized:
    """Copy one campaign; return the counts with it."""
    with source.snapshot():
        theirs = _state(source, campaign)
        if theirs is None:  # forgotten since it was listed
            return done
        if theirs.campaign.copying is not None:
            return replace(done, refused=(*done.refused, f"campaign {campaign} {IN_PART}"))
        new, changed, samples = False, False, 0
        mark: str | None = None
        while True:
            with target.transaction():
                target.claim(campaign)
                if mark is None or not _has_mark(target, campaign, mark):
                    ours = _state(target, campaign)
                    if ours is not None:
                        refusal = _refusal(theirs, ours) or _other_samples(source, target, theirs, ours)
                        if refusal is not None:
                            return replace(done, refused=(*done.refused, refusal))
                        if _is_behind(theirs, ours):
                            break
                    new = new or ours is None
                    mark = secrets.token_hex(8)
                    copy = _Copy(source, target, theirs, ours, mark)
                    changed = copy.changed or changed
                samples += copy.samples()
                if copy.ended:
                    break
    changed = changed or samples > 0
    if not changed:
        return replace(done, unchanged=done.unchanged + 1)
    told(campaign, samples)
    done = replace(done, samples=done.samples + samples)
    return replace(done, new=done.new + 1) if new else replace(done, grown=done.grown + 1)


def _has_mark(target: Store, campaign: str, mark: str) -> bool:
    """Return whether no other copy has gone on with a campaign since this one marked it."""
    found = target.execute("SELECT copying FROM campaign WHERE id = ?", [campaign]).fetchone()
    return found is not None and found[0] == mark


def _state(store: Store, campaign: str) -> _State | None:
    """Return a campaign as a store has it; None where it does not."""
    rows = select(store, CampaignRow, "WHERE id = ?", campaign)
    if not rows:
        return None
    sessions = select(store, SessionRow, _OF_CAMPAIGN, campaign)
    taken: dict[int, int] = dict(store.execute(_TAKEN, [campaign]))
    return _State(
        rows[0],
        sessions,
        [_without_nul(row) for row in select(store, CaseRow, _OF_CAMPAIGN, campaign)],
        [_without_nul(row) for row in select(store, ArmRow, _ARMS, campaign)],
        select(store, RoofRow, _OF_CAMPAIGN, campaign),
        select(store, FileRow, _OF_CAMPAIGN, campaign),
        [taken.get(_id(row), 0) for row in sessions],
    )


def _without_nul(row: RowT) -> RowT:
    """Return a row with texts that any database keeps."""
    texts: dict[str, Any] = {
        name: text.replace("\0", "\ufffd") for name, text in vars(row).items() if isinstance(text, str)
    }
    return replace(row, **texts)


def _id(row: CaseRow | ArmRow | SessionRow | SampleRow) -> int:
    assert row.id is not None
    return row.id


# --- Which of the two is further --------------------------------------------------------------------------------------


def _common(theirs: _State, ours: _State) -> int:
    return min(len(theirs.sessions), len(ours.sessions))


def _refusal(theirs: _State, ours: _State) -> str | None:
    """Return why two campaigns of one id are not the same; None where they are."""
    campaign = theirs.campaign.id
    for name in ("started", "fingerprint", "machine"):
        if getattr(theirs.campaign, name) != getattr(ours.campaign, name):
            return f"campaign {campaign} is another one in the target: its {name} differs"
    common = _common(theirs, ours)
    begun = [(mine.started_s, yours.started_s) for mine, yours in zip(theirs.sessions, ours.sessions, strict=False)]
    more = [a > b for a, b in zip(theirs.taken, ours.taken, strict=False)]
    less = [a < b for a, b in zip(theirs.taken, ours.taken, strict=False)]
    only_theirs = len(theirs.sessions) > common or theirs.progress(common) > ours.progress(common) or any(more)
    only_ours = len(ours.sessions) > common or ours.progress(common) > theirs.progress(common) or any(less)
    if any(mine != yours for mine, yours in begun) or (only_theirs and only_ours):
        return f"campaign {campaign} was resumed in both stores, each by itself: the target keeps its own"
    return None


def _is_behind(theirs: _State, ours: _State) -> bool:
    """Return whether the target has a later state than the source."""
    common = _common(theirs, ours)
    return len(ours.sessions) > common or ours.progress(common) > theirs.progress(common)


def _other_samples(source: Store, target: Store, theirs: _State, ours: _State) -> str | None:
    """Return what is wrong where the last sample that both have of a session is not the same."""
    for at in range(_common(theirs, ours)):
        both = min(theirs.taken[at], ours.taken[at])
        if both and _plain(_sample(source, theirs, at, both)) != _plain(_sample(target, ours, at, both)):
            return f"campaign {theirs.campaign.id} has other samples in the target: one of the stores is damaged"
    return None


def _sample(store: Store, state: _State, session: int, number: int) -> SampleRow:
    """Return the sample of a number, from 1 on, of a session."""
    values = (state.campaign.id, _id(state.sessions[session]), 0, number - 1)
    return select(store, SampleRow, f"{_OF_SESSION} LIMIT 1 OFFSET ?", *values)[0]


def _plain(sample: SampleRow) -> SampleRow:
    """Return a sample without the numbers that only its store gives it."""
    return replace(sample, id=None, arm_id=0, session_id=0)


# --- Copying ----------------------------------------------------------------------------------------------------------


class _Copy:
    """Brings a campaign of the target up to date: all rows but the samples at once, then some samples at a time.

    changed  whether anything but samples was missing
    ended    whether the campaign is whole, and its mark gone
    """

    def __init__(self, source: Store, target: Store, theirs: _State, ours: _State | None, mark: str) -> None:
        """Write all but the samples, in the present transaction."""
        self._source, self._target, self._theirs, self._mark = source, target, theirs, mark
        self.ended = False
        self._marked = ours is not None and ours.campaign.copying is not None
        campaign = theirs.campaign
        whole = replace(campaign, copying=None)
        self.changed = ours is None
        if ours is None:
            insert(target, whole)
            ours = _State(whole, [], [], [], [], [], [])
        self._written = replace(ours.campaign, copying=None)
        self.changed = self.changed or self._written != whole
        sessions = _Copied(target, ours.sessions, lambda row: (row.started_s,))
        cases = _Copied(target, ours.cases, lambda row: (row.experiment, row.size, row.name))
        arms = _Copied(target, ours.arms, lambda row: (row.case_id, row.name, row.role))
        for session in theirs.sessions:
            sessions.take(session, replace(session))
        for case in theirs.cases:
            cases.take(case, replace(case))
        for arm in theirs.arms:
            arms.take(arm, replace(arm, case_id=cases.numbers[arm.case_id]))
        for roof in theirs.roofs[len(ours.roofs) :]:
            insert(target, replace(roof, id=None))
            self.changed = True
        if [(row.path, row.contents) for row in theirs.files] != [(row.path, row.contents) for row in ours.files]:
            target.execute("DELETE FROM file WHERE campaign = ?", [campaign.id])
            insert_all(target, [replace(row, id=None) for row in theirs.files])
            self.changed = True
        self.changed = self.changed or sessions.changed or cases.changed or arms.changed
        self._sessions, self._arms = sessions.numbers, arms.numbers
        self._at = 0
        had = [*ours.taken, *(0 for _ in theirs.sessions)]
        self._after = [
            _id(_sample(source, theirs, at, had[at])) if had[at] else 0 for at in range(len(theirs.sessions))
        ]

    def samples(self) -> int:
        """Add the next samples, at most `_CHUNK`, and after the last of them end. Return their number."""
        room = _CHUNK
        while room > 0 and self._at < len(self._theirs.sessions):
            session = self._theirs.sessions[self._at]
            values = (self._theirs.campaign.id, _id(session), self._after[self._at], room)
            found = select(self._source, SampleRow, f"{_OF_SESSION} LIMIT ?", *values)
            kept = [
                replace(row, id=None, arm_id=self._arms[row.arm_id], session_id=self._sessions[row.session_id])
                for row in found
            ]
            insert_all(self._target, kept)
            if len(found) < room:
                self._at += 1
            else:
                self._after[self._at] = _id(found[-1])
            room -= len(found)
        if self._at == len(self._theirs.sessions):
            self._end()
        elif not self._marked or self._written.copying is None:
            self._write(replace(self._written, copying=self._mark, finished=None))
        return _CHUNK - room

    def _end(self) -> None:
        self.ended = True
        self._write(replace(self._theirs.campaign, copying=None))

    def _write(self, row: CampaignRow) -> None:
        if self._marked or row != self._written:
            update(self._target, row)
        self._marked, self._written = row.copying is not None, row


class _Copied(Generic[RowT]):
    """Copies rows of one table, which have a name within their campaign. `numbers`: the target's ids by the source's"""

    def __init__(self, target: Store, there: Sequence[RowT], name: Callable[[RowT], tuple[Any, ...]]) -> None:
        self._target = target
        self._name: Callable[[RowT], tuple[Any, ...]] = name
        self._there: dict[tuple[Any, ...], RowT] = {name(row): row for row in there}
        self.numbers: dict[int, int] = {}
        self.changed = False

    def take(self, row: RowT, copy: RowT) -> None:
        """Add a copy of a row of the source to the target, or write what differs."""
        had = self._there.get(self._name(copy))
        copy.id = had.id if had is not None else None
        if had is None:
            copy.id = insert(self._target, copy)
        elif had != copy:
            update(self._target, copy)
        self.changed = self.changed or had != copy
        self.numbers[_id(row)] = _id(copy)
