"""The lines and cards of decks: what people and programs write, read back as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from any_input import argument, examples, given_or_refused
from hypothesis import assume, given
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, name_of, read_cards
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.deck.values import real


def written(folder: Path, text: str, name: str = "deck.inp") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def cards(folder: Path, text: str) -> list[Card]:
    return list(read_cards(written(folder, text)))


def rows(card: Card) -> list[list[str]]:
    return [row.fields for row in card.rows()]


def test_keywords_parameters_and_data(tmp_path: Path) -> None:
    text = "** a comment\n*node , NSET = My Set\r\n 1, 0.,,2.\n\n  ** another\n*End Step\n"
    text += '*ELSET,ELSET="my, set"\n"a,b" , 3\n'
    node, end, elset = cards(tmp_path, text)
    assert (node.keyword, node.get("NSET"), rows(node)) == ("NODE", "MYSET", [["1", "0.", "", "2."]])
    assert (end.keyword, end.name, end.where) == ("ENDSTEP", "*END STEP", f"{tmp_path / 'deck.inp'}:6")
    assert (elset.get("ELSET"), rows(elset)) == ("my, set", [['"a,b"', "3"]])
    assert name_of(rows(elset)[0][0]) == "a,b"


@pytest.mark.case("solvers.K5")
def test_a_keyword_line_goes_on_after_a_comma(tmp_path: Path) -> None:
    one, two = cards(tmp_path, "*ELEMENT, TYPE=C3D8,\n** between\n ELSET=E\n1,2\n*NSET, NSET=A,\nGENERATE\n1,3\n")
    assert (one.get("TYPE"), one.get("ELSET"), rows(one)) == ("C3D8", "E", [["1", "2"]])
    assert (two.parameters, rows(two)) == ({"NSET": "A", "GENERATE": ""}, [["1", "3"]])


def test_a_comma_at_the_end_of_a_keyword_line_may_stand_for_nothing(tmp_path: Path) -> None:
    [card] = cards(tmp_path, "*NSET, NSET=A,\n1, 2\n3, B\n")
    assert rows(card) == [["1", "2"], ["3", "B"]]


@pytest.mark.case("solvers.K5")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5D3", 1500),
        ("1.5d-1", 0.15),
        ("1.5+3", 1500),
        (".5", 0.5),
        ("-2.", -2),
        ("+1E2", 100),
        ("", 7),
        ("1-2", 0.01),
    ],
)
def test_numbers_as_fortran_writes_them(tmp_path: Path, text: str, value: float) -> None:
    [card] = cards(tmp_path, f"*DENSITY\n {text} ,\n")
    assert real(next(card.rows()), 0, "a number", 7.0) == value


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "x", "1,2", "--1", "1e", "1_0", "٣", "0x1", "1 2"])
def test_what_is_no_number(tmp_path: Path, text: str) -> None:
    [card] = cards(tmp_path, f"*DENSITY\n{text}\n")
    if text == "1,2":
        return
    with pytest.raises(Misuse, match=r"deck\.inp:2: .* is not a finite number; expected the density"):
        real(next(card.rows()), 0, "the density")


@pytest.mark.case("solvers.K5")
def test_files_that_are_included(tmp_path: Path) -> None:
    folder = tmp_path / "mesh"
    folder.mkdir()
    written(folder, "1, 0, 0, 0\n*INCLUDE, INPUT=more.txt\n", "nodes.txt")
    written(folder, "2, 1, 0, 0\n", "more.txt")
    written(tmp_path, "9\n", "set.txt")
    text = "*NODE\n*include, input = mesh/nodes.txt\n3, 0, 0, 1\n*NSET, NSET=A, INPUT=set.txt\n8\n"
    node, nset = cards(tmp_path, text)
    assert rows(node) == [["1", "0", "0", "0"], ["2", "1", "0", "0"], ["3", "0", "0", "1"]]
    assert [row.where for row in node.rows()][:2] == [f"{folder / 'nodes.txt'}:1", f"{folder / 'more.txt'}:1"]
    assert (rows(nset), nset.parameters) == ([["9"], ["8"]], {"NSET": "A"})


@pytest.mark.parametrize(
    ("included", "says"),
    [
        ("*INCLUDE, INPUT=deck.inp\n", "included.txt:1: .*deck.inp includes itself"),
        ("*INCLUDE, INPUT=none.txt\n", "included.txt:1: .*none.txt: No such file"),
        ("*INCLUDE\n", "included.txt:1: \\*INCLUDE names no file"),
        ("*INCLUDE, INPUT=" + "x" * 5000 + "\n", "included.txt:1: .*File name too long"),
        ("*NODE\n\0", "included.txt: it contains null characters"),
    ],
)
def test_files_that_cannot_be_included(tmp_path: Path, included: str, says: str) -> None:
    written(tmp_path, included, "included.txt")
    with pytest.raises(Misuse, match=says):
        cards(tmp_path, "*INCLUDE, INPUT=included.txt\n")


def test_files_that_double_themselves_end(tmp_path: Path) -> None:
    for number in range(15):
        written(tmp_path, f"*INCLUDE, INPUT={number + 1}.txt\n" * 2, f"{number}.txt")
    written(tmp_path, "*NODE\n", "15.txt")
    with pytest.raises(Misuse, match="exceeds the limit of included files; expected at most"):
        cards(tmp_path, "*INCLUDE, INPUT=0.txt\n")


@pytest.mark.parametrize("text", ["", "** nothing\n\n", "1, 2, 3\n*NODE\n", ">**\n*NODE\n"])
def test_what_is_no_deck(tmp_path: Path, text: str) -> None:
    assert given_or_refused(lambda: cards(tmp_path, text)) is not None


def test_latin_letters_in_comments(tmp_path: Path) -> None:
    path = tmp_path / "deck.inp"
    path.write_bytes("** Träger\n*NSET, NSET=TRÄGER\n".encode("latin-1"))
    [card] = read_cards(path)
    assert card.get("NSET") == "TRÄGER"


WORDS = st.text("ABCXYZ019_-.", min_size=1, max_size=8).filter(lambda word: not word.startswith("-"))
NAMES = st.one_of(WORDS, st.text("abcXYZ 019,._-", min_size=1, max_size=10).map(lambda one: f'"{one}"'))
BLANKS = st.sampled_from(["", " ", "  ", "\t"])
FIELDS = st.one_of(
    NAMES, st.integers(-5, 10**9).map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr), st.just("")
)


@st.composite
def written_cards(draw: st.DrawFn) -> tuple[str, list[tuple[str, dict[str, str], list[list[str]]]]]:
    """Return a text, and what it says: keywords, parameters and fields."""
    text, meant = "", []

    def cased(word: str) -> str:
        return draw(st.sampled_from([word, word.lower(), word.title()]))

    for _ in range(draw(st.integers(1, 4))):
        keyword = draw(st.sampled_from(["NODE", "END STEP", "SOLID SECTION", "ELEMENT"]))
        parameters = draw(st.dictionaries(st.sampled_from(["TYPE", "ELSET", "NSET", "NAME"]), NAMES, max_size=4))
        line = f"{draw(BLANKS)}*{cased(keyword)}"
        for name, value in parameters.items():
            gap = draw(st.sampled_from(["", "\n", "\n** a comment\n"]))
            word = value if value.startswith('"') else cased(value)
            line += f"{draw(BLANKS)},{gap}{draw(BLANKS)}{cased(name)}{draw(BLANKS)}={draw(BLANKS)}{word}"
        data = draw(st.lists(st.lists(FIELDS, min_size=2, max_size=5), max_size=3))
        data = [one for one in data if any(one) and not one[0].startswith("*")]
        text += line + draw(st.sampled_from(["\n", "\r\n"]))
        for fields in data:
            text += ",".join(f"{draw(BLANKS)}{one}{draw(BLANKS)}" for one in fields) + "\n"
            text += draw(st.sampled_from(["", "\n", "** 1, 2\n", " \t\n"]))
        folded = {name: name_of(value) for name, value in parameters.items()}
        meant.append((keyword.replace(" ", ""), folded, [[one.strip() for one in fields] for fields in data]))
    return text, meant


@given(written_cards())
@examples(300)
def test_decks_are_read_as_they_were_written(
    tmp_path: Path, both: tuple[str, list[tuple[str, dict[str, str], list[list[str]]]]]
) -> None:
    text, meant = both
    found = cards(tmp_path, text)
    assert [(card.keyword, {name: card.get(name) for name in card.parameters}, rows(card)) for card in found] == meant


@given(st.lists(argument(), max_size=8).map("\n".join) | st.lists(argument(), max_size=8).map("\n*NODE\n".join))
@examples(200)
def test_any_input_as_a_deck(tmp_path: Path, text: str) -> None:
    assume("\0" not in text)
    path = written(tmp_path, text)
    given_or_refused(lambda: read_deck(path))
