"""Benchmarks that a file declares."""

from __future__ import annotations

import pytest

from rooftop.gate.file import Entry


@pytest.mark.case("commands.A1.gate")
def test_a_shell_that_one_side_needs_starts_the_other_too() -> None:
    base, head = Entry(base="./old", head="./new > /dev/null").sides("benchmark 1")
    assert base == (("/bin/sh", "-c", "./old"), "./old")
    assert head == (("/bin/sh", "-c", "./new > /dev/null"), "./new > /dev/null")
    assert Entry(base="./old", head="./new").sides("benchmark 1") == ((("./old",), "./old"), (("./new",), "./new"))
