"""Makes the document of a campaign again from what the store holds, without measuring anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import AskedT, Course, DocumentT, Kind
from rooftop.campaign.run import asked_of
from rooftop.campaign.session import CampaignSession
from rooftop.documents import Machine
from rooftop.errors import Misuse
from rooftop.store.campaign_store import IN_PART, CampaignStore
from rooftop.store.interrupted import NEWEST_FIRST
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow


def find_campaign(connection: Store, wanted: str) -> CampaignRow | None:
    """Return the campaign of an id, or of the beginning of one; None where there is none. Raises Misuse for several."""
    rows = select(connection, CampaignRow, "WHERE substr(id, 1, ?) = ? ORDER BY id", len(wanted), wanted)
    exact = [row for row in rows if row.id == wanted] or rows
    if len(exact) > 1:
        some = ", ".join(row.id for row in exact[:4])
        raise Misuse(f"{wanted!r} matches {len(exact)} campaigns ({some}): give more of the id")
    if exact and exact[0].copying is not None:
        raise Misuse(f"campaign {exact[0].id} {IN_PART}")
    return exact[0] if exact else None


def newest_campaign(connection: Store) -> CampaignRow | None:
    """Return the campaign that was begun last, of those that are whole; None where there is none."""
    return next(iter(select(connection, CampaignRow, f"WHERE copying IS NULL {NEWEST_FIRST} LIMIT 1")), None)


def course_again(
    bench: Bench, connection: Store, kind: Kind[AskedT, DocumentT], row: CampaignRow
) -> tuple[Course[DocumentT], CampaignSession]:
    """Return the course of a campaign and its session, with all that was measured; see `document_again`."""
    try:
        asked = asked_of(kind, row)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Misuse(
            f"campaign {row.id} cannot be read: rooftop {row.rooftop} stored it in another format: {error}"
        ) from error
    with _as_stored(row):
        course = kind.course(bench, asked, False)
        store = CampaignStore(connection, row, {}, reading=True)
        session = CampaignSession(
            store, Machine.model_validate(row.machine), bench, course.place(bench), asked.how, reading=True
        )
        course.restore(session)
    return course, session


def document_again(bench: Bench, connection: Store, kind: Kind[AskedT, DocumentT], row: CampaignRow) -> DocumentT:
    """Return the document of a campaign as its last session made it.

    Raises Misuse where something is missing, or another version kept it in a form that this one does not read.
    """
    course, session = course_again(bench, connection, kind, row)
    with _as_stored(row):
        return course.document(session, interrupted=row.finished is None)


@contextmanager
def _as_stored(row: CampaignRow) -> Iterator[None]:
    """Raise Misuse where a campaign cannot be computed again: for its values, or for an error of this version."""
    try:
        yield
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        StopIteration,
        TypeError,
        ValueError,
    ) as error:
        if os.environ.get("ROOFTOP_DEBUG"):
            raise
        first = str(error).split("\n", 1)[0]
        raise Misuse(
            f"campaign {row.id} cannot be computed again: {type(error).__name__}: {first}; rooftop {row.rooftop} "
            "stored it, or another program did: ROOFTOP_DEBUG=1 shows where it failed"
        ) from error
