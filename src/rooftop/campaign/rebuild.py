"""Makes the document of a campaign again from what the store holds, without measuring anything."""

from __future__ import annotations

import os

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import AskedT, DocumentT, Kind
from rooftop.campaign.run import asked_of
from rooftop.campaign.session import CampaignSession
from rooftop.documents import Machine
from rooftop.errors import Misuse
from rooftop.store.campaign_store import CampaignStore
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
    return exact[0] if exact else None


def newest_campaign(connection: Store) -> CampaignRow | None:
    """Return the campaign that was begun last; None where there is none."""
    return next(iter(select(connection, CampaignRow, f"{NEWEST_FIRST} LIMIT 1")), None)


def document_again(bench: Bench, connection: Store, kind: Kind[AskedT, DocumentT], row: CampaignRow) -> DocumentT:
    """Return the document of a campaign as its last session made it.

    Raises Misuse where something is missing, or another version kept it in a form that this one does not read.
    """
    try:
        asked = asked_of(kind, row)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Misuse(
            f"campaign {row.id} cannot be read: rooftop {row.rooftop} stored it in another format: {error}"
        ) from error
    try:
        course = kind.course(bench, asked, False)
        store = CampaignStore(connection, row, {}, reading=True)
        session = CampaignSession(
            store, Machine.model_validate(row.machine), bench, course.place(bench), asked.how, reading=True
        )
        course.restore(session)
        return course.document(session, interrupted=row.finished is None)
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
        raise Misuse(f"campaign {row.id} has values that no campaign stores: {first}") from error
