"""How commands are read from a command line."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.line import from_text, from_words, read_commands
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


@pytest.mark.parametrize("arguments", [["a", ":::"], [":::", "b"], ["a", ":::", ":::", "b"], [""], ["  "], ["'open"]])
def test_misuse(arguments: list[str]) -> None:
    with pytest.raises(Misuse):
        read_commands(arguments)


@given(st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1), min_size=1))
def test_a_command_s_text_says_its_words(words: list[str]) -> None:
    assert shlex.split(from_words(words).text) == words
