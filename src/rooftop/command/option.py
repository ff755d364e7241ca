"""Options that are declared once, at the fields of a dataclass: for the command line, files, and lines to copy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

Read = Callable[[str, Any], Any]


@dataclass(frozen=True)
class Option:
    """How the user says one field.

    name    of the option, such as ``--metric-regex``; in files it is ``metric_regex``
    help    what the command line's help says
    short   a letter for it, such as ``-i``
    also    other names for it, which other tools have
    alone   words that say a value by themselves, with that value: ``-N`` is ``--shell=none``
    metavar what the help calls its value
    said    the type of what the command line gives; None: the field's
    filed   the type of what a file gives; None: that of the command line
    read    makes the value of what was said, given what the user calls it; raises Misuse. None: it is the value
    spell   makes the word of a value
    joined  whether name and value are one word, ``--name=value``
    """

    name: str
    help: str
    short: str | None = None
    also: tuple[str, ...] = ()
    alone: tuple[tuple[str, str], ...] = ()
    metavar: str | None = None
    said: Any = None
    filed: Any = None
    read: Read | None = None
    spell: Callable[[Any], str] = str
    joined: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All its names on the command line, its own first."""
        return (self.name, *((self.short,) if self.short is not None else ()), *self.also)

    @property
    def key(self) -> str:
        """Its name in a file."""
        return self.name.removeprefix("--").replace("-", "_")

    def value(self, called: str, said: Any) -> Any:
        """Return the value that was said. Raises Misuse."""
        return self.read(called, said) if self.read is not None else said

    def words(self, value: Any) -> list[str]:
        """Return how the command line says a value; nothing for None and False."""
        if value is None or value is False:
            return []
        if value is True:
            return [self.name]
        if self.joined:
            return [f"{self.name}={self.spell(value)}"]
        if isinstance(value, tuple):
            return [word for one in value for word in (self.name, self.spell(one))]
        return [self.name, self.spell(value)]


@dataclass(frozen=True)
class Declared:
    """A field that is an option: its name, type and default."""

    field: str
    type: Any
    default: Any
    option: Option


@cache
def _declared(model: Any) -> tuple[Declared, ...]:
    assert is_dataclass(model)
    hints = get_type_hints(model, include_extras=True)
    found = []
    for one in fields(model):
        hint = hints[one.name]
        if get_origin(hint) is not Annotated:
            continue
        type_, *more = get_args(hint)
        option = next((each for each in more if isinstance(each, Option)), None)
        if option is not None:
            assert one.default is not MISSING
            found.append(Declared(one.name, type_, one.default, option))
    return tuple(found)


def declared(model: type) -> tuple[Declared, ...]:
    """Return the fields of a dataclass that are options, in their order."""
    return _declared(model)


def read_all(model: type, said: Mapping[str, Any], called: Callable[[Option], str]) -> dict[str, Any]:
    """Return the values of fields, by what was said of them. Raises Misuse. `called`: what the user calls an option."""
    options = {one.field: one.option for one in declared(model)}
    return {name: options[name].value(called(options[name]), value) for name, value in said.items()}


def spelled(options: Any, without: Collection[str] = ()) -> Iterator[str]:
    """Yield the words that say all fields of a dataclass's instance that differ from their defaults."""
    for one in declared(type(options)):
        value = getattr(options, one.field)
        if one.field not in without and value != one.default:
            yield from one.option.words(value)
