"""Where things are: the root, the built files, the bench's own data, locks. From the environment, with defaults."""

from __future__ import annotations

import os
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

# Besides Python an installed package has sources of the tree, and what was compiled of them, as in a build folder.
SOURCES = Path(__file__).resolve().parent / "tree"
COMPILED = SOURCES.with_name("built")


def _is_tree(folder: Path) -> bool:
    return (folder / "experiments").is_dir() and (folder / "CMakeLists.txt").is_file()


def tree_above(here: Path) -> Path | None:
    """Return the nearest folder, from this one upwards, that is a tree with experiments; None where there is none."""
    return next((folder for folder in (here, *here.parents) if _is_tree(folder)), None)


def own_tree() -> Path:
    """Return the tree that this file belongs to: a checkout, else the sources that were installed with the package."""
    checkout = Path(__file__).resolve().parents[2]
    return checkout if _is_tree(checkout) or not _is_tree(SOURCES) else SOURCES


def users_tree() -> Path:
    """Return where `rooftop build` keeps the installed sources, and compiles them: nobody writes into a package."""
    from platformdirs import user_data_path  # the solvers' functions need these settings, and NumPy alone

    from rooftop import __version__

    return user_data_path("rooftop").resolve() / f"tree-{__version__}"


def built(folder: Path, name: str) -> Path:
    """Return a file of a build folder, or the one that came compiled with the package where that alone is there.

    `rooftop build --target NAME` compiles one thing, which must not hide what the package has.
    """
    wanted, packaged = folder / name, COMPILED / name
    return packaged if packaged.is_file() and not wanted.is_file() else wanted


def _nearest_root() -> Path:
    """Return the nearest tree from the current folder upwards, else this file's own, or what was built of it."""
    if (near := tree_above(Path.cwd())) is not None:
        return near
    own = own_tree()
    return users_tree() if own == SOURCES and (users_tree() / "build/release/build.json").is_file() else own


_stored_at: ContextVar[str | None] = ContextVar("stored_at", default=None)


def store_at(place: str | None) -> None:
    """Keep campaigns in this store from now on, as --store says; None: in the one that ROOFTOP_STORE names, if any."""
    _stored_at.set(place)


def _variable(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None


@dataclass(frozen=True)
class Settings:
    """ROOFTOP_ROOT, ROOFTOP_BUILD and ROOFTOP_HOME, each absolute once resolved, and ROOFTOP_LOCKS.

    locks  the folder of the lock that a machine's campaigns share; None: one that all its users may write in
    store  where campaigns are kept, as the user wrote it (ROOFTOP_STORE); None: in a file of the home
    """

    root: Path | None = field(default_factory=lambda: _variable("ROOFTOP_ROOT"))
    build: Path | None = field(default_factory=lambda: _variable("ROOFTOP_BUILD"))
    home: Path | None = field(default_factory=lambda: _variable("ROOFTOP_HOME"))
    locks: Path | None = field(default_factory=lambda: _variable("ROOFTOP_LOCKS"))
    store: str | None = field(  # it may have a password
        default_factory=lambda: _stored_at.get() or os.environ.get("ROOFTOP_STORE") or None, repr=False
    )

    @cached_property
    def root_folder(self) -> Path:
        """The working tree, or the folder that holds a user's experiments/."""
        return (self.root or _nearest_root()).resolve()

    @cached_property
    def build_folder(self) -> Path:
        """Holds experiments/NAME/driver, probes/NAME and build.json."""
        if self.build is None and self.root_folder == SOURCES:
            return COMPILED
        return (self.build or self.root_folder / "build" / "release").resolve()

    @cached_property
    def home_folder(self) -> Path:
        """Holds the store, the campaigns' documents and reports, and the probes' cache.

        In a working tree that is its .rooftop; where the package is installed by itself, the user's folder for state
        (``$XDG_STATE_HOME/rooftop``).
        """
        if self.home is not None:
            return self.home.resolve()
        installed = own_tree() == SOURCES and self.root_folder in (SOURCES, users_tree())
        if self.root is not None or (_is_tree(self.root_folder) and not installed):
            return (self.root_folder / ".rooftop").resolve()
        from platformdirs import user_state_path

        return user_state_path("rooftop").resolve()

    @property
    def campaigns_folder(self) -> Path:
        """One document and one report per campaign."""
        return self.home_folder / "campaigns"
