"""Options whose value may be left out, which the option parser does not have: ``-i`` and ``-i=1,2``, ``-N``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rooftop.command.option import Option

_LETTERS = re.compile(r"-[A-Za-z]{2,}")


def _taking(parameters: Iterable[Any]) -> dict[str, int]:
    """Return how many words each option takes as its value."""
    found: dict[str, int] = {}
    for one in parameters:
        if one.param_type_name == "option" and not one.is_flag:
            found |= dict.fromkeys((*one.opts, *one.secondary_opts), one.nargs)
    return found | {"--resume": 0}  # it is read by another


def with_values(words: Sequence[str], options: Iterable[Option], parameters: Iterable[Any]) -> list[str]:
    """Return the words with every option that stands alone spelled out, ``--ignore-failure=all-non-zero``.

    parameters  of the option parser: what follows an option as its value is left as it is
    """
    alone, own_names = {}, {}
    for option in options:
        for word, value in option.alone:
            alone[word] = f"{option.name}={value}"
            own_names[word] = option.name
    taking = _taking(parameters)
    found: list[str] = []
    values = 0
    for word in words:
        name, equals, value = word.partition("=")
        if values:
            values -= 1
            found.append(word)
        elif word in alone:
            found.append(alone[word])
        elif equals and name in own_names:
            found.append(f"{own_names[name]}={value}")
        elif _LETTERS.fullmatch(word) and all(f"-{letter}" in alone for letter in word[1:]):
            found += [alone[f"-{letter}"] for letter in word[1:]]
        else:
            values = taking.get(word, 0)
            found.append(word)
    return found
