"""What a kind of campaign says of itself: how its request is read, what is measured, and what is made of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

import rooftop
from rooftop.campaign.bench import Bench, Place
from rooftop.campaign.session import CampaignSession
from rooftop.command.driver import Terms
from rooftop.errors import Misuse
from rooftop.measure.case_state import CaseState


class How(Protocol):
    """What is asked of every campaign. None: not said."""

    @property
    def budget_s(self) -> float | None:
        """Its time, in seconds; None: as it was begun, or the kind's default."""
        ...

    @property
    def seed(self) -> int | None:
        """Of data and order."""
        ...


class Asked(Protocol):
    """What a campaign was asked to do."""

    @property
    def how(self) -> How:
        """What is measured, and how."""
        ...

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        ...

    def measured(self, **changes: Any) -> Self:
        """Return it with other values of what `how` says."""
        ...


AskedT = TypeVar("AskedT", bound=Asked)
DocumentT = TypeVar("DocumentT")
DocumentT_co = TypeVar("DocumentT_co", covariant=True)


class Course(ABC, Generic[DocumentT_co]):
    """One campaign from what was asked to its document. It is made before anything is kept, and may raise Misuse."""

    @property
    @abstractmethod
    def cases(self) -> Sequence[CaseState]:
        """All that the store keeps of it."""

    @property
    @abstractmethod
    def marks(self) -> Mapping[str, Any]:
        """What must not change between sessions, beside the machine, by what a reader calls it."""

    @property
    def files(self) -> Iterable[Path]:
        """The files of what it measures, as far as they are known before; those of commands are found as they run."""
        return ()

    @property
    def terms(self) -> Sequence[Terms]:
        """The terms of its commands, which know what went wrong beside them; none where each part passes on its own."""
        return ()

    def place(self, bench: Bench) -> Place:
        """Return the machine that it is measured on."""
        return bench.place

    @abstractmethod
    def restore(self, session: CampaignSession) -> None:
        """Restore what earlier sessions found out."""

    @abstractmethod
    def measure(self, session: CampaignSession) -> None:
        """Measure what is not measured yet."""

    @abstractmethod
    def document(self, session: CampaignSession, *, interrupted: bool) -> DocumentT_co:
        """Return the document of what is known."""

    def keep(self, document: Any) -> None:
        """Keep the document of a campaign that came to its end, where the kind keeps it beside the store."""


@dataclass(frozen=True)
class Kind(Generic[AskedT, DocumentT]):
    """A kind of campaign.

    name         of the command, too
    from_stored  makes of a stored request what was asked
    prepared     returns what was asked with what follows from this machine; raises Misuse where it cannot be measured
    course       makes the course of a campaign of what was asked; `new`: there was no session before
    write_page   writes a document's page to a file; raises OSError
    says_what    whether its words say what is measured: then --resume with them may begin a campaign. Without words,
                 a climb is one of everything
    """

    name: str
    from_stored: Callable[[dict[str, Any]], AskedT]
    prepared: Callable[[AskedT], AskedT]
    course: Callable[[Bench, AskedT, bool], Course[DocumentT]]
    write_page: Callable[[DocumentT, Path], None]
    says_what: bool = True


def kind_names() -> list[str]:
    """Return the names of all kinds, without importing them, which takes long."""
    files = Path(rooftop.__path__[0]).glob("[!_]*/run.py")
    return sorted(file.parent.name for file in files if "\nKIND = " in file.read_text(encoding="utf-8"))


def kind_named(name: str) -> Kind[Any, Any]:
    """Return a kind by its name. Raises Misuse where there is none."""
    try:
        kind: Kind[Any, Any] = import_module(f"rooftop.{name}.run").KIND
    except (ModuleNotFoundError, AttributeError) as error:
        raise Misuse(f"a campaign is of kind {name!r}, which this version of Rooftop does not know") from error
    return kind
