"""What is served: a store, and the home of a bench with its jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rooftop.errors import Misuse
from rooftop.machine.lock import campaign_under_way
from rooftop.settings import Settings
from rooftop.store.database import opened_for_reading
from rooftop.store.place import Place, is_there, place_of
from rooftop.store.protocol import Store

LIMIT_S = 20.0  # for one page


@dataclass(frozen=True)
class Site:
    """A bench whose store is shown."""

    settings: Settings

    @property
    def place(self) -> Place:
        """Where the store is."""
        return place_of(self.settings)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Yield one state of the store, to be read. Raises StoreError, and Misuse where there is none."""
        if not is_there(self.place):
            raise Misuse(f"there is no store {self.place} yet: the first campaign makes it")
        with opened_for_reading(self.place, LIMIT_S) as store:
            yield store

    def under_way(self) -> str | None:
        """Return the campaign that is being measured in this home; None where there is none."""
        return campaign_under_way(self.settings.home_folder)
