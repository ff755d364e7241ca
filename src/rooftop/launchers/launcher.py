"""The interface of a launcher, a program that starts ranks: what each file in ``launchers`` defines."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from rooftop.errors import Misuse
from rooftop.launchers.team import Team, unbound


@dataclass(frozen=True)
class Launch:
    """How a program is started: the words that are executed, and variables beside those inherited."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The line to copy into a shell."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*variables, shlex.join(self.words)])


_ANSWERS_IN_S = 10.0


def _first_line(name: str) -> str | None:
    path = shutil.which(name)
    return None if path is None else _told_by(path)


@cache
def _told_by(path: str) -> str | None:
    """Return the first line that a program prints with --version; None where it cannot be run."""
    try:
        done = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_ANSWERS_IN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next(iter(done.stdout.splitlines()), None)


class Launcher(ABC):
    """A program that starts ranks.

    program         what is executed, by the name that says which it is
    names           other names by which commands call it; several launchers may share one
    tells           what one of these names prints first with --version where it is this one: modules of a cluster bring
                    MPI by such names alone; None: `program` is its only name
    mpi             the MPI libraries whose programs it starts, the likeliest first, as native/mpi_times names them
    libraries       by which shared libraries a program of `mpi`'s first is known, as its file names them; none: by none
    of_this_tree    whether this tree's own MPI programs are built with its library (cmake/peers/MPI.cmake)
    many_nodes      whether it starts ranks on several nodes
    named_hosts     whether hosts can be named that no scheduler has allocated
    rank_variables  the variable that holds a process's rank, then those that only ranks have where a job sets the first
    remark          what it adds to the standard error of a failing program; None: nothing
    not_found       its message that a program was not found, whose name is the group; None: not known
    too_few         its message that a job has fewer tasks than the ranks whose number is the group; None: not known
    batch           the program that takes batch scripts for it; None: none
    costs           what is lost without its MPI library, for ``rooftop doctor``
    packages        Debian's packages of that library; none: the doctor does not look for it

    How its own command lines are read (an option is written here without its leading dashes; one that is not listed may
    take the next word or not, so that nobody can tell where the program begins):

    counts     options that tell the number of ranks
    placing    options about placement, which a corrected line replaces: without a value, with one, with two
    other      all others that are known, in the same order: they stay as they are
    passing    those of them that pass a variable, whose name the next word begins with
    joined     whether the value of a one-letter option may follow without a blank
    """

    title: ClassVar[str]
    program: ClassVar[str]
    names: ClassVar[tuple[str, ...]] = ()
    tells: ClassVar[re.Pattern[str] | None] = None
    mpi: ClassVar[tuple[str, ...]]
    libraries: ClassVar[tuple[str, ...]] = ()
    of_this_tree: ClassVar[bool] = False
    many_nodes: ClassVar[bool] = False
    named_hosts: ClassVar[bool] = False
    rank_variables: ClassVar[tuple[str, ...]]
    remark: ClassVar[re.Pattern[str] | None] = None
    not_found: ClassVar[re.Pattern[str] | None] = None
    too_few: ClassVar[re.Pattern[str] | None] = None
    batch: ClassVar[str | None] = None
    costs: ClassVar[str] = ""
    packages: ClassVar[tuple[str, ...]] = ()
    counts: ClassVar[tuple[str, ...]]
    placing: ClassVar[tuple[str, ...]]
    other: ClassVar[tuple[str, ...]]
    passing: ClassVar[tuple[str, ...]] = ()
    joined: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Its name: its file's."""
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def placed(self, team: Team, bind: str | None) -> list[str]:
        """Return the words that place a team, bound as OpenMP's threads are (close, spread); None: not at all."""

    def passed(self, variables: Mapping[str, str]) -> list[str]:
        """Return the words that give variables to the ranks; none where they inherit them."""
        return []

    def environment(self, variables: Mapping[str, str]) -> Mapping[str, str]:
        """Return what the launcher itself must have in its environment."""
        return {}

    def allocating(self, team: Team) -> list[str]:
        """Return the words ahead of it that allocate what it starts ranks on; none where nothing must be."""
        return []

    def job_lines(self, team: Team) -> list[str]:
        """Return the lines of a batch script that ask for what a team needs."""
        return []

    def places(self, team: Team) -> bool:
        """Whether it can place a team on as many nodes, and by their names where these are given."""
        return (team.nodes == 1 or self.many_nodes) and (not team.hosts or self.named_hosts)

    def called(self, which: Callable[[str], str | None], first_line: Callable[[str], str | None]) -> str | None:
        """Return the name by which it is installed; None where it is not.

        which       the path of a program of a name, None where there is none
        first_line  that of what a program of a name prints with --version; None where it cannot be run
        """
        if which(self.program):
            return self.program
        if self.tells is None:
            return None
        there = [name for name in self.names if which(name)]
        return next((name for name in there if self.tells.match(first_line(name) or "")), None)

    def missing(self) -> str | None:
        """Return the reason why it starts nothing here; None where it is installed."""
        if self.called(shutil.which, _first_line):
            return None
        return f"needs {self.program}, which is not installed: see rooftop doctor"

    def started(
        self,
        program: Sequence[str],
        variables: Mapping[str, str],
        team: Team,
        bind: str | None,
        *,
        in_batch: bool = False,
    ) -> Launch:
        """Return how it starts a program on a team, bound as OpenMP's threads are (close, spread, none). Raises Misuse.

        in_batch  whether a batch script has allocated what the team needs
        """
        if team.hosts and not self.named_hosts:
            told = f"{self.name} is asked for ranks on {', '.join(team.hosts)}"
            raise Misuse(f"{told}, expected a launcher of MPI's own: its nodes come from its job")
        if not self.places(team):
            raise Misuse(f"{self.name} is asked for {team}, expected one node: ranks on several are not placed by it")
        bound = None if team.crowded or bind == "none" else bind
        if team.crowded and team.processes > 1 and bind not in (None, "none"):
            # Ranks that no launcher binds would each bind their first thread to the first core.
            variables = unbound(variables)
        ahead = [] if in_batch else self.allocating(team)
        called = self.called(shutil.which, _first_line) or self.program
        words = (*ahead, called, *self.placed(team, bound), *self.passed(variables), *program)
        return Launch(words, self.environment(variables))
