"""Inputs of every kind for properties: whatever is read gives a value or one line of misuse, and never another error.

    ROOFTOP_EXAMPLES=100000 .venv/bin/python -m pytest tests -k any_input

runs each of these properties with so many examples instead of the few that every run of the tests affords.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse

ODD = [
    *["", " ", "0", "-0", "1", "-1", "1e999", "nan", "-inf", "9" * 5000, "0x10", "1_000", "٣", "²", "1..3", "3..1"],
    *[
        "1..3..0",
        "0..99999999999",
        "..",
        "1,,2",
        "N=1",
        "N=1,2",
        "=",
        "{N}",
        "{M}",
        "{",
        "%",
        "%s",
        "1s",
        "1.5h",
        "1GiB",
    ],
    *[
        "[bold]x",
        "[/a]",
        "[/]",
        ":smile:",
        "\x1b[31m",
        "\x7f",
        "\r\n",
        "\t",
        "\u2028",
        "\ufeff",
        "\udcff",
        "é",
        "𝄞",
    ],
    *["'", '"', "'a b'", "\\", "$(x)", "`", "a|b", "a&", "--", ":::", "-", "--x", "/dev/null", "/", ".", "~", "*"],
    *[
        "a" * 3000,
        "(" * 300,
        "-" * 300 + "1",
        "-" * 3000 + "1",
        "(a+)+b",
        "(?P<",
        "[",
        "(?i)x",
        "close",
        "glibc",
        "true",
        "false",
        "None",
    ],
    *["1 if 1 else 2", "threads<=cores", "x.y", "9**9**9", "'a'*10", "[1][2]", "{}[1]", "1/0", "f'{1}'", "lambda: 1"],
]


def argument() -> st.SearchStrategy[str]:
    """Return what may stand on a command line: any bytes but null, as Python decodes them."""
    texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
    raw = st.binary(max_size=12).map(lambda one: os.fsdecode(one.replace(b"\0", b"")))
    return st.one_of(st.sampled_from(ODD), texts, raw, st.sampled_from(ODD).flatmap(lambda one: texts.map(one.__add__)))


def examples(count: int) -> settings:
    """Return the settings of a property that needs so many examples in every run."""
    return settings(
        max_examples=int(os.environ.get("ROOFTOP_EXAMPLES", count)),
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def given_or_refused(read: Callable[[], object], kind: type[Exception] = Misuse) -> str | None:
    """Call this; return the line of its refusal, None where it gave a value. Another error goes through."""
    try:
        read()
    except kind as error:
        line = str(error)
        assert line
        assert "\n" not in line
        assert "Traceback" not in line
        return line
    return None
