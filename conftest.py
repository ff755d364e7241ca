"""Fake experiments on disk, a machine that never changes, and the bench pointed at a scratch folder."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from chromium import browser  # noqa: F401
from conftest_types import Write
from still_machine import StillMachine

from rooftop.ladder.trust import Known
from rooftop.settings import Settings

# Tests check correctness, never the clock.
hypothesis.settings.register_profile("no clock", deadline=None)
hypothesis.settings.load_profile("no clock")

# Collecting makes half a million objects that stay: Python would visit them again and again, then and in every test.
gc.disable()

# A shell without job control has what it starts in the background ignore interrupts, and that is inherited. Programs
# that tests interrupt must not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests run beside each other, and beside those of other trees: each has a machine to itself, and so has what several
# tests share.
_LOCKS = tempfile.TemporaryDirectory(prefix="rooftop-locks-", ignore_cleanup_errors=True)
_LOCK_NUMBERS = count()
os.environ["ROOFTOP_LOCKS"] = f"{_LOCKS.name}/shared"
os.environ["XDG_STATE_HOME"] = f"{_LOCKS.name}/state"

# What a user keeps and asks for is not for tests: a team's store above all, a database, a partition of a cluster.
for _name in [name for name in os.environ if name == "ROOFTOP_STORE" or name.startswith(("PG", "SBATCH_", "SLURM_"))]:
    del os.environ[_name]

FAKES = Path(__file__).parent / "tests" / "fakes"

DECLARATION = """from rooftop.ladder.experiment import Case, Experiment, Files

experiment = Experiment(
    title="A fake ladder",
    question="Does the bench do what it says?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    hang_limit_s={hang_limit_s},
    sizes={{
        "quick": [Case(f"case{{n}}", {{"n": n}}, 1e6) for n in range({cases})],
        "S": lambda: [Case("one", {{}}, 1e6)],
        "workers": [Case("both", {{}}, 1e6, workers=(1, 2, 4))],
        "held": [Case("free", {{}}, 1e6), Case("held", {{}}, 1e6, isa="sse2")],
        "cold": [Case("cold", {{}}, 1e6, cold=True), Case("cached", {{}}, 1e6)],
    }},
    files=Files("FAKE_FILES", "fake"),
)
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Write the cases that a test is marked with into its JUnit report, for benchmarks/cases."""
    for item in items:
        item.user_properties += [("case", name) for mark in item.iter_markers("case") for name in mark.args]


def pytest_collection_finish() -> None:
    """Let Python look for what is no longer used, but among what tests make."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(name="write_experiment")
def write_experiment_fixture(tmp_path: Path) -> Write:
    """Return a function that writes an experiment whose rungs and peers are fake drivers in Python.

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
        Known().add_own(folder.resolve())
        return folder

    return write


@pytest.fixture(autouse=True)
def own_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a lock of the test's own in the place of the machine's."""
    monkeypatch.setenv("ROOFTOP_LOCKS", f"{_LOCKS.name}/{next(_LOCK_NUMBERS)}")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The bench's folders, all in a scratch folder."""
    return Settings(root=tmp_path, build=tmp_path / "build", home=tmp_path / "home")


@pytest.fixture
def surroundings() -> StillMachine:
    """A machine that never changes."""
    return StillMachine()


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Point the bench at a scratch folder."""
    monkeypatch.setenv("ROOFTOP_ROOT", str(tmp_path))
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ROOFTOP_DEBUG", raising=False)
