"""The cards of a deck: a keyword with parameters, and the lines of data below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.lines import Line, LineReader

_SHOWN = 60  # characters of what is not understood
_FIELDS = re.compile(r'((?:"[^"]*"|[^,"])*)(,|$)')
_PARAMETER = re.compile(r"\s*[A-Za-z][A-Za-z0-9 _-]*\s*=.*")
_FLAGS = {"GENERATE", "INTERNAL", "UNSORTED", "PERTURBATION", "NLGEOM", "INSTANCE"}


def shown(text: str) -> str:
    """Return what a file says, in quotes and not too long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def fields_of(text: str) -> list[str]:
    """Return what stands between commas, without blanks around it; commas in quotes are part of a name."""
    if '"' not in text:
        return [one.strip() for one in text.split(",")]
    found = []
    for match in _FIELDS.finditer(text):
        found.append(match[1].strip())
        if match[2] == "" and match.end() == len(text):
            return found
    return [one.strip() for one in text.split(",")]  # a quote that is not closed


def name_of(text: str) -> str:
    """Return a name as it is compared: without blanks and in capitals, unless it is quoted."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    parts = re.split(r'("[^"]*")', text)  # quoted parts of a name such as "My part".5
    return "".join(p[1:-1] if p.startswith('"') and p.endswith('"') and len(p) > 1 else _folded(p) for p in parts)


def _folded(text: str) -> str:
    return re.sub(r"\s+", "", text).upper()


@dataclass(frozen=True)
class Row:
    """A line of data: what stands between its commas."""

    line: Line
    fields: list[str]

    @property
    def where(self) -> str:
        """Return the file and the line in words."""
        return self.line.where

    def field(self, number: int) -> str:
        """Return a field, counted from 0; those that the line does not have are blank."""
        return self.fields[number] if number < len(self.fields) else ""


@dataclass
class Card:
    """A keyword as it is compared, such as ENDSTEP; its parameters, whose names are in capitals; its lines of data."""

    keyword: str
    line: Line
    parameters: dict[str, str]
    data: list[Line] = field(default_factory=list)

    @property
    def where(self) -> str:
        """Return the file and the line in words."""
        return self.line.where

    @property
    def name(self) -> str:
        """Return the keyword as it is written, with its asterisk."""
        return "*" + " ".join(self.line.text.strip().lstrip("*").split(",")[0].upper().split())

    def rows(self) -> Iterator[Row]:
        """Yield the lines of data."""
        for line in self.data:
            yield Row(line, fields_of(line.text))

    def get(self, parameter: str) -> str | None:
        """Return a parameter as it is compared; None where the card has none of that name."""
        found = self.parameters.get(parameter)
        return None if found is None else name_of(found)

    def required(self, parameter: str) -> str:
        """Return a parameter. Raises Misuse where the card has none, or an empty one."""
        found = self.get(parameter)
        if not found:
            raise Misuse(f"{self.where}: {self.name} has no {parameter}=; expected one")
        return found

    def require_only(self, *known: str) -> None:
        """Raise Misuse for a parameter that may change what the card means."""
        for parameter, value in self.parameters.items():
            if parameter not in known:
                said = f"{parameter}={value}" if value else parameter
                raise Misuse(
                    f"{self.where}: {self.name} with {shown(said)} is not supported; expected "
                    f"{', '.join(known) or 'no parameters'}"
                )

    def refused(self, why: str) -> Misuse:
        """Return misuse that names the card."""
        return Misuse(f"{self.where}: {self.name} {why}")


def _is_continued(text: str, following: str) -> bool:
    """Whether a line goes on with parameters of the keyword line above it, which ends with a comma."""
    if not text.rstrip().endswith(",") or following.lstrip().startswith("*"):
        return False
    parts = [one for one in fields_of(following) if one]
    return bool(parts) and all(_PARAMETER.fullmatch(one) or name_of(one) in _FLAGS for one in parts)


def _card(line: Line, text: str) -> Card:
    first, *others = fields_of(text.strip())
    parameters: dict[str, str] = {}
    for one in others:
        if one:
            name, _, value = one.partition("=")
            parameters[_folded(name)] = value.strip()
    return Card(_folded(first.lstrip("*")), line, parameters)


def read_cards(deck: Path) -> Iterator[Card]:
    """Yield the cards of a deck and of the files that it includes. Raises Misuse, naming file, line and value."""
    reader = LineReader(deck)
    card: Card | None = None
    heading, continued = "", False  # the keyword line so far, and whether it may go on
    for line in reader.lines():
        if line.text.lstrip().startswith("*"):
            if card is not None:
                yield card
            heading, continued = line.text, True
            card = _card(line, heading)
            _add_input(reader, card)
        elif card is None:
            raise Misuse(f"{line.where}: {shown(line.text.strip())} comes before the first keyword; expected a *")
        elif continued and _is_continued(heading, line.text):
            heading = heading.rstrip() + line.text
            card = _card(card.line, heading)
            _add_input(reader, card)
        else:
            continued = False
            card.data.append(line)
    if card is None:
        raise Misuse(f"{deck}: it has no keyword; expected lines that begin with a *")
    yield card


def _add_input(reader: LineReader, card: Card) -> None:
    """Take the data that a card has in another file, which INPUT= names."""
    if "INPUT" in card.parameters:
        name = card.parameters["INPUT"].strip('"')
        if not name:
            raise Misuse(f"{card.where}: {card.name} names no file; expected INPUT=")
        card.data.extend(reader.lines_of(reader.named(name, card.line), card.line))
        del card.parameters["INPUT"]
