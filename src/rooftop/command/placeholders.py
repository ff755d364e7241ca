"""Places in a command where values go: {name}, each filled once, whatever the values hold.

${name} is a variable of the shell's, and no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rooftop.errors import Misuse

_PLACE = re.compile(r"(?<!\$)\{([A-Za-z_]\w*)\}")


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return a text with {name} replaced by values. Braces around anything else stay."""
    return _PLACE.sub(lambda place: str(values[place[1]]) if place[1] in values else place[0], text)


def substituted(texts: Sequence[str], values: Mapping[str, object]) -> tuple[str, ...]:
    """Return texts, each of them `filled`."""
    return tuple(filled(text, values) for text in texts)


def places(texts: Iterable[str]) -> list[str]:
    """Return the names of all places in texts, in their order and each once."""
    return list(dict.fromkeys(name for text in texts for name in _PLACE.findall(text)))


def require_place(option: str, name: str, texts: Sequence[str], known: Iterable[str]) -> None:
    """Raise Misuse where a value has no place in any of these texts, and so no effect.

    known  all names that have values
    """
    found = places(texts)
    if name in found:
        return
    unknown = [other for other in found if other not in set(known)]
    beside = f"; it has {{{unknown[0]}}}, which is nothing that is set" if unknown else ""
    raise Misuse(f"{option} sets {name!r}, expected {{{name}}} in the command{beside}")


def remarks(texts: Sequence[str], known: Iterable[str]) -> list[str]:
    """Return a line for each place that has no value, and so stays as it is."""
    unknown = [name for name in places(texts) if name not in set(known)]
    return [f"{{{name}}} in the command names nothing that is set: it stays as it is" for name in unknown]
