"""Options in TOML files: the keys, types and readers are those that the options declare."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from rooftop.command.option import Declared, declared, read_all
from rooftop.errors import Misuse
from rooftop.text.nearest import nearest

ModelT = TypeVar("ModelT", bound=BaseModel)


def options_in_files(model: type, without: Collection[str] = ()) -> dict[str, Declared]:
    """Return the options of a request that files have, by their keys. `without`: fields that are left out."""
    return {one.option.key: one for one in declared(model) if one.option.in_file and one.field not in without}


def file_model(model: type, without: Collection[str] = ()) -> Any:
    """Return a model of a file, or of a table in one, with the options of a request; None: not given."""
    fields: dict[str, Any] = {}
    for key, one in options_in_files(model, without).items():
        fields[key] = ((one.option.filed or one.option.said or one.type) | None, None)
    return create_model("_Given", __config__=ConfigDict(extra="forbid", strict=True), **fields)


def given_values(model: type, content: Mapping[str, Any], said: str) -> dict[str, Any]:
    """Return the values of a request's fields that a file's content sets. Raises Misuse. `said`: names the place."""
    keys = options_in_files(model)
    given = {keys[key].parameter: value for key, value in content.items() if key in keys and value is not None}
    return read_all(model, given, lambda option: f"{said}: {option.key}")


def read_toml(path: Path, model: type[ModelT], number: Callable[[str], Any] = float) -> ModelT:
    """Read a file. `number`: makes a value of a decimal number's text. Raises Misuse that names what is wrong in it."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"), parse_float=number)
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misuse(f"{path} is not TOML: {error}") from error
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " ".join(str(part + 1 if isinstance(part, int) else part) for part in first["loc"])
        if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
            raise Misuse(
                f"{path} has {place!r}, and no option is called so; {nearest(place, model.model_fields)}"
            ) from error
        told = first["msg"].replace("Input should be", "expected").replace("a valid dictionary", "a table")
        raise Misuse(f"{path}: {place} is {first['input']!r}: {told}") from error


def read_options(path: Path, model: type, number: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the values of a request's fields that a TOML file sets. Raises Misuse."""
    content: BaseModel = read_toml(path, file_model(model), number)
    return given_values(model, content.model_dump(exclude_unset=True), str(path))
