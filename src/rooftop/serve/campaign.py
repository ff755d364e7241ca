"""The page of one campaign: the report, made by another process and kept as long as the campaign does not change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rooftop.report.figure_page import Cell, Lines, Part, Table
from rooftop.serve import stored
from rooftop.serve.asked import NotThere
from rooftop.serve.campaigns import samples_of
from rooftop.serve.drawing import DOCUMENT, LIMIT_S, PAGE
from rooftop.serve.place import Site
from rooftop.serve.stored import Condition
from rooftop.serve.view import View, shortened
from rooftop.store.campaign_store import IN_PART
from rooftop.store.protocol import Store
from rooftop.text.quantities import whole

_MOST_SAMPLES = 2_000_000  # of a campaign that is drawn
_MOST_KEPT_BYTES = 256 * 2**20
_MOST_WAITING = 4
_WAIT_S = LIMIT_S + 15


class Crowded(Exception):
    """More pages are being made than can be at a time."""


@dataclass(frozen=True)
class Drawn:
    """A campaign's page and document, or why they cannot be made."""

    page: bytes = b""
    document: bytes = b""
    trouble: str = ""

    @property
    def size(self) -> int:
        return len(self.page) + len(self.document)


@dataclass
class Drawings:
    """Makes pages of campaigns, one after the other, and keeps those that were asked for last."""

    site: Site
    _kept: OrderedDict[tuple[object, ...], Drawn] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _waiting: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(_MOST_WAITING))

    def of(self, campaign: str) -> Drawn:
        """Return the page of a campaign. Raises NotThere, Crowded and StoreError."""
        if not stored.can_be_addressed(campaign):  # no version has given such an id, and a process takes no NUL
            raise NotThere(f"there is no campaign {shortened(campaign)!r}")
        with self.site.opened() as store:
            in_part, *state = _state(store, campaign)
            samples = samples_of(store, [campaign]).get(campaign, 0)
        if in_part is not None:
            return Drawn(trouble=f"campaign {campaign} {IN_PART}")
        if samples > _MOST_SAMPLES:
            told = f"campaign {campaign} has {whole(samples)} samples, more than a page is made of here"
            return Drawn(trouble=f"{told}: 'rooftop report {campaign}' makes it")
        if not self._waiting.acquire(blocking=False):
            raise Crowded("other pages are being made: ask again in a moment")
        try:
            if not self._lock.acquire(timeout=_WAIT_S):
                raise Crowded("other pages take long to be made: ask again in a moment")
            try:
                return self._of_state(campaign, (*state, samples))
            finally:
                self._lock.release()
        finally:
            self._waiting.release()

    def _of_state(self, campaign: str, state: tuple[object, ...]) -> Drawn:
        if (known := self._kept.get(state)) is not None:
            self._kept.move_to_end(state)
            return known
        for older in [one for one in self._kept if one[0] == campaign]:
            del self._kept[older]
        made = self._made(campaign)
        if not made.trouble and made.size <= _MOST_KEPT_BYTES:  # what was in the way may be gone
            self._kept[state] = made
        while sum(one.size for one in self._kept.values()) > _MOST_KEPT_BYTES:
            self._kept.popitem(last=False)
        return made

    def _made(self, campaign: str) -> Drawn:
        with tempfile.TemporaryDirectory(prefix="rooftop-serve-") as name:
            folder, messages = Path(name), Path(name, "messages")
            words = [sys.executable, "-P", "-m", "rooftop.serve.drawing", campaign, name]
            with messages.open("wb") as output:
                try:
                    done = subprocess.run(
                        words,
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=subprocess.DEVNULL,
                        env=self._environment(),
                        timeout=LIMIT_S,
                        check=False,
                    )
                except subprocess.TimeoutExpired:
                    return Drawn(trouble=f"the page of campaign {campaign} was not made within {LIMIT_S} s")
            if done.returncode == 0:
                return Drawn((folder / PAGE).read_bytes(), (folder / DOCUMENT).read_bytes())
            try:
                told = str(json.loads(messages.read_text(encoding="utf-8").splitlines()[-1]))
            except (ValueError, IndexError):
                told = f"the page of campaign {campaign} cannot be made: exit code {done.returncode}"
            return Drawn(trouble=told)

    def _environment(self) -> dict[str, str]:
        """Return the environment of the process: the store as it was given here, and one thread."""
        settings = self.site.settings
        own = {
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        own |= {"ROOFTOP_STORE": settings.store} if settings.store else {}
        folders = {"ROOT": settings.root, "BUILD": settings.build, "HOME": settings.home}
        own |= {f"ROOFTOP_{name}": str(folder) for name, folder in folders.items() if folder is not None}
        return os.environ | own


def _state(store: Store, campaign: str) -> tuple[object, ...]:
    """Return the mark of a campaign that was copied in part, and what changes whenever it does. Raises NotThere."""
    statement = """
    SELECT campaign.copying, campaign.id, campaign.finished, count(session.id), max(session.last_s) FROM campaign
    LEFT JOIN session ON session.campaign = campaign.id WHERE campaign.id = ?
    GROUP BY campaign.copying, campaign.id, campaign.finished
    """
    found = store.execute(statement, [campaign]).fetchone()
    if found is None:
        raise NotThere(f"there is no campaign {shortened(campaign)!r}")
    return tuple(found)


def instead(site: Site, campaign: str, trouble: str) -> View:
    """Return what is shown of a campaign whose page cannot be made: what the store says of it in general."""
    with site.opened() as store:
        found = stored.campaigns(store, Condition("id = ?", [campaign]), 0, 1)
        samples = samples_of(store, [campaign]).get(campaign, 0)
    parts: list[Part] = [Lines("No report", [trouble])]
    content: dict[str, Any] = {"schema": "rooftop/error/1", "error": trouble}
    for one in found:
        about = {
            "kind": one.kind,
            "started": one.started,
            "finished": one.finished or "–",
            "machine": one.machine,
            "samples": whole(samples),
            "what": one.subject,
        }
        rows = [[Cell(name), Cell(shortened(value))] for name, value in about.items()]
        parts.append(Table("Campaign", ["of it", "in the store"], rows, long=frozenset({1})))
    return View("Campaign", shortened(campaign, 100), parts, content)
