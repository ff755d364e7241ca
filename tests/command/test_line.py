"""How commands are read from a command line."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.line import from_arguments, from_text, from_words, names_of, read_commands, started_alike
from rooftop.errors import Misuse


def test_words_between_separators() -> None:
    read = read_commands(["./a", "-x", "1", ":::", "./b", "two words"])
    assert [command.words for command in read] == [("./a", "-x", "1"), ("./b", "two words")]
    assert [command.text for command in read] == ["./a -x 1", "./b 'two words'"]


def test_texts_run_without_a_shell_where_they_need_none() -> None:
    assert from_text("sleep 1").words == ("sleep", "1")
    assert from_text("echo 'a b'").words == ("echo", "a b")
    for text in ("a | b", "a > file", "A=1 ./b", "echo $HOME", "ls *", "(a)", "~/a"):
        assert from_text(text).words == ("/bin/sh", "-c", text)


@pytest.mark.case("commands.D4")
def test_texts_that_begin_with_a_word_of_the_shell_run_through_it() -> None:
    for text in ("cd /tmp", "! false", "exec x", "ulimit -n 5", ". ./f", ": a", "if true"):
        assert from_text(text).words == ("/bin/sh", "-c", text)
    for text in ("true", "./cd x", "no-such-program x"):
        assert from_text(text).words[0] == text.split()[0]


@pytest.mark.case("commands.D5", "commands.D5.place")
def test_one_argument_is_a_text_and_several_are_words(tmp_path: Path) -> None:
    assert from_arguments(["a | b"]).words == ("/bin/sh", "-c", "a | b")
    assert from_arguments(["a b"]).words == ("a", "b")
    assert from_arguments(["a |", "b"]).words == ("a |", "b")
    assert [one.words for one in read_commands(["a | b", ":::", "c", "d e"])] == [
        ("/bin/sh", "-c", "a | b"),
        ("c", "d e"),
    ]
    # Where a parameter's value goes is no syntax of the shell's.
    assert from_arguments(["gzip -{LEVEL} x"]).words == ("gzip", "-{LEVEL}", "x")
    assert from_arguments(["gzip -{LEVEL} | cat"]).words[:2] == ("/bin/sh", "-c")
    program = tmp_path / "a program"
    program.write_text("#!/bin/sh\n", encoding="ascii")
    program.chmod(0o755)
    assert from_arguments([str(program)]).words == (str(program),)


@pytest.mark.case("commands.D4.null")
@pytest.mark.parametrize("words", [["a\0b"], ["a", "\0"], [""], ["", "a"], []])
def test_words_that_no_program_can_be_given_are_misuse(words: list[str]) -> None:
    with pytest.raises(Misuse, match=r"expected a program|null character"):
        from_words(words)


@pytest.mark.case("commands.A1", "commands.A1.separator")
def test_a_shell_starts_all_commands_or_none() -> None:
    def words(arguments: list[str]) -> list[tuple[str, ...]]:
        return [command.words for command in started_alike(read_commands(arguments))]

    assert words(["sleep 0.005", "sleep 0.005 > /dev/null"]) == [
        ("/bin/sh", "-c", "sleep 0.005"),
        ("/bin/sh", "-c", "sleep 0.005 > /dev/null"),
    ]
    assert words(["sleep 1", "sleep 2"]) == [("sleep", "1"), ("sleep", "2")]
    assert words(["a | b", ":::", "c", "d e"]) == [("/bin/sh", "-c", "a | b"), ("/bin/sh", "-c", "c 'd e'")]


@pytest.mark.parametrize(
    "arguments", [["a", ":::"], [":::", "b"], ["a", ":::", ":::", "b"], [""], ["  "], ["'open"], ["'' a"], ["a \0"]]
)
def test_misuse(arguments: list[str]) -> None:
    with pytest.raises(Misuse):
        read_commands(arguments)


@given(st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1), min_size=1))
def test_a_command_s_text_says_its_words(words: list[str]) -> None:
    assert shlex.split(from_words(words).text) == words


@pytest.mark.case("commands.D5.names")
def test_no_two_commands_have_one_name() -> None:
    texts = ["a", "a (command 3)", "a", "a"]
    assert len(set(names_of(texts))) == 4
