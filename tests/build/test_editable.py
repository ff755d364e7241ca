"""An editable installation of the checkout: what is named in PYTHONPATH comes before it, and nothing is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = "import sys; from scikit_build_core.build import build_editable; build_editable(sys.argv[1])"
WHERE = "import site, sys; site.addsitedir(sys.argv[1]); import rooftop; print(rooftop.__file__)"


@pytest.fixture(scope="module", name="site")
def site_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an environment in which the checkout is installed."""
    pytest.importorskip("scikit_build_core", reason="scikit-build-core is not installed: packages/venv dev")
    folder = tmp_path_factory.mktemp("editable")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "site")
    return folder / "site"


def imported_from(site: Path, before: Path) -> Path:
    """Return the file that is imported as the package where this folder is in PYTHONPATH."""
    environment = os.environ | {"PYTHONPATH": str(before), "PYTHONDONTWRITEBYTECODE": "1"}
    ask = [sys.executable, "-S", "-P", "-c", WHERE, str(site)]  # without the installation in this environment
    return Path(subprocess.run(ask, env=environment, capture_output=True, text=True, check=True).stdout.strip())


def test_the_checkout_is_imported(site: Path, tmp_path: Path) -> None:
    assert imported_from(site, tmp_path) == ROOT / "src" / "rooftop" / "__init__.py"


def test_another_copy_comes_before_it(site: Path, tmp_path: Path) -> None:
    copy = tmp_path / "rooftop" / "__init__.py"
    copy.parent.mkdir()
    copy.touch()
    assert imported_from(site, tmp_path) == copy


def test_nothing_is_compiled_for_it(site: Path) -> None:
    assert not list(site.rglob("*.so"))
    assert not (site / "rooftop").exists()
