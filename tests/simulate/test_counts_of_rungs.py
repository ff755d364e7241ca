"""What programs count is what the ladder's rungs say of their own work."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from rooftop.settings import Settings
from rooftop.simulate.program import program_named

MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def work_of(experiment: str, rung: str, driver: str, case: dict[str, Any]) -> dict[str, float]:
    """Return the work that a rung tells of a case, on one rank. Skips where it is not built, or does not run here."""
    folder = Settings().build_folder / "experiments" / experiment
    module = folder / "rungs" / f"{rung}.so"
    if not module.is_file() or not (folder / driver).is_file():
        pytest.skip(f"{experiment}/{rung} is not built")
    request = json.dumps({"op": "case", "case": case, "seed": 1, "threads": 1})
    done = subprocess.run(
        [str(folder / driver), "run", "--module", str(module)],
        input=f"{request}\n",
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | MPI,
        timeout=120,
    )
    reply = json.loads(done.stdout.splitlines()[-1])
    if reply["outcome"] == "skipped":
        pytest.skip(reply["reason"])
    assert reply["outcome"] == "ok", reply
    work: dict[str, float] = reply["work"]
    return work


def counted(name: str, **given: float) -> tuple[float, float]:
    """Return the flops and bytes of a program on one rank."""
    program = program_named(name)
    phases = program.phases(1, 1, program.given(given))
    return (
        sum(one.times * one.work.flops for one in phases),
        sum(one.times * one.work.bytes for one in phases),
    )


def test_elasticity() -> None:
    case = {"nx": 12, "ny": 10, "nz": 8, "iterations": 3}
    work = work_of("elasticity", "34-ranks", "driver_mpi", case)
    assert counted("elasticity", **case) == (work["fma_flops"], work["memory_bytes"])


def test_ft() -> None:
    case = {"nx": 32, "ny": 32, "nz": 16, "iterations": 3}
    work = work_of("ft", "72-fused-transposes.avx2", "driver_mpi", case)
    flops, moved = counted("ft", **case)
    assert moved == work["memory_bytes"]
    # The customary count is of radix 2; the rung's radix 8 does less.
    assert 0.5 * flops < work["fma_flops"] + work["add_flops"] < flops


def test_ant_colony() -> None:
    case = {"cities": 50, "tours": 128}
    work = work_of("ant_colony", "10-textbook", "driver", case | {"layout": "uniform"})
    assert counted("ant_colony", **case) == (work["fma_flops"] + work["add_flops"], work["memory_bytes"])
