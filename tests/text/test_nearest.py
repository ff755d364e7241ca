"""An unknown name is answered with the names that there are, or of many with the nearest three."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rooftop.text.nearest import nearest

LABS = [f"labs/{name}" for name in ("false_sharing", "true_sharing", "reduce", "waiting", "branches", "allreduce")]
OTHERS = [f"case_{number}" for number in range(20)]


def test_few_names_are_all_listed() -> None:
    assert nearest("ab", ["a", "b"], "rooftop list") == "there are: a, b"
    assert nearest("ab", []) == "there are: none"


def test_of_many_names_the_nearest_are_told() -> None:
    told = nearest("fals_sharing", LABS + OTHERS, "rooftop list")
    assert told == "the nearest of 26: labs/false_sharing, labs/true_sharing (all: rooftop list)"
    assert nearest("labs/reduced", LABS + OTHERS).startswith("the nearest of 26: labs/reduce")


def test_of_names_that_are_all_unlike_none_is_told() -> None:
    assert nearest("xyzzy", LABS + OTHERS, "rooftop list") == "there are 26, none like it (all: rooftop list)"


@given(st.text(), st.lists(st.text()))
def test_any_texts_are_names(name: str, known: list[str]) -> None:
    assert nearest(name, known).count("\0") <= name.count("\0") + sum(one.count("\0") for one in known)
