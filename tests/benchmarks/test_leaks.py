"""A few hundred calls of every Python function of the solvers leave no memory taken, and what does so is found."""

from __future__ import annotations

import platform
import shutil
from types import SimpleNamespace

import pytest

from benchmarks.leaks import leaks
from benchmarks.leaks.leaks import Growth, all_grown, leaks_table
from rooftop.errors import NotBuilt
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.elasticity import library as elasticity_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.h5io import library as h5io_library
from rooftop.solvers.network import library as network_library
from rooftop.solvers.routing import library as routing_library

CALLS = leaks.CALLS_MIN
LIBRARIES = (fft_library, conv_library, elasticity_library, routing_library, network_library, h5io_library)


def test_what_grows_with_every_part_is_a_leak() -> None:
    assert Growth("a", 400, (100, 100, 100, 100), (0, 0, 0, 0), 0).leaks
    assert Growth("a", 400, (0, 0, 0, 0), (100, 101, 99, 100), 0).leaks
    assert not Growth("kept once", 400, (900, 0, 0, 0), (5000, 15, 15, 15), 8000).leaks
    assert not Growth("given back", 400, (-400, -400, 3, 0), (0, 0, 0, 0), 0).leaks
    assert "| a | 400 | +400 | +0 | +8 | leaks |" in leaks_table([Growth("a", 400, (100,) * 4, (0,) * 4, 8)])


@pytest.mark.parametrize(("blocks", "leaks_found"), [(500, False), (10**6, True)])
def test_caches_that_fill_slowly_are_no_leak(blocks: int, leaks_found: bool) -> None:
    """One block is taken in each call, up to a number of them; the warm-up has 250 calls."""
    taken = 0

    def call() -> None:
        nonlocal taken
        taken = min(taken + 1, blocks)

    counter = SimpleNamespace(live_allocations=lambda: taken)
    assert leaks.grown("a", call, CALLS, counter).leaks == leaks_found  # type: ignore[arg-type]


@pytest.mark.case("solvers.B1.leaks")
@pytest.mark.parametrize(
    ("solver", "library"),
    list(
        zip(
            leaks.SOLVERS,
            LIBRARIES,
            strict=True,
        )
    ),
    ids=leaks.SOLVERS,
)
def test_nothing_stays_taken(solver: str, library: object) -> None:
    if platform.libc_ver()[0] != "glibc" or shutil.which("cc") is None:
        pytest.skip("blocks are counted with glibc and a C compiler")
    try:
        library.load()  # type: ignore[attr-defined]
    except NotBuilt as reason:
        pytest.skip(str(reason))
    found = all_grown([solver], "", CALLS)
    assert len(found) > 5
    assert [one for one in found if one.leaks] == []
