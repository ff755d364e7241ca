"""A store with everything in it, and a site of it, for all tests of the folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from served_store import varied

from rooftop.settings import Settings
from rooftop.store.database import opened_database

pytest.importorskip("starlette", reason="pip install 'rooftop[serve]'")
pytest.importorskip("uvicorn", reason="pip install 'rooftop[serve]'")

from served_site import LOCAL, Served, served

from rooftop.serve.app import application
from rooftop.serve.place import Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return what is served. Tests do not change it."""
    home = tmp_path_factory.mktemp("home")
    with opened_database(home / "store.sqlite") as store:
        varied(store)
    return Site(Settings(home=home))


@pytest.fixture(scope="session")
def server(site: Site) -> Iterator[Served]:
    """Yield the site, served."""
    with served(application(site, LOCAL)) as running:
        yield running


@pytest.fixture
def own_site(tmp_path: Path) -> Site:
    """Return a site of the test's own, without a store yet."""
    return Site(Settings(home=tmp_path / "home"))
