"""The text of a table, in UTF-8 or in Latin-1 as Windows writes it."""

from __future__ import annotations

from pathlib import Path

from rooftop.errors import Misuse


def read_table_text(path: Path) -> tuple[str, str | None]:
    """Return a file's text, and a remark where it is not in UTF-8. Raises Misuse for what is no text.

    Latin-1 is read as Windows-1252, which has the same letters, as web browsers do (the WHATWG's Encoding Standard).
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Misuse(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        return content.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        if b"\0" in content:
            raise Misuse(f"{path}: it has bytes of value 0, as UTF-16 has; expected a CSV table in UTF-8") from None
        line = content.count(b"\n", 0, error.start) + 1
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise Misuse(f"{path}: it is no CSV table in UTF-8, nor in Latin-1: {error}") from None
    return text, f"{path}: line {line} is not in UTF-8: the table is read as Latin-1"
