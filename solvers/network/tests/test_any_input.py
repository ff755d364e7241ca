"""Tables of networks of every kind: what they say, or one line of misuse.

Set ROOFTOP_EXAMPLES to try many more of them; see tests/fakes/any_input.py.
"""

from __future__ import annotations

from pathlib import Path

from any_input import argument, examples, given_or_refused
from hypothesis import given
from hypothesis import strategies as st
from small_network import TABLES

from rooftop.solvers.network.front import parse_reference, parse_weights
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network

VEHICLE = "payload_t,curb_t,cost_per_km,efficiency,fuel_kj_per_l,empty_share\n26,14,0.9,0.36,35900,0.2\n"
WHOLE = {**TABLES, "config": "long_length,speed\nkm,km/h\n", "vehicle": VEHICLE}
CELLS = [
    "1e9",
    "1e-9",
    "1e-320",
    "-1",
    "1e308",
    "0.001",
    "nan",
    "inf",
    "true",
    "depot",
    "hub",
    "P",
    "K",
    "mi",
    "m/s",
    "1,2",
]


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@st.composite
def tables(draw: st.DrawFn) -> dict[str, bytes]:
    """Return a network's tables, some cells or bytes of which are others."""
    found = {name: text.encode() for name, text in WHOLE.items()}
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(sorted(found)))
        lines = found[name].split(b"\n")
        line = draw(st.integers(0, len(lines) - 1))
        cells = lines[line].split(b",")
        cell = draw(st.integers(0, len(cells) - 1))
        cells[cell] = draw(
            st.one_of(argument().map(as_bytes), st.sampled_from(CELLS).map(str.encode), st.binary(max_size=4))
        )
        lines[line] = b",".join(cells)
        found[name] = b"\n".join(lines)
    if draw(st.integers(0, 9)) == 0:
        name = draw(st.sampled_from(sorted(found)))
        found[name] = draw(st.binary(max_size=40))
    return found


@given(tables())
@examples(100)
def test_any_input_as_tables_of_a_network(tmp_path: Path, tables: dict[str, bytes]) -> None:
    for name, content in tables.items():
        (tmp_path / f"{name}.csv").write_bytes(content)
    given_or_refused(lambda: make_model(read_network([tmp_path])))


FIGURES = argument() | st.lists(
    st.tuples(st.sampled_from(["cost", "time", "co2e", "x", ""]), argument()).map("=".join), max_size=4
).map(",".join)


@given(FIGURES)
@examples(100)
def test_any_input_as_weights(text: str) -> None:
    given_or_refused(lambda: parse_weights(text))
    given_or_refused(lambda: parse_reference(text))
