"""Twenty texts drawn at random from each of help, messages, docstrings and guides, before and after."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, PageOption, table, write_page
from benchmarks.house.drawn import KINDS, Place, earlier, renames, texts
from rooftop.files.atomic import write_whole

PAGE = RESULTS / "texts.md"
BEFORE = "d588cd23"  # the last revision before all texts were read once through
SEED = 41
COUNT = 20
READ = Path(__file__).with_name("texts_read.txt")


def digest(place: Place, text: str) -> str:
    """Return by what a text that was read is known: another text in its place has to be read again."""
    return hashlib.sha256(f"{place}\n{text}".encode()).hexdigest()[:16]


def draw(found: dict[Place, str], seed: int, count: int) -> list[Place]:
    """Return so many places of each kind, drawn by a seed."""
    places = [sorted((one for one in found if one.kind == kind), key=lambda one: one.order(seed)) for kind in KINDS]
    return [place for ranked in places for place in ranked[:count]]


def _cell(text: str | None) -> str:
    if text is None:
        return "–"
    shown = text.replace("](", "]\\(")  # a link of another page leads nowhere from this one
    return shown.replace("<", "&lt;").replace("\n\n", "<br>").replace("\n", " ")


def main(
    before: Annotated[str, typer.Option(help="The earlier revision.")] = BEFORE,
    after: Annotated[str, typer.Option(help="The later revision, from which places are drawn.")] = "HEAD",
    seed: Annotated[int, typer.Option(help="Of the draw.")] = SEED,
    count: Annotated[int, typer.Option(min=1, help="Texts of each kind.")] = COUNT,
    understood: Annotated[
        bool, typer.Option("--understood", help="All that are drawn were read and understood: remember it.")
    ] = False,
    to: PageOption = PAGE,
) -> None:
    """Draw places from the later revision, pair their texts with the earlier ones, and write docs/results/texts.md."""
    new, old, renamed = texts(str(ROOT), after), texts(str(ROOT), before), renames(str(ROOT), before, after)
    drawn = draw(new, seed, count)
    known = set(READ.read_text(encoding="utf-8").split()) if READ.is_file() else set()
    if understood:
        known = {digest(place, new[place]) for place in drawn}
        write_whole(READ, "\n".join(sorted(known)) + "\n")
    parts = []
    for kind in KINDS:
        rows = []
        for place in (one for one in drawn if one.kind == kind):
            text, was = new[place], earlier(place, old, renamed)
            same = "the same" if was == text else _cell(was)
            rows.append([f"`{place}`", same, _cell(text), "yes" if digest(place, text) in known else "?"])
        parts.append(f"## {kind.capitalize()}\n\n" + table(["place", "before", "after", "understood"], rows))
    about = f"""\
{count} texts of each kind were drawn by the digests of their places and the seed {seed}. They are shown as in the
sources, with what a program fills in between braces. Guides are those of docs/guide and the READMEs of labs.
*Before* is revision {before}; a dash: there was no such place. *Understood*: a reader who did not look at the code
read the text of *after* and understood it; ?: not read yet."""
    write_page(to, "Texts drawn at random, before and after", "texts", about, *parts, on=f"After: {after}")
