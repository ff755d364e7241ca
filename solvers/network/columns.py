"""Missing, ignored and misspelled columns of a network's tables."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from pydantic import BaseModel

from rooftop.errors import Misuse

# Other columns of GMNS 0.96, ignored without a remark. GMNS's capacity is not among them: it is in vehicles, and users
# may expect it to be observed.
_GMNS = {
    "node": {"name", "z_coord", "ctrl_type", "zone_id", "parent_node_id"},
    "link": {
        *("name", "geometry_id", "geometry", "parent_link_id", "dir_flag", "grade"),
        *("lanes", "bike_facility", "ped_facility", "parking", "allowed_uses", "jurisdiction", "row_width"),
    },
    "config": {
        *("dataset_name", "short_length", "crs", "geometry_field_format", "currency", "version_number", "id_type"),
    },
}
_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_SHOWN = 20  # columns


def _listed(columns: Sequence[str]) -> str:
    shown = [repr(name[:40]) for name in columns[:_SHOWN]]
    return ", ".join(shown) + (f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else "")


def _missing(path: Path, header: Sequence[str], name: str) -> Misuse:
    if len(header) == 1:
        for delimiter, called in _DELIMITERS.items():
            if delimiter in header[0]:
                columns = [part.strip() for part in header[0].split(delimiter)]
                seen = f"columns {_listed(columns)} are separated by {called}; expected commas"
                return Misuse(f"{path}: the column '{name}' is missing: {seen}")
    advice = f"expected '{name}' among them"
    if name in (column.lower() for column in header):
        advice = "expected names in lower case"
    return Misuse(f"{path}: the column '{name}' is missing: the columns are {_listed(header)}; {advice}")


def check_columns(path: Path, header: Sequence[str], kind: type[BaseModel]) -> str | None:
    """Return a remark on ignored columns, or None if there are none.

    Raises Misuse for a missing column, and for a table without any known column.
    """
    for name, field in kind.model_fields.items():
        if field.is_required() and name not in header:
            raise _missing(path, header, name)
    known = set(kind.model_fields)
    unread = [name for name in header if name and name not in known | _GMNS.get(path.stem.lower(), set())]
    if not unread:
        return None
    if not known & set(header):
        columns = _listed(list(kind.model_fields))
        raise Misuse(f"{path}: unknown columns {_listed(unread)}; expected some of {columns}")
    told = []
    for name in unread:
        near = get_close_matches(name.lower(), known - set(header), n=1, cutoff=0.7)
        told.append(f"'{name[:40]}'" + (f" (did you mean '{near[0]}'?)" if near else ""))
    return f"{path}: ignored columns: {', '.join(told)}"
