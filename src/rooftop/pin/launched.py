"""Parse a launcher's command line: launcher, number of ranks, program.

An unknown option is an error: it may take the next word as its value, so the start of the program is uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rooftop.launchers.launcher import Launcher


@dataclass(frozen=True)
class Launched:
    """A program started by a launcher.

    head     the launcher as the user wrote it
    kept     its options that are not about ranks or placement
    ranks    number of ranks; None if not given
    """

    launcher: Launcher
    head: str
    kept: tuple[str, ...]
    ranks: int | None
    program: tuple[str, ...]


class Unclear(Exception):
    """A launcher's command line cannot be parsed; the text gives the reason."""


def _words_of(launcher: Launcher, name: str) -> tuple[int, bool] | None:
    """Return how many words follow an option, and whether it is about placement; None if it is unknown."""
    if name in launcher.counts:
        return 1, True
    for table, placing in ((launcher.placing, True), (launcher.other, False)):
        for count, names in enumerate(table):
            if name in names.split():
                return count, placing
    return None


def taken_apart(words: Sequence[str], launcher: Launcher) -> Launched:
    """Parse a launcher's command line. Raises Unclear."""
    if ":" in words:
        raise Unclear(f"{words[0]} starts several programs")
    kept: list[str] = []
    ranks: int | None = None
    place = 1
    while place < len(words) and words[place].startswith("-"):
        option, equals, value = words[place].partition("=")
        name = option.lstrip("-")
        if launcher.joined and not option.startswith("--") and len(name) > 1 and not equals:  # -n4
            name, equals, value = name[0], "=", name[1:]
        known = _words_of(launcher, name)
        if known is None:
            raise Unclear(f"{words[place]} is not a known option, so it is unclear where the program begins")
        count, placing = known
        following = 0 if equals else count
        end = place + 1 + following
        if name in launcher.counts:
            told = value if equals else "".join(words[place + 1 : end])
            if not (told.isdecimal() and told.isascii() and int(told) > 0):
                raise Unclear(f"{words[place]} is not followed by a number of ranks")
            ranks = int(told)
        elif not placing:
            kept += words[place:end]
        place = end
    if place >= len(words):
        raise Unclear(f"{words[0]} starts no program")
    return Launched(launcher, words[0], tuple(kept), ranks, tuple(words[place:]))


def without_passed(launcher: Launcher, kept: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return a launcher's options without those that pass environment variables of these names."""
    found: list[str] = []
    place = 0
    while place < len(kept):
        option, following = kept[place].lstrip("-"), kept[place + 1 : place + 2]
        if option in launcher.passing and following and following[0].partition("=")[0] in names:
            place += 1 + (_words_of(launcher, option) or (0, False))[0]
        else:
            found.append(kept[place])
            place += 1
    return tuple(found)
