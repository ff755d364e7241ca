"""What an address asks for: its query, checked. What cannot be read is refused with one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Text = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(min_length=1, max_length=2000)]  # of a command: its whole line
MOST_PAGES = 1_000_000


class Asked(BaseModel):
    """The query of an address. Fields that a form leaves empty are as good as not given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def query(self, **changes: object) -> str:
        """Return it as a query again, with other values; values that are the defaults are left out."""
        values = self.model_dump() | changes
        defaults = {name: one.default for name, one in type(self).model_fields.items()}
        said = {name: value for name, value in values.items() if value != defaults[name]}
        return f"?{urlencode(said)}" if said else ""


class Paged(Asked):
    """A list, of which one page is shown."""

    page: int = Field(default=1, ge=1, le=MOST_PAGES)


class Searched(Paged):
    """A list of which those are shown that have a text in them."""

    text: Text = ""


class BadQuery(Exception):
    """A query that cannot be read."""


class NotThere(Exception):
    """What an address names is not in the store."""


AskedT = TypeVar("AskedT", bound=Asked)


def read_query(form: type[AskedT], items: Sequence[tuple[str, str]]) -> AskedT:
    """Return a query as the form says. Raises BadQuery."""
    given = [(name, value) for name, value in items if value != ""]
    twice = [name for name, count in Counter(name for name, _ in given).items() if count > 1]
    if twice:
        raise BadQuery(f"{twice[0][:60]!r} is given more than once, expected one value")
    try:
        return form.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])[:60]
        if first["type"] == "extra_forbidden":
            raise BadQuery(f"{name!r} is not known here, expected {', '.join(form.model_fields)}") from error
        if first["type"] == "missing":
            raise BadQuery(f"{name!r} is not given") from error
        seen = str(first["input"])
        raise BadQuery(f"{name!r} is {seen[:60] + '…' * (len(seen) > 60)!r}: {first['msg'].lower()}") from error
