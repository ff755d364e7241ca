"""What is under way: the campaign that this home measures now, and the jobs that campaigns were submitted in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rooftop.errors import RooftopError
from rooftop.report.figure_page import Cell, Lines, Part, Table
from rooftop.schedulers.queue import POLL_S
from rooftop.schedulers.status import SCHEMA, job_rows, state_in_words
from rooftop.serve import stored
from rooftop.serve.campaigns import samples_of
from rooftop.serve.place import Site
from rooftop.serve.stored import Condition
from rooftop.serve.view import View, clock, cut, shortened
from rooftop.store.place import is_there
from rooftop.store.protocol import Store
from rooftop.text.quantities import whole

LIVE_S = 5.0  # between two looks of a browser
_MOST = 500  # jobs that are shown


class Watch:
    """Asks schedulers for the states of a home's jobs, no more often than they may be asked."""

    def __init__(self, home: Path, ask: Callable[[Path], list[dict[str, Any]]] = job_rows) -> None:
        self._home, self._ask = home, ask
        self._lock = threading.Lock()
        self._asked_at = -POLL_S
        self._rows: list[dict[str, Any]] = []
        self._trouble = ""

    def rows(self) -> tuple[list[dict[str, Any]], str]:
        """Return the jobs, and why they cannot be told if so."""
        with self._lock:
            if time.monotonic() >= self._asked_at + POLL_S:
                try:
                    self._rows, self._trouble = self._ask(self._home), ""
                except RooftopError as error:
                    self._rows, self._trouble = [], str(error)
                self._asked_at = time.monotonic()
            return self._rows, self._trouble


def _cases(store: Store, campaign: str) -> tuple[int, int]:
    """Return how many cases of a campaign are finished, and how many it has."""
    statement = 'SELECT count(*), sum(CASE WHEN finished THEN 1 ELSE 0 END) FROM "case" WHERE campaign = ?'
    count, finished = store.execute(statement, [campaign]).fetchone()
    return finished or 0, count


def _last(store: Store, campaign: str) -> str | None:
    (last_s,) = store.execute("SELECT max(last_s) FROM session WHERE campaign = ?", [campaign]).fetchone()
    if not isinstance(last_s, float) or not 0 <= last_s < 1e11:
        return None
    return datetime.fromtimestamp(last_s, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _progress(site: Site, store: Store) -> dict[str, Any] | None:
    """Return how far the campaign is that this home measures; None where there is none."""
    name = site.under_way()
    if name is None:
        return None
    found = stored.campaigns(store, Condition("id = ?", [name]), 0, 1)
    if not found:
        return None
    finished, cases = _cases(store, name)
    return {
        "campaign": name,
        "kind": found[0].kind,
        "subject": found[0].subject,
        "started": found[0].started,
        "cases": cases,
        "cases_finished": finished,
        "samples": samples_of(store, [name]).get(name, 0),
        "last": _last(store, name),
    }


def view(watch: Watch, site: Site) -> View:
    """Return what is under way. The store is not held open while a scheduler is asked."""
    rows, trouble = watch.rows()
    progress = None
    if site.under_way() is not None and is_there(site.place):
        with site.opened() as store:
            progress = _progress(site, store)
    parts: list[Part] = []
    if progress is None:
        parts.append(Lines("On this machine", ["No campaign of this home is being measured."]))
    else:
        cells = [
            Cell(progress["campaign"], address=stored.address_of(progress["campaign"])),
            Cell(progress["kind"]),
            Cell(f"{progress['cases_finished']} of {progress['cases']}"),
            Cell(whole(progress["samples"]), progress["samples"]),
            Cell(clock(progress["last"] or "–")),
            Cell(shortened(progress["subject"])),
        ]
        columns = ["campaign", "kind", "cases finished", "samples", "newest", "what"]
        parts.append(Table("On this machine", columns, [cells], frozenset({3}), long=frozenset({5})))
    if trouble:
        parts.append(Lines("Jobs", [trouble]))
    elif not rows:
        parts.append(Lines("Jobs", ["No campaign was submitted in a job."]))
    else:
        columns = ["job", "state", "scheduler", "submitted (UTC)", "exit code", "what"]
        listed = [_row(one) for one in reversed(rows[-_MOST:])]
        parts.append(Table("Jobs", columns, listed, frozenset({4}), long=frozenset({5})))
    content = {"schema": SCHEMA, "jobs": rows, "under_way": progress, "trouble": trouble or None}
    return View("Jobs", f"Asked again every {LIVE_S:g} s, schedulers every {POLL_S:g} s", parts, content, LIVE_S)


def _row(job: dict[str, Any]) -> list[Cell]:
    code = job["exit_code"]
    return [
        Cell(cut(str(job["id"]))),
        Cell(shortened(state_in_words(job), 60)),
        Cell(shortened(f"{job['on']} {job['native'] or '–'}", 60)),
        Cell(clock(str(job["submitted"]))),
        Cell("–" if code is None else str(code), code),
        Cell(shortened(job["subject"])),
    ]
