"""Platforms in TOML files: those of ``machines/``, found by their folder, and a user's own."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from rooftop.errors import Misuse
from rooftop.simulate.figures import Described
from rooftop.simulate.platform import Platform
from rooftop.text.nearest import nearest

DescribedT = TypeVar("DescribedT", bound=Described)
FOLDER = Path(__file__).parent / "machines"
_LONGEST = 1 << 20  # bytes of a file


def known_platforms() -> dict[str, Path]:
    """Return the files of known machines, by name."""
    return {file.stem: file for file in sorted(FOLDER.glob("*.toml"))}


def named_platform(name: str) -> Platform:
    """Return a known machine, or that of a file, which ends with ``.toml``. Raises Misuse."""
    known = known_platforms()
    if name in known:
        return read_platform(known[name])
    if name.endswith(".toml"):
        return read_platform(Path(name))
    raise Misuse(f"there is no platform {name!r}, and a file ends with .toml; {nearest(name, known)}")


def read_platform(path: Path) -> Platform:
    """Read a platform. Raises Misuse that names the file, the figure, the value and what is expected."""
    if path.is_fifo():  # it would be waited for
        raise Misuse(f"{path} is a pipe, expected a file")
    try:
        if path.stat().st_size > _LONGEST:
            raise Misuse(f"{path} has {path.stat().st_size} bytes: expected a platform, of at most {_LONGEST}")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise Misuse(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return parse_platform(text, str(path))


def parse_platform(text: str, called: str) -> Platform:
    """Return the platform that TOML describes. Raises Misuse, which calls it as it is `called`."""
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of a number with thousands of digits, of brackets in brackets
        raise Misuse(f"{called} is not TOML: {error}") from error
    return checked(called, lambda: Platform.model_validate(content))


def checked(called: str, make: Callable[[], DescribedT]) -> DescribedT:
    """Return what is made. Raises Misuse, which calls it as it is `called`, where it makes no sense."""
    try:
        return make()
    except ValidationError as error:
        raise Misuse(f"{called}: {_told(error)}") from error


def _told(error: ValidationError) -> str:
    errors = error.errors(include_url=False)
    # A name that is misspelled is also missing: what stands in the file is told first.
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    parts = [one for one in first["loc"] if one not in ("shape", "crossbar", "torus", "fat_tree", "dragonfly")]
    place = ".".join(str(part + 1 if isinstance(part, int) else part) for part in parts)
    what = first["msg"].removeprefix("Value error, ")
    if first["type"] == "value_error":
        return f"{place}: {what}" if place else what
    if first["type"] == "missing":
        return f"{place} is missing"
    if first["type"] == "extra_forbidden":
        return f"{place} is not a figure of a platform"
    if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
        seen = first["input"].get("topology") if isinstance(first["input"], dict) else first["input"]
        return f"network.topology is {seen!r}: expected crossbar, torus, fat_tree or dragonfly"
    seen = repr(first["input"])
    shown = seen if len(seen) <= 80 else seen[:77] + "..."
    expected = what.replace("Input should be", "expected").replace("expected greater", "expected a number greater")
    return f"{place} is {shown}: {expected.replace('expected less', 'expected a number less')}"
