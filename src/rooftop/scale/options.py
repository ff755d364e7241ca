"""What a scaling campaign was asked to do, as data that the store keeps and a resumed session reads again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rooftop.command.driver import Terms
from rooftop.command.line import CommandLine, from_text, started_alike
from rooftop.command.measurement import Measurement
from rooftop.command.mpi_library import library_among
from rooftop.command.placeholders import remarks, require_place, substituted
from rooftop.command.request import MeasuredCommand
from rooftop.command.spec import Spec
from rooftop.errors import Misuse
from rooftop.launchers import chosen, named
from rooftop.launchers.launcher import Launch
from rooftop.launchers.openmp import openmp
from rooftop.parameters.values import Value, expected_counts
from rooftop.scale.laws import Mode
from rooftop.scale.points import Point, points
from rooftop.scale.rungs import point_words, scaled_rung

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung

_BINDS = ("close", "spread", "none")


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """One campaign.

    words    of the command, with {name} where a size goes
    sizes    (name, value) of each that does not grow
    weak     (name, expression) of each that grows with the workers
    modes    the curves: strong scaling keeps the problem, weak scaling lets it grow
    serial   another program, whose time is the base
    factors  whether an MPI program's own times are taken, in runs of their own
    """

    words: tuple[str, ...]
    ranks: tuple[int, ...] | None = None
    threads: tuple[int, ...] | None = None
    bind: str | None = None
    launcher: str | None = None
    sizes: tuple[tuple[str, Value], ...] = ()
    weak: tuple[tuple[str, str], ...] = ()
    modes: tuple[Mode, ...] = ("strong",)
    serial: str | None = None
    factors: bool = True

    @staticmethod
    def from_stored(content: dict[str, Any]) -> Options:
        """Return what `stored` gave."""
        known: dict[str, Any] = {
            key: tuple(tuple(one) if isinstance(one, list) else one for one in value)
            if isinstance(value, list | tuple)
            else value
            for key, value in content.items()
            if key not in ("kind", "beside")
        }
        return Options(**known | {"how": Measurement.from_stored(content["how"])})

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
        return replace(self, launcher=chosen(self.launcher, ranked=bool(self.ranks), library=library_among(self.words)))

    def rung(self) -> Rung | None:
        """Return the rung that is scaled; None where it is a command. Raises Misuse."""
        return self.how.rung(self.words)

    def _prepared_for(self, rung: Rung) -> Options:
        """Return it for a rung. Raises Misuse."""
        if self.launcher is not None:
            raise Misuse(f"--launcher has no effect on {rung.name}, which its experiment starts")
        if rung.module.ranked and self.ranks is None:
            raise Misuse(f"{rung.name} is an MPI program, expected --ranks 1,2,4")
        if self.serial is not None and self.how.rung(from_text(self.serial).words) is None:
            raise Misuse(f"--serial is {self.serial!r} and {rung.name} is a rung, expected a rung of its experiment")
        for mode in self.modes:
            for point in self.points(mode):
                scaled_rung(rung, point, self.bind)
        return self

    def _require_places(self) -> None:
        for option, names in (("--size", dict(self.sizes)), ("--weak", dict(self.weak))):
            for name in names:
                require_place(option, name, self._texts(), self._known())

    def _texts(self) -> list[str]:
        return [*self.words, *self.how.texts_beside()]

    def _known(self) -> set[str]:
        """Return the names that have values."""
        varied = [name for name, counts in (("ranks", self.ranks), ("threads", self.threads)) if counts]
        return {*varied, "workers", *dict(self.sizes), *dict(self.weak)}

    def remarks(self) -> list[str]:
        """Return what the user may not have meant."""
        return remarks(self._texts(), self._known())

    def points(self, mode: Mode) -> list[Point]:
        """Return a curve's points, the fewest workers first. Raises Misuse."""
        return points(mode, self.ranks, self.threads, dict(self.sizes), dict(self.weak))

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
