"""Where experiments lie, and what has been built of them: in the bench's tree, or in a folder of the user's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.errors import Misuse
from rooftop.ladder.discovery import Found, experiment_folder, find_names, read_experiment, require_code_of
from rooftop.ladder.trust import BUILT, agree, require_trusted, without_caches
from rooftop.machine.conditions import build_conditions
from rooftop.settings import Settings

BUILD = BUILT  # of an experiment outside the tree, in its own folder: holds experiments/NAME and build.json
_REMEDY = "'rooftop climb' with --from builds it"


@dataclass(frozen=True)
class Place:
    """A folder of experiments.

    folder  holds them
    single  the name of the only one, where the user named an experiment's own folder
    tree    the experiments of the bench's tree, which the tree's own build builds
    built   that build: holds experiments/NAME/driver
    """

    folder: Path
    single: str | None
    tree: Path
    built: Path

    @property
    def own_folder(self) -> Path:
        """The folder that was named: the one that holds the experiments, or the single one's."""
        return self.folder / (self.single or "")

    @property
    def outside(self) -> bool:
        """Whether the experiments are no part of the bench's tree, so that each has a build of its own."""
        return not self.own_folder.is_relative_to(self.tree)

    def names(self, *, hidden: bool = False) -> list[str]:
        """Return the names of all experiments, of those that begin with _ too if hidden, or of the single one."""
        return [self.single] if self.single is not None else find_names(self.folder, hidden=hidden)

    def choose(self, names: Sequence[str]) -> list[str]:
        """Return the experiments that names mean. A group's name, such as labs, means all in it; no name means all that
        are in no group, or all where every one is in a group.
        """
        known = self.names()
        if not names:
            return [name for name in known if "/" not in name] or known
        in_group = {name: [one for one in known if one.startswith(f"{name}/")] for name in names}
        return list(dict.fromkeys(one for name in names for one in in_group[name] or [name]))

    @property
    def _own_folders(self) -> list[Path]:
        return [self.folder / name for name in self.names(hidden=True)]

    def require_trusted(self) -> None:
        """Ask about code that is not the tree's, before any of it runs. Raises Misuse where it may not."""
        if self.outside:
            require_code_of(self.own_folder)  # where nobody can be asked, none of it is read
            require_trusted(self._own_folders)

    def agree(self) -> None:
        """Keep that the experiments outside the tree may run as they are now, after the bench has written into them."""
        if self.outside:
            agree(self._own_folders)

    def find(self, name: str) -> Found:
        """Read one experiment, a hidden one too if named. Raises Misuse when there is none of that name."""
        if self.single not in (None, name):
            raise Misuse(f"{self.folder / str(self.single)} holds the experiment {self.single!r}, and not {name!r}")
        folder = experiment_folder(self.folder, name)
        if self.outside:
            with without_caches():
                return read_experiment(name, folder, folder / BUILD / "experiments" / folder.name, _REMEDY)
        return read_experiment(name, folder, self.built / "experiments" / folder.relative_to(self.tree))

    def find_all(self, names: Sequence[str], refused: Callable[[str], None]) -> list[Found]:
        """Read experiments. `refused` is told why one cannot be read. Raises Misuse where none can."""
        found, reasons = [], []
        for name in names:
            try:
                found.append(self.find(name))
            except Misuse as error:
                reasons.append(str(error))
        if reasons and not found:
            raise Misuse("; ".join(reasons))
        for reason in reasons:
            refused(reason)
        return found


def place_of(settings: Settings, said: str | Path | None) -> Place:
    """Return what `--from` means: a folder of experiments, or one experiment's own; without it, the tree's own.

    Raises Misuse where it is no folder or holds none, and where it holds code that may not run here.
    """
    place = _place(settings, said)
    place.require_trusted()
    return place


def _place(settings: Settings, said: str | Path | None) -> Place:
    tree, built = settings.root_folder / "experiments", settings.build_folder
    if said is None:
        return Place(tree, None, tree, built)
    folder = Path(said).expanduser().resolve()
    if (folder / "experiment.py").is_file():
        return Place(folder.parent, folder.name, tree, built)
    if not folder.is_dir():
        raise Misuse(f"--from: {said} is not a folder, expected the one that holds experiments")
    place = Place(folder, None, tree, built)
    if folder != tree and not place.names(hidden=True):
        raise Misuse(
            f"{folder} holds no experiment, expected experiment.py or NAME/experiment.py in it: "
            "'rooftop new NAME' makes one"
        )
    return place


def compiled(found: Sequence[Found]) -> dict[str, Any]:
    """Return the compiler, flags and build type of experiments, for the conditions of a campaign.

    Where they differ, each has its experiment's name. Empty where no experiment has a build of its own.
    """
    told = {one.name: own for one in found if (own := build_conditions(one.folder / BUILD)) is not None}
    if not told:
        return {}
    first = next(iter(told.values()))
    joined: dict[str, Any] = {}
    for key, value in first.items():
        values = {name: own[key] for name, own in told.items()}
        if all(other == value for other in values.values()):
            joined[key] = value
        else:
            joined[key] = values if key == "build" else "; ".join(f"{name}: {said}" for name, said in values.items())
    return joined
