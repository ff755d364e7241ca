"""A kind of campaign: how its request is read, what it measures, and the document and page that it makes."""

from __future__ import annotations

import re
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
from rooftop.store.protocol import Store


class How(Protocol):
    """Options that every campaign has."""

    @property
    def budget_s(self) -> float | None:
        """Time budget in seconds; None: the one that it was begun with, or the kind's default."""
        ...

    @property
    def seed(self) -> int | None:
        """Seed of data and order; None: a new one."""
        ...


class Asked(Protocol):
    """Request of a campaign."""

    @property
    def how(self) -> How:
        """How it is measured."""
        ...

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        ...

    def measured(self, **changes: Any) -> Self:
        """Return it with other values of what `how` says."""
        ...


_RUN_FILES = ("[!_]*/run.py", "solvers/[!_]*/run.py", "solvers/[!_]*/[!_]*/run.py")
_NAME = re.compile(r'^NAME = "(?P<name>[^"]+)"', re.MULTILINE)

AskedT = TypeVar("AskedT", bound=Asked)
DocumentT = TypeVar("DocumentT")
DocumentT_co = TypeVar("DocumentT_co", covariant=True)


class Course(ABC, Generic[DocumentT_co]):
    """One campaign, from its request to its document. It is made before anything is stored, and may raise Misuse."""

    @property
    @abstractmethod
    def cases(self) -> Sequence[CaseState]:
        """All cases that the store keeps."""

    @property
    @abstractmethod
    def marks(self) -> Mapping[str, Any]:
        """Values that must not change between sessions, besides the machine, by name for messages."""

    @property
    def files(self) -> Iterable[Path]:
        """Files of the measured programs that are known in advance; those of commands are found as they run."""
        return ()

    @property
    def terms(self) -> Sequence[Terms]:
        """Terms of its commands, which collect complaints; empty where each part reports its own."""
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

    def finished(self, store: Store, campaign: str) -> None:
        """Keep in the store what the kind's lists compute of a finished campaign, whose samples are then not read."""


@dataclass(frozen=True)
class Kind(Generic[AskedT, DocumentT]):
    """A kind of campaign.

    name         of the command, too
    from_stored  returns the request that the store holds
    prepared     returns a request completed for this machine; raises Misuse where it cannot be measured
    course       makes the course of a request; `new`: there was no session before
    write_page   writes a document's page to a file; raises OSError
    says_what    whether its words name what is measured: --resume with them may then begin a new campaign. Without
                 words, a climb measures everything
    """

    name: str
    from_stored: Callable[[dict[str, Any]], AskedT]
    prepared: Callable[[AskedT], AskedT]
    course: Callable[[Bench, AskedT, bool], Course[DocumentT]]
    write_page: Callable[[DocumentT, Path], None]
    says_what: bool = True


def page_writer(package: str) -> Callable[[Any, Path], None]:
    """Return what writes a kind's page: the `heading` and `parts` of the module ``page`` of its package in Rooftop.

    It raises OSError.
    """

    def write(document: Any, path: Path) -> None:
        from rooftop.report.figure_page import write_figure_page  # it and the page take long to import

        page = import_module(f"rooftop.{package}.page")
        aside = f"Campaign {document.campaign}, begun {document.started}, on {document.machine.processor}"
        write_figure_page(path, page.heading(document), aside, page.parts(document), document.rooftop)

    return write


def _kind_modules() -> dict[str, str]:
    """Return the modules of all kinds by the kinds' names, without importing them, which takes long.

    A kind has the name of its folder. One of a solver has the words of its command: its module says ``NAME = "…"``.
    """
    root = Path(rooftop.__path__[0])
    found: dict[str, str] = {}
    for file in (file for pattern in _RUN_FILES for file in sorted(root.glob(pattern))):
        text = file.read_text(encoding="utf-8")
        if "\nKIND = " in text:
            said = _NAME.search(text)
            name = said["name"] if said is not None and len(file.relative_to(root).parts) > 2 else file.parent.name
            found[name] = ".".join(("rooftop", *file.relative_to(root).with_suffix("").parts))
    return found


def kind_names() -> list[str]:
    """Return the names of all kinds, without importing them."""
    return sorted(_kind_modules())


def kind_named(name: str) -> Kind[Any, Any]:
    """Return a kind by its name. Raises Misuse where there is none."""
    module = _kind_modules().get(name)
    if module is None:
        raise Misuse(f"a campaign is of kind {name!r}, which this version of Rooftop does not know")
    kind: Kind[Any, Any] = import_module(module).KIND
    return kind
