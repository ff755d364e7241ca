"""What campaigns are measured with: settings, a machine, an executor, rules, and a watcher of their progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from rooftop.documents import Machine, Roof
from rooftop.driver.executor import Executor
from rooftop.machine.lock import HeldHome, machine_to_itself
from rooftop.measure.case_state import Watcher
from rooftop.measure.rules import Rules
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.store.place import place_of
from rooftop.store.protocol import Store


class Place(Protocol):
    """The machine, so that campaigns can be tested on one that never changes."""

    def identity(self) -> Machine:
        """Return the machine's identity, without its roofs."""
        ...

    def known_roofs(self, machine: Machine) -> list[Roof]:
        """Return the known roofs of a machine, without measuring any."""
        ...

    def conditions(self) -> dict[str, Any]:
        """Return present conditions that could explain a figure."""
        ...


class CommandWatcher(Watcher, Protocol):
    """Watches progress; it is called between samples only."""

    def remark(self, message: str) -> None:
        """Print one line."""
        ...


@dataclass(frozen=True)
class Bench:
    """What commands are measured with. `executor` replays recorded samples in tests; None: the commands are run."""

    settings: Settings
    place: Place
    watcher: CommandWatcher
    executor: Executor | None = None
    rules: Rules = field(default_factory=Rules)

    @contextmanager
    def alone(self) -> Iterator[HeldHome]:
        """Hold the machine and the home. Raises Busy, and StoreError where nothing can be kept."""
        with machine_to_itself(self.settings, self.watcher.remark) as home:
            yield home

    @contextmanager
    def held(self) -> Iterator[tuple[Store, HeldHome]]:
        """Hold the machine and yield the store, and what names the campaign that is under way. Raises Busy."""
        with self.alone() as home, opened_database(place_of(self.settings)) as connection:
            yield connection, home
