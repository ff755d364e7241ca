"""Names with escape sequences are shown with them spelled out."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from rooftop.cli.app import main
from rooftop.command.line import names_of
from rooftop.driver.error_output import last_words
from rooftop.terminal.output import tables
from rooftop.text.visible import visible, visible_json

EVIL = "\x1b[2Jx\x07"


@pytest.mark.case("commands.I4")
def test_what_a_terminal_would_obey_is_spelled_out() -> None:
    assert visible(f"a{EVIL}\r\u202eb\tc\n") == r"a\x1b[2Jx\x07\r\u202eb" + "\tc\n"
    assert visible("naïve ✓ 日本") == "naïve ✓ 日本"
    assert names_of([f"echo {EVIL}"]) == [r"echo \x1b[2Jx\x07"]
    assert last_words(f"no {EVIL}".encode()) == r"no \x1b[2Jx\x07"


@given(st.text())
def test_nothing_that_is_obeyed_is_left(text: str) -> None:
    assert not any(letter < " " and letter not in "\t\n" for letter in visible(text))
    assert visible(visible(text)) == visible(text)


@pytest.mark.usefixtures("scratch")
@pytest.mark.case("commands.I4")
@pytest.mark.parametrize(
    "words",
    [
        ["compare", f"echo {EVIL}", "false"],
        ["compare", "-n", EVIL, "--export-markdown", "{}.md", "echo a", "echo b"],
        [
            "gate",
            "--markdown",
            "{}.md",
            "--junit",
            "{}.xml",
            "--",
            f"echo {EVIL}",
            ":::",
            f"sh -c 'echo {EVIL} >&2; exit 3'",
        ],
        ["tune", "--param", f"N={EVIL},b", "--", "echo", "{N}"],
    ],
)
def test_no_sequence_reaches_terminal_or_files(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = [word.replace("{}", str(tmp_path / "out")) for word in words]
    main([own[0], "--max-pairs", "1", "--budget", "3s", *own[1:]])
    seen = capsys.readouterr()
    texts = [seen.out, seen.err]
    texts += [
        file.read_text(encoding="utf-8") for file in tmp_path.rglob("*.*") if file.suffix in (".md", ".xml", ".html")
    ]
    assert not any("\x1b" in text or "\x07" in text for text in texts)
    assert any(r"\x1b[2Jx" in text for text in texts)
    for file in tmp_path.glob("*.xml"):
        ElementTree.parse(file)


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize(
    "words",
    [["solve", "elasticity", EVIL], ["sync", EVIL, "b"], ["compare", f"--bad{EVIL}", "true"]],
)
def test_no_sequence_is_in_an_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert r"\x1b[2Jx" in told and "\x1b" not in told


@given(st.text())
def test_consoles_show_no_sequence(text: str) -> None:
    with redirect_stdout(io.StringIO()) as shown:
        tables().print(Text(text))
        tables().print(text)
    assert not any(letter < " " and letter not in "\t\n" for letter in shown.getvalue())


@given(st.text())
def test_json_for_terminals_means_the_same(text: str) -> None:
    shown = visible_json(json.dumps({"a": text}, ensure_ascii=False))
    assert visible(shown) == shown
    assert json.loads(shown) == {"a": text}
