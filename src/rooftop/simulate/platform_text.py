"""A platform as a TOML file, which ``platform_files`` reads back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rooftop.simulate.platform import Platform


def _value(value: Any) -> str:
    """Return a value as TOML writes it. Texts, numbers and lists of these are as in JSON."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {_value(one)}' for name, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        # JSON leaves DEL as it is, and TOML does not allow it.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def as_toml(platform: Platform) -> str:
    """Return the platform as a file has it."""
    content = platform.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    if "network" in content:
        content["network"] = content["network"].pop("shape") | content["network"]
    lines = [f"{name} = {_value(value)}" for name, value in content.items() if not isinstance(value, dict | list)]
    for name, table in content.items():
        if isinstance(table, dict):
            lines += ["", f"[{name}]"]
            lines += [f"{key} = {_value(value)}" for key, value in table.items()]
    for source in content["sources"]:
        lines += ["", "[[sources]]", *(f"{key} = {_value(value)}" for key, value in source.items())]
    return "\n".join(lines) + "\n"
