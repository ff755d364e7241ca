"""Fake experiments on disk, a machine that never changes, and the bench pointed at a scratch folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rooftop.documents import Machine, Roof
from rooftop.settings import Settings

FAKES = Path(__file__).parent / "fakes"

DECLARATION = """from rooftop.experiment import Case, Experiment

experiment = Experiment(
    title="A fake ladder",
    question="Does the bench do what it says?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    hang_limit_s={hang_limit_s},
    sizes={{"quick": [Case(f"case{{n}}", {{"n": n}}, 1e6) for n in range({cases})], "S": lambda: [Case("one", {{}}, 1e6)]}},
)
"""


class StillMachine:
    """Surroundings in which nothing ever changes."""

    def __init__(self, identity: str = "still") -> None:
        self.identity = identity
        self.refreshed = 0

    def machine(self, threads: int | None) -> Machine:
        return Machine(
            id=self.identity,
            processor="Paper",
            architecture="x86_64",
            cores=2,
            threads_per_core=1,
            numa_nodes=1,
            memory_bytes=1 << 34,
            caches=[
                {"level": "L1", "bytes": 48 << 10, "shared_by": 1},
                {"level": "L2", "bytes": 2 << 20, "shared_by": 1},
            ],
            roofs=[
                Roof(metric="fma", value=1e11, unit="flop/s", threads=2, isa="avx2", precision="fp32"),
                Roof(metric="read", value=1e11, unit="byte/s", threads=2, level="L1"),
                Roof(metric="read", value=1e10, unit="byte/s", threads=2, level="memory"),
                Roof(metric="timer", value=3e-8, unit="s"),
            ],
        )

    def refresh_roofs(self, threads: int) -> list[Roof]:
        self.refreshed += 1
        return [Roof(metric="fma", value=1.1e11, unit="flop/s", threads=2, isa="avx2", precision="fp32")]

    def conditions(self) -> dict[str, Any]:
        return {"load": [0.1, 0.1, 0.1], "steal": {"over_interval": 0.0}, "governor": None}


Write = Callable[..., Path]


@pytest.fixture(name="write_experiment")
def write_experiment_fixture(tmp_path: Path) -> Write:
    """Give a function that writes an experiment whose rungs and peers are fake drivers in Python.

    ``rungs`` and ``peers`` map a name to the arguments of fake_driver.main, as source text.
    """

    def write(
        name: str = "fake",
        rungs: dict[str, str] | None = None,
        peers: dict[str, str] | None = None,
        cases: int = 2,
        hang_limit_s: float = 20.0,
    ) -> Path:
        folder = tmp_path / "experiments" / name
        for kind, modules in (("rungs", rungs or {}), ("peers", peers or {})):
            (folder / kind).mkdir(parents=True, exist_ok=True)
            for module, arguments in modules.items():
                (folder / kind / f"{module}.py").write_text(
                    f"# The idea of {module}\n# and more of it\n\nimport sys\n\nsys.path.insert(0, {str(FAKES)!r})\n"
                    f"import fake_driver\n\nfake_driver.main({arguments})\n",
                    encoding="utf-8",
                )
        (folder / "experiment.py").write_text(
            DECLARATION.format(cases=cases, hang_limit_s=hang_limit_s), encoding="utf-8"
        )
        return folder

    return write


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The bench's folders, all in a scratch folder."""
    return Settings(root=tmp_path, build=tmp_path / "build", home=tmp_path / "home")


@pytest.fixture
def surroundings() -> StillMachine:
    """A machine that never changes."""
    return StillMachine()
