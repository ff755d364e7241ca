"""Where a store is: a file, or a database on a server; how users write it, and how it is shown: without password."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rooftop.errors import Misuse
from rooftop.settings import Settings

FILE_NAME = "store.sqlite"
_IN_QUERY = re.compile(r"password=([^&]*)")
_SERVERS = ("postgresql", "postgres")
_FORMS = "expected a file, a folder that has a store.sqlite, or postgresql://USER@HOST/DATABASE"


@dataclass(frozen=True)
class Server:
    """A store on a PostgreSQL server. Neither `str` nor `repr` shows the URL, which may have a password."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        """Return scheme, user, host and database."""
        parts = urlsplit(self.url)
        user, at, host = parts.netloc.rpartition("@")
        return f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}"

    def hidden(self, text: str) -> str:
        """Return a message, such as one of the server, without the URL's passwords."""
        parts = urlsplit(self.url)
        for password in (parts.password or "", *_IN_QUERY.findall(parts.query)):
            for one in {password, unquote(password)} - {""}:
                text = text.replace(one, "***")
        return text


Place = Path | Server


def read_place(text: str) -> Place:
    """Return the place that a user means. Raises Misuse, which does not show what could be a password."""
    scheme, separator, rest = text.partition("://")
    if not separator:
        path = Path(text).expanduser().absolute()
        return path / FILE_NAME if path.is_dir() else path
    if scheme == "sqlite":
        return read_place(rest.removeprefix("/"))
    if scheme not in _SERVERS:
        raise Misuse(f"a store is {scheme}://…: {_FORMS}")
    try:
        parts = urlsplit(text)
    except ValueError as error:  # the host has one bracket
        raise Misuse(f"a store is a URL whose host cannot be read: {_FORMS}") from error
    if "@" not in parts.netloc and "@" in rest:
        raise Misuse("a store is a URL with / ? or # in its password: write them as %2F, %3F and %23")
    return Server(text)


def place_of(settings: Settings) -> Place:
    """Return where a bench keeps its campaigns: what --store or ROOFTOP_STORE says, or a file in its home."""
    return read_place(settings.store) if settings.store else settings.home_folder / FILE_NAME


def is_there(place: Place) -> bool:
    """Whether there may be campaigns at a place. A server is not asked."""
    return isinstance(place, Server) or place.is_file()
