"""Options that are declared once, at the fields of a dataclass: for the command line, TOML files and "reproduce"."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from rooftop.errors import Misuse
from rooftop.text.nearest import nearest

Read = Callable[[str, Any], Any]

# The panels in which a command's help lists its options.
COMPARED = "What is measured"
CORRECTNESS = "Correctness"
RUNNING = "How commands run"
TIMING = "Timing"
RUNGS = "Rungs of a ladder"
OUTPUT = "Output"


@dataclass(frozen=True)
class Option:
    """The option that sets a field.

    name    such as ``--metric-regex``; its key in files is ``metric_regex``
    help    help text
    short   short option, such as ``-i``
    also    other names, as used by other tools
    off     name that sets a flag to false
    alone   words that stand for a value: ``-N`` is ``--shell=none``
    metavar name of the value in the help
    panel   panel of the help
    said    type on the command line (default: that of the field)
    filed   type in a file (default: that on the command line)
    in_file whether files may contain it
    read    converts a given value; its first argument names the option in messages; raises Misuse
    part    the part of the field that this option sets, if several options set one field
    spell   converts a value to a word
    joined  whether name and value are one word, ``--name=value``
    """

    name: str
    help: str
    short: str | None = None
    also: tuple[str, ...] = ()
    off: str | None = None
    alone: tuple[tuple[str, str], ...] = ()
    metavar: str | None = None
    panel: str = COMPARED
    said: Any = None
    filed: Any = None
    in_file: bool = True
    read: Read | None = None
    part: Callable[[Any], Any] | None = None
    spell: Callable[[Any], str] = str
    joined: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the form of the option parser."""
        first = self.name if self.off is None else f"{self.name}/{self.off}"
        return (first, *((self.short,) if self.short is not None else ()), *self.also)

    @property
    def key(self) -> str:
        """Key in a file."""
        return self.name.removeprefix("--").replace("-", "_")

    def value(self, called: str, said: Any) -> Any:
        """Return the converted value. Raises Misuse."""
        return self.read(called, said) if self.read is not None else said

    def words(self, value: Any) -> list[str]:
        """Return the command-line words that set a value; none for None, and for False without `off`."""
        if self.part is not None:
            value = self.part(value)
        if value is None or value is False:
            return [self.off] if value is False and self.off is not None else []
        if value is True:
            return [self.name]
        if self.joined:
            return [f"{self.name}={self.spell(value)}"]
        if isinstance(value, tuple):
            return [word for one in value for word in (self.name, self.spell(one))]
        return [self.name, self.spell(value)]


@dataclass(frozen=True)
class Declared:
    """An option with the name, type and default of its field.

    parameter  name of the function argument: that of the field, or of the option if the field has several
    """

    field: str
    parameter: str
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
        options = [each for each in more if isinstance(each, Option)]
        for option in options:
            assert one.default is not MISSING
            name = one.name if len(options) == 1 else option.key
            found.append(Declared(one.name, name, type_, one.default, option))
    return tuple(found)


def declared(model: type) -> tuple[Declared, ...]:
    """Return the options of a dataclass, in the order of its fields."""
    return _declared(model)


def read_all(model: type, said: Mapping[str, Any], called: Callable[[Option], str]) -> dict[str, Any]:
    """Return the values of fields from the given values of parameters. Raises Misuse.

    called  returns the name of an option in messages

    The values of several options for one field are added.
    """
    options = {one.parameter: one for one in declared(model)}
    found: dict[str, Any] = {}
    for name, given in said.items():
        one = options[name]
        value = one.option.value(called(one.option), given)
        found[one.field] = found[one.field] + value if one.field in found else value
    return found


def spelled(options: Any, usual: Any = None, without: Collection[str] = ()) -> Iterator[str]:
    """Yield the words that set all fields of `options` that differ from their defaults.

    usual  instance with other defaults
    """
    for one in declared(type(options)):
        value = getattr(options, one.field)
        default = one.default if usual is None else getattr(usual, one.field)
        if one.field not in without and value != default:
            yield from one.option.words(value)


ModelT = TypeVar("ModelT", bound=BaseModel)


def options_in_files(model: type, without: Collection[str] = ()) -> dict[str, Declared]:
    """Return the options of a request that files may contain, by key. `without`: fields to leave out."""
    return {one.option.key: one for one in declared(model) if one.option.in_file and one.field not in without}


def file_model(model: type, without: Collection[str] = ()) -> Any:
    """Return the model of a file or table with the options of a request; None if not given."""
    fields: dict[str, Any] = {}
    for key, one in options_in_files(model, without).items():
        fields[key] = ((one.option.filed or one.option.said or one.type) | None, None)
    return create_model("_Given", __config__=ConfigDict(extra="forbid", strict=True), **fields)


def given_values(model: type, content: Mapping[str, Any], said: str) -> dict[str, Any]:
    """Return the values of fields from the content of a file. `said` names the file in messages. Raises Misuse."""
    keys = options_in_files(model)
    given = {keys[key].parameter: value for key, value in content.items() if key in keys and value is not None}
    return read_all(model, given, lambda option: f"{said}: {option.key}")


def read_toml(path: Path, model: type[ModelT], number: Callable[[str], Any] = float) -> ModelT:
    """Read a TOML file. `number` converts the text of a decimal number. Raises Misuse."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"), parse_float=number)
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # of a number with thousands of digits, of brackets in brackets
        raise Misuse(f"{path} is not TOML: {error}") from error
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " ".join(str(part + 1 if isinstance(part, int) else part) for part in first["loc"])
        if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
            raise Misuse(
                f"{path} has {place!r}, which is not an option; {nearest(place, model.model_fields)}"
            ) from error
        told = first["msg"].replace("Input should be", "expected").replace("a valid dictionary", "a table")
        raise Misuse(f"{path}: {place} is {first['input']!r}: {told}") from error


def read_options(path: Path, model: type, number: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the values of fields from a TOML file. Raises Misuse."""
    content: BaseModel = read_toml(path, file_model(model), number)
    return given_values(model, content.model_dump(exclude_unset=True), str(path))
