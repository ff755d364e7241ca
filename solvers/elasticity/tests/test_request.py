"""What options say of a body, or one line of misuse.

Set ROOFTOP_EXAMPLES to try many more of them; see tests/fakes/any_input.py.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from any_input import argument, examples, given_or_refused
from hypothesis import given
from hypothesis import strategies as st

from rooftop.solvers.elasticity import FACES
from rooftop.solvers.elasticity.request import Request, parse_grade, parse_traction

VALUES = argument() | st.floats().map(repr)
TRACTIONS = st.builds(
    "{}={}".format, argument() | st.sampled_from(FACES), st.lists(VALUES, max_size=4).map(",".join)
)  # fmt: skip
GRADES = st.lists(VALUES, max_size=3).map(":".join)


def test_what_they_say() -> None:
    assert parse_traction(" z-max =0,-1.5,2e3") == ("z-max", (0.0, -1.5, 2000.0))
    assert parse_grade("2:1") == 0.5
    assert parse_traction("a=b=1,2,3") == ("a=b", (1.0, 2.0, 3.0))


@given(TRACTIONS | argument(), GRADES)
@examples(150)
def test_any_input_as_tractions_and_grades(traction: str, grade: str) -> None:
    given_or_refused(lambda: parse_traction(traction))
    given_or_refused(lambda: parse_grade(grade))


@given(st.lists(argument() | st.sampled_from(FACES), max_size=2), st.lists(TRACTIONS, max_size=2), VALUES, VALUES)
@examples(100)
def test_any_input_as_a_body(tmp_path: Path, faces: list[str], tractions: list[str], young: str, poisson: str) -> None:
    for name in ("body.vtu", "mesh.inp"):
        path = tmp_path / name
        path.write_text("2 2 2\n", encoding="utf-8")
        words = (faces, faces, tractions, young, poisson, None, 0.0, 1, False)
        given_or_refused(partial(Request.read, path, *words))
