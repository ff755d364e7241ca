"""Cards of a deck: a keyword with parameters, and the data lines below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.lines import Line, LineReader

_SHOWN = 60  # characters of invalid text shown in messages
_FIELDS = re.compile(r'((?:"[^"]*"|[^,"])*)(,|$)')
_PARAMETER = re.compile(r"\s*[A-Za-z][A-Za-z0-9 _-]*\s*=.*")
_FLAGS = {"GENERATE", "INTERNAL", "UNSORTED", "PERTURBATION", "NLGEOM", "INSTANCE"}


def shown(text: str) -> str:
    """Return a text of the file for a message: quoted, and shortened if it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def fields_of(text: str) -> list[str]:
    """Return the fields between commas, stripped; commas in quotes are part of a name."""
    if '"' not in text:
        return [one.strip() for one in text.split(",")]
    found = []
    for match in _FIELDS.finditer(text):
        found.append(match[1].strip())
        if match[2] == "" and match.end() == len(text):
            return found
    return [one.strip() for one in text.split(",")]  # a quote that is not closed


def name_of(text: str) -> str:
    """Return a name in the form used for comparison: upper case without blanks, unless it is quoted."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    parts = re.split(r'("[^"]*")', text)  # quoted parts of a name such as "My part".5
    return "".join(p[1:-1] if p.startswith('"') and p.endswith('"') and len(p) > 1 else _folded(p) for p in parts)


def _folded(text: str) -> str:
    return re.sub(r"\s+", "", text).upper()


@dataclass(frozen=True)
class Row:
    """A data line and its fields."""

    line: Line
    fields: list[str]

    @property
    def where(self) -> str:
        """Return the file and the line for messages."""
        return self.line.where

    def field(self, number: int) -> str:
        """Return a field, counted from 0; blank if the line has fewer fields."""
        return self.fields[number] if number < len(self.fields) else ""


@dataclass
class Card:
    """A keyword without blanks, such as ENDSTEP; its parameters, with names in upper case; its data lines."""

    keyword: str
    line: Line
    parameters: dict[str, str]
    data: list[Line] = field(default_factory=list)

    @property
    def where(self) -> str:
        """Return the file and the line for messages."""
        return self.line.where

    @property
    def name(self) -> str:
        """Return the keyword for messages, with its asterisk and blanks."""
        return "*" + " ".join(self.line.text.strip().lstrip("*").split(",")[0].upper().split())

    def rows(self) -> Iterator[Row]:
        """Yield the data lines."""
        for line in self.data:
            yield Row(line, fields_of(line.text))

    def get(self, parameter: str) -> str | None:
        """Return a parameter in the form used for comparison; None if the card does not have it."""
        found = self.parameters.get(parameter)
        return None if found is None else name_of(found)

    def required(self, parameter: str) -> str:
        """Return a parameter. Raises Misuse if the card does not have it or it is empty."""
        found = self.get(parameter)
        if not found:
            raise Misuse(f"{self.where}: {self.name} has no {parameter}=; expected {parameter}=VALUE")
        return found

    def require_only(self, *known: str) -> None:
        """Raise Misuse for a parameter other than these, which could change the meaning of the card."""
        for parameter, value in self.parameters.items():
            if parameter not in known:
                said = f"{parameter}={value}" if value else parameter
                raise Misuse(
                    f"{self.where}: {self.name} with {shown(said)} is not supported; expected "
                    f"{', '.join(known) or 'no parameters'}"
                )

    def refused(self, why: str) -> Misuse:
        """Return a Misuse whose message begins with the file, the line and the card's name."""
        return Misuse(f"{self.where}: {self.name} {why}")


def _is_continued(text: str, following: str) -> bool:
    """Whether a line continues the parameters of the keyword line above it, which ends with a comma."""
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
    """Yield the cards of a deck and the files that it includes. Raises Misuse, naming the file, line and value."""
    reader = LineReader(deck)
    card: Card | None = None
    heading, continued = "", False  # the keyword line so far, and whether it may continue
    for line in reader.lines():
        if line.text.lstrip().startswith("*"):
            if card is not None:
                yield card
            heading, continued = line.text, True
            card = _card(line, heading)
            _add_input(reader, card)
        elif card is None:
            raise Misuse(f"{line.where}: {shown(line.text.strip())} comes before the first keyword; expected a keyword")
        elif continued and _is_continued(heading, line.text):
            heading = heading.rstrip() + line.text
            card = _card(card.line, heading)
            _add_input(reader, card)
        else:
            continued = False
            card.data.append(line)
    if card is None:
        raise Misuse(f"{deck}: it has no keyword; expected lines that begin with *")
    yield card


def _add_input(reader: LineReader, card: Card) -> None:
    """Add the data lines of the file that INPUT= names to a card."""
    if "INPUT" in card.parameters:
        name = card.parameters["INPUT"].strip('"')
        if not name:
            raise Misuse(f"{card.where}: {card.name} names no file; expected INPUT=FILE")
        card.data.extend(reader.lines_of(reader.named(name, card.line), card.line))
        del card.parameters["INPUT"]
