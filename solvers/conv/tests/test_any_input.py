"""Layer lists of every kind: what they say, or one line of misuse.

Set ROOFTOP_EXAMPLES to try many more of them; see tests/fakes/any_input.py.
"""

from __future__ import annotations

from pathlib import Path

from any_input import ODD, examples, given_or_refused
from hypothesis import example, given
from hypothesis import strategies as st

from rooftop.solvers.conv.layer_list import read_layers

WORDS = st.sampled_from(["1", "0", "-3", "3", "16777216", "16777217", "9" * 30, "# x", "x", "1.5", "\t", "\f", *ODD])
LINES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=5)
LISTS = LINES.flatmap(lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines)))


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@given(st.binary(max_size=60) | LISTS.map(as_bytes), st.sampled_from([0, 1]), st.none() | st.integers(0, 10**6))
@example(b"\xef\xbb\xbf1\n1 3 3 1 1\n", 0, None)
@example(b"1\n" + b"9" * 5000 + b" 3 3 1 1\n", 0, None)
@examples(200)
def test_any_input_as_a_layer_list(tmp_path: Path, content: bytes, padding: int, memory: int | None) -> None:
    file = tmp_path / "layers"
    file.write_bytes(content)
    told = given_or_refused(lambda: read_layers(file, padding=padding, memory_bytes=memory))
    assert told is None or told.startswith(str(file))
