"""Options of a scaling campaign, and the points that follow from them."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from rooftop.command.driver import Terms
from rooftop.command.line import CommandLine, from_text, remarks, require_place, started_alike, substituted
from rooftop.command.measurement import Measurement
from rooftop.command.mpi_library import library_among
from rooftop.command.option import Option
from rooftop.command.reported_values import HOSTS, LAUNCHER
from rooftop.command.request import MeasuredCommand
from rooftop.command.spec import Spec
from rooftop.errors import Misuse
from rooftop.launchers import named, over_nodes
from rooftop.launchers.launcher import Launch
from rooftop.launchers.nodes import Nodes
from rooftop.launchers.team import openmp
from rooftop.parameters.space import counts
from rooftop.parameters.values import Value, expected_counts, read_values
from rooftop.scale.laws import Mode
from rooftop.scale.points import Point, point_words, points, read_sizes, scaled_rung

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung

_BINDS = ("close", "spread", "none")
SCALING = "Workers and problem size"


def _read_sizes(called: str, given: list[str]) -> tuple[tuple[str, Value], ...]:
    """Return the (name, value) of each NAME=VALUE, and ("", set) for a set of cases. Raises Misuse."""
    sets = [text for text in given if "=" not in text]
    if len(sets) > 1:
        raise Misuse(f"{called} names {len(sets)} sets of cases ({', '.join(sets)}), expected one")
    found: list[tuple[str, Value]] = [("", name) for name in sets]
    for name, text in read_sizes(called, [text for text in given if "=" in text]):
        values = read_values(called, text)
        if len(values) != 1:
            raise Misuse(f"{called} {name} has {len(values)} values, expected one")
        found.append((name, values[0]))
    return tuple(found)


_option = partial(Option, panel=SCALING)
_counted = partial(
    _option,
    said=str,
    read=lambda called, given: counts(called, read_values(called, given)),
    part=lambda given: ",".join(map(str, given)) if given is not None else None,
)
_sized = partial(_option, said=list[str], spell=lambda size: f"{size[0]}={size[1]}")


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """One campaign.

    words    of the command, with {name} where a size goes
    sizes    (name, value) of each that does not grow
    weak     (name, expression) of each that grows with the workers
    job_nodes  how many nodes its job has, and how many tasks each; None: one node
    modes    the curves: strong scaling keeps the problem, weak scaling lets it grow
    """

    words: tuple[str, ...] = ()
    ranks: Annotated[tuple[int, ...] | None, _counted("--ranks", "Numbers of MPI processes, such as 1,2,4.")] = None
    threads: Annotated[tuple[int, ...] | None, _counted("--threads", "Numbers of OpenMP threads, such as 1..8.")] = None
    bind: Annotated[str | None, _option("--bind", "Binding of threads: close, spread or none.")] = None
    launcher: Annotated[str | None, LAUNCHER] = None
    hosts: Annotated[tuple[str, ...], HOSTS] = ()
    job_nodes: tuple[int, int] | None = None
    sizes: Annotated[
        tuple[tuple[str, Value], ...],
        _sized(
            "--size",
            "Value of {NAME} in the command. For a rung: a set of cases, or the value of a parameter.",
            metavar="NAME=VALUE",
            read=_read_sizes,
        ),
    ] = ()
    modes: Annotated[
        tuple[Mode, ...],
        _option(
            "--strong",
            "Keep the problem size (default, unless --weak is given).",
            said=bool,
            read=lambda _called, given: ("strong",) if given else (),
            part=lambda modes: "strong" in modes,
        ),
    ] = ("strong",)
    weak: Annotated[
        tuple[tuple[str, str], ...],
        _sized(
            "--weak",
            "Growth of a size with the workers, such as size=1000*workers.",
            metavar="NAME=EXPR",
            read=read_sizes,
        ),
    ] = ()
    serial: Annotated[
        str | None, _option("--serial", "Best serial program, as the base of the speed-ups.", metavar="CMD")
    ] = None
    factors: Annotated[
        bool,
        _option("--factors", "Time MPI calls in separate runs, for the POP efficiency metrics.", off="--no-factors"),
    ] = True
    how: Measurement = Field(default_factory=lambda: Measurement(budget_s=180.0, max_pairs=60), kw_only=True)

    def as_given(self, *, strong: bool) -> Options:
        """Return it as a command line means it: --size may name a set of cases, and --weak alone is weak scaling.

        strong  whether --strong was given
        """
        modes: tuple[Mode, ...] = ("weak",) if self.weak and not strong else ("strong",)
        size = next((str(value) for name, value in self.sizes if not name), None)
        return replace(
            self,
            modes=(*modes, "weak") if self.weak and strong else modes,
            sizes=tuple(one for one in self.sizes if one[0]),
            how=replace(self.how, size=size),
        )

    def prepared(self) -> Options:
        """Return it with the launcher of this machine, where ranks are asked for. Raises Misuse."""
        if not self.words:
            raise Misuse("there is no command to scale, expected: rooftop scale --threads 1..8 -- CMD")
        if self.ranks is None and self.threads is None:
            raise Misuse("there is nothing to scale over, expected --threads 1,2,4 or --ranks 1,2,4")
        for option, values in (("--ranks", self.ranks), ("--threads", self.threads)):
            for value in values or ():
                if not (isinstance(value, int) and value >= 1):
                    raise Misuse(f"{option} has {value!r}, {expected_counts(value)}")
        if self.bind is not None and self.bind not in _BINDS:
            raise Misuse(f"--bind is {self.bind!r}, expected {', '.join(_BINDS[:-1])} or {_BINDS[-1]}")
        if "weak" in self.modes and not self.weak:
            raise Misuse("there is no --weak NAME=EXPRESSION, expected how the size grows, such as size=1000*workers")
        if self.how.metric_regex is None and self.how.metric != "wall":
            raise Misuse(
                f"--metric is {self.how.metric!r}, expected wall: a speed-up is one of time, or of a figure that "
                "--metric-regex finds"
            )
        if (rung := self.rung()) is not None:
            return self._prepared_for(rung)
        self._require_places()
        return over_nodes(self, ranked=bool(self.ranks), library=library_among(self.words))

    def rung(self) -> Rung | None:
        """Return the rung that is scaled; None where it is a command. Raises Misuse."""
        return self.how.rung(self.words)

    def _prepared_for(self, rung: Rung) -> Options:
        """Return it for a rung. Raises Misuse."""
        if self.launcher is not None:
            raise Misuse(f"--launcher has no effect on {rung.name}, which its experiment starts")
        if self.hosts:
            raise Misuse(f"--hosts has no effect on {rung.name}, whose ranks run on one node: give a command")
        if rung.module.ranked and self.ranks is None:
            raise Misuse(f"{rung.name} is an MPI program, expected --ranks 1,2,4")
        if self.serial is not None and self.how.rung(from_text(self.serial).words) is None:
            raise Misuse(f"--serial is {self.serial!r} and {rung.name} is a rung, expected a rung of its experiment")
        for mode in self.modes:
            for point in self.points(mode):
                scaled_rung(rung, point, self.bind)
        return self

    def _require_places(self) -> None:
        for option, sizes in (("--size", dict(self.sizes)), ("--weak", dict(self.weak))):
            for name in sizes:
                require_place(option, name, self._texts(), self._known())

    def _texts(self) -> list[str]:
        return [*self.words, *self.how.texts_beside()]

    def _known(self) -> set[str]:
        """Return the names that have values."""
        varied = [name for name, counts in (("ranks", self.ranks), ("threads", self.threads)) if counts]
        return {*varied, "workers", *dict(self.sizes), *dict(self.weak)}

    def remarks(self) -> list[str]:
        """Return remarks on what may be a mistake."""
        return remarks(self._texts(), self._known())

    def points(self, mode: Mode) -> list[Point]:
        """Return a curve's points, the fewest workers first. Raises Misuse."""
        found = points(mode, self.ranks, self.threads, dict(self.sizes), dict(self.weak))
        nodes = Nodes(self.job_nodes, self.hosts)
        return [replace(point, nodes=nodes) for point in found]

    def launch(self, point: Point, more: dict[str, str] | None = None) -> Launch:
        """Return how a point is started here; `more`: further variables for the program itself."""
        if (rung := self.rung()) is not None:
            return Launch(("rooftop", "scale", *rung.words(point_words(point))))
        program = substituted(self.words, point.values)
        variables = openmp(point.team.threads, self.bind) | (more or {})
        if point.ranks is None or self.launcher is None:
            return Launch(program, variables)
        return named(self.launcher).started(program, variables, point.team, self.bind)

    def spec(self, point: Point, more: dict[str, str] | None = None) -> Spec:
        """Return the command that a point is. Raises Misuse."""
        if (rung := self.rung()) is not None:
            return Spec(CommandLine(self.words, point.name), rung=scaled_rung(rung, point, self.bind))
        launch = self.launch(point, more)
        command = CommandLine(launch.words, shlex.join(launch.words))
        if self.serial is not None:
            # Where the serial program needs a shell, that starts the points too: neither pays for it alone.
            command, _ = started_alike([command, self._serial_command(self.points(self.modes[0])[0])])
        return self._how(point).spec(replace(command, text=point.name), environment=launch.environment)

    def _serial_command(self, point: Point) -> CommandLine:
        (text,) = substituted((self.serial or "",), point.values)
        return from_text(text, self.how.shell)

    def serial_name(self) -> str:
        """Return the name of the base where it is another program."""
        return f"serial: {self.serial}"

    def serial_spec(self, point: Point) -> Spec:
        """Return the other program, with the sizes of the first point. Raises Misuse."""
        command = replace(self._serial_command(point), text=self.serial_name())
        if (rung := self.how.rung(command.words)) is not None:
            # One worker, and the sizes of the first point.
            alone = replace(point, ranks=None if point.ranks is None or not rung.module.ranked else 1, threads=1)
            return Spec(command, rung=scaled_rung(rung, alone, self.bind))
        return self._how(point).spec(command, environment=openmp(1))

    def _how(self, point: Point) -> Measurement:
        return self.how.filled(point.values)

    def terms(self, mode: Mode) -> Terms:
        """Return the terms of all points of a curve: outputs of problems that grow are not the same. Raises Misuse."""
        return (self.how if mode == "strong" else replace(self.how, same_output=None)).terms()
