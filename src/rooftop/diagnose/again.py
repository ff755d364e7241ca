"""Read a finished diagnosis again, without running anything."""

from __future__ import annotations

from typing import Any

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import Kind
from rooftop.campaign.rebuild import document_again
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, check_said, of_kind
from rooftop.store.place import is_there, place_of


def read_again(bench: Bench, kind: Kind[Any, DiagnoseDocument], resume: Resume) -> DiagnoseDocument | None:
    """Return the finished diagnosis that is asked for; None where there is one to go on with, or none at all.

    An id names it, or the beginning of one. Without, the newest is meant, where none was interrupted. Raises Misuse for
    an option that was another when it was made, and where another version kept it in a form that is not read.
    """
    place = place_of(bench.settings)
    if not is_there(place):
        return None
    with opened_database(place) as connection:
        rows = of_kind(connection, kind.name)
        if resume.campaign is not None:
            rows = [row for row in rows if row.id.startswith(resume.campaign)]
            rows = [row for row in rows if row.id == resume.campaign] or rows
            if len(rows) != 1:  # another message tells what is wrong
                return None
        if not rows or any(row.finished is None for row in rows):
            return None
        for one in resume.said:
            check_said(rows[0], one)
        bench.watcher.remark(f"diagnosis {rows[0].id} is finished: it is read again, nothing is run")
        return document_again(bench, connection, kind, rows[0])
