"""How much of a long message proceeds while its receiver computes, as the lab transfer_overlap measured it here."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.settings import Settings
from rooftop.store.database import opened_for_reading
from rooftop.store.place import is_there, place_of
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow

LAB, RUNG, FIGURE = "labs/transfer_overlap", "20-no-help", "proceeded_percent"
_LIMIT_S = 30.0


@dataclass(frozen=True)
class MeasuredShare:
    """A share of the computing time, of messages of so many bytes, and the campaign that measured it."""

    share: float
    bytes: int
    campaign: str


def share_in(store: Store, machine: str) -> MeasuredShare | None:
    """Return what the newest campaign of a machine measured, of its longest message; None where none did."""
    clause = f'WHERE id IN (SELECT campaign FROM "{CaseRow.table}" WHERE experiment = ?) ORDER BY started DESC, id DESC'
    for campaign in select(store, CampaignRow, clause, LAB):
        if campaign.machine.get("id") != machine:
            continue
        found: dict[int, float] = {}
        for case in select(store, CaseRow, "WHERE campaign = ? AND experiment = ?", campaign.id, LAB):
            for arm in select(store, ArmRow, "WHERE case_id = ? AND name = ? AND outcome = 'ok'", case.id, RUNG):
                percent, size = (arm.figures or {}).get(FIGURE), case.parameters.get("bytes")
                if isinstance(percent, int | float) and isinstance(size, int):
                    found[size] = min(1.0, max(0.0, percent / 100))
        if found:
            return MeasuredShare(found[max(found)], max(found), campaign.id)
    return None


def measured_share(machine: str, settings: Settings | None = None) -> MeasuredShare | None:
    """Return what the store has of a machine; None where there is no store, or nothing in it. Raises StoreError."""
    place = place_of(settings or Settings())
    if not is_there(place):
        return None
    with opened_for_reading(place, _LIMIT_S) as store:
        return share_in(store, machine)
