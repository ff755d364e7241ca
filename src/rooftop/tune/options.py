"""What a tuning was asked to do, as data that the store keeps and a resumed session reads again."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rooftop.command.build import PLACEHOLDER, Build, Builds
from rooftop.command.line import CommandLine
from rooftop.command.measurement import Measurement
from rooftop.command.mpi_library import library_among
from rooftop.command.placeholders import remarks, require_place
from rooftop.command.request import MeasuredCommand
from rooftop.command.spec import Spec
from rooftop.errors import Misuse
from rooftop.launchers import chosen
from rooftop.launchers.launcher import Launch
from rooftop.parameters.space import Configuration, Kind, Parameter, Space, label, parameter
from rooftop.parameters.values import Value
from rooftop.text.plural import plural
from rooftop.tune.launch import allocator_library, launch
from rooftop.tune.rungs import configuration_words, tunable_parameters, tuned_rung
from rooftop.tune.starting import expectation, starting_places

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung

_FILE_TABLES = ("env", "param")
_FILE_KEYS = ("ranks", "threads", "bind", "schedule", "malloc", *_FILE_TABLES, "where", "build")


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """One tuning.

    words       of the command, with {name} where a parameter's value goes
    parameters  (name, kind, values) of each
    default     values that the default configuration has instead of the first
    build       what a configuration needs built before it runs
    n_trials    the most configurations that are tried; None: as many as the budget allows
    starts      configurations that are tried first, after the default
    """

    words: tuple[str, ...]
    parameters: tuple[tuple[str, Kind, tuple[Value, ...]], ...]
    where: tuple[str, ...] = ()
    default: tuple[tuple[str, Value], ...] = ()
    strategy: str = "auto"
    launcher: str | None = None
    build: str | None = None
    n_trials: int | None = None
    starts: tuple[tuple[tuple[str, Value], ...], ...] = ()

    @staticmethod
    def from_stored(content: dict[str, Any]) -> Options:
        """Return what `stored` gave."""
        return Options(
            words=tuple(content["words"]),
            parameters=tuple((name, kind, tuple(values)) for name, kind, values in content["parameters"]),
            where=tuple(content["where"]),
            default=tuple((name, value) for name, value in content["default"]),
            strategy=content["strategy"],
            launcher=content["launcher"],
            build=content["build"],
            n_trials=content.get("n_trials"),
            starts=tuple(tuple((name, value) for name, value in one) for one in content.get("starts", ())),
            how=Measurement.from_stored(content["how"]),
        )

    def prepared(self) -> Options:
        """Return it with the launcher of this machine, where ranks are tuned and none was named. Raises Misuse."""
        ranks = any(kind == "ranks" for _, kind, _ in self.parameters)
        if self.n_trials is not None and self.n_trials < 1:
            raise Misuse(f"--n-trials is {self.n_trials}, expected a whole number from 1")
        if not self.words:
            raise Misuse("there is no command to tune, expected: rooftop tune --threads 1..8 -- CMD")
        if (rung := self.rung()) is not None:
            return self._prepared_for(rung)
        if self.build is None and any(PLACEHOLDER in word for word in self.words):
            raise Misuse(f"the command names {PLACEHOLDER}, and there is no --build that fills it")
        if any(name == "build" for name, _, _ in self.parameters):
            raise Misuse(
                f"a parameter is named 'build', and {PLACEHOLDER} is the folder of a build: give it another name"
            )
        for name, kind, _ in self.parameters:
            if kind == "param":
                require_place("--param", name, self._texts(), self._known())
        return replace(self, launcher=chosen(self.launcher, ranked=ranks, library=library_among(self.words)))

    def rung(self) -> Rung | None:
        """Return the rung that is tuned; None where it is a command. Raises Misuse."""
        return self.how.rung(self.words)

    def _prepared_for(self, rung: Rung) -> Options:
        """Return it for a rung: without parameters, those of its experiment are tuned. Raises Misuse.

        It begins with what the experiment expects to be fastest.
        """
        for option, given in (("--build", self.build), ("--launcher", self.launcher)):
            if given is not None:
                raise Misuse(f"{option} has no effect on {rung.name}, which its experiment builds and starts")
        parameters, where = self.parameters, self.where
        if not parameters:
            parameters, where = tunable_parameters(rung), (*where, *rung.declaration.conditions)
        for name, kind, _ in parameters:
            rung.on(ranks=1 if kind == "ranks" else None, parameters={name: 0} if kind == "param" else None)
        asked = replace(self, parameters=parameters, where=where)
        workers = {"ranks": rung.team.processes, "threads": rung.team.threads}
        expected_s = expectation(rung.declaration, [rung.parameters_of(case) for case in rung.cases], workers)
        if expected_s is None:
            return asked
        space = asked.space()
        places = starting_places(space, asked.default_place(space), expected_s)
        return replace(asked, starts=tuple(tuple(space.configurations[place].items()) for place in places))

    def _texts(self) -> list[str]:
        return [*self.words, *self.how.texts_beside(), *([self.build] if self.build is not None else [])]

    def _known(self) -> set[str]:
        """Return the names that have values."""
        return {name for name, _, _ in self.parameters} | ({"build"} if self.build is not None else set())

    def remarks(self) -> list[str]:
        """Return what the user may not have meant."""
        found = remarks(self._texts(), self._known())
        if self.starts:
            found.append(
                f"{plural(len(self.starts), 'configuration')} that the experiment expects to be fast come first"
            )
        return found

    def missing_allocators(self) -> dict[str, str]:
        """Return the allocators that are not here, with what is said of each."""
        named = [value for _, kind, values in self.parameters if kind == "malloc" for value in values]
        return {
            str(name): f"{name} is not installed: it is left out (rooftop doctor tells how to get it)"
            for name in named
            if allocator_library(str(name)) is None
        }

    def space(self) -> Space:
        """Return the configurations. Raises Misuse."""
        missing = self.missing_allocators()
        parameters = []
        for name, kind, values in self.parameters:
            here = tuple(value for value in values if kind != "malloc" or value not in missing)
            if not here:
                raise Misuse(f"none of the allocators {', '.join(map(str, values))} is installed")
            parameters.append(Parameter(name, kind, here))
        return Space(parameters, self.where)

    def default_place(self, space: Space) -> int:
        """Return the place of the default configuration. Raises Misuse."""
        wanted = dict(self.default)
        for name, value in wanted.items():
            known = next((values for other, _, values in self.parameters if other == name), None)
            if known is None:
                raise Misuse(
                    f"--default names {name!r}, expected one of {', '.join(one[0] for one in self.parameters)}"
                )
            if str(value) not in map(str, known):
                raise Misuse(f"--default {name}={value} is not among its values {', '.join(map(str, known))}")
        for place, configuration in enumerate(space.configurations):
            if all(str(configuration[name]) == str(value) for name, value in wanted.items()):
                return place
        raise Misuse(f"--default {' '.join(f'{n}={v}' for n, v in self.default)} is excluded by --where")

    def start_places(self, space: Space) -> list[int]:
        """Return the places of what is tried first: the default, and then the starts that the space has."""
        places = {label(one): place for place, one in enumerate(space.configurations)}
        named = [label(dict(one)) for one in self.starts]
        first = [self.default_place(space), *(places[name] for name in named if name in places)]
        return first[: self.n_trials]

    def build_of(self, configuration: Configuration, builds: Builds) -> Build | None:
        """Return what a configuration needs built. Raises Misuse."""
        return builds.build(self.build, configuration) if self.build is not None else None

    def launch(
        self, space: Space, configuration: Configuration, build: Build | None, launcher: str | None = None
    ) -> Launch:
        """Return how a configuration is started, here or by another launcher."""
        if (rung := self.rung()) is not None:
            return Launch(("rooftop", "tune", *rung.words(configuration_words(space, configuration))))
        return launch(space, configuration, self.words, launcher or self.launcher, self.built(build))

    @staticmethod
    def built(build: Build | None) -> dict[str, object]:
        """Return the folder that a configuration is built in, by the name of its place."""
        return {"build": build.folder} if build is not None else {}

    def spec(self, space: Space, configuration: Configuration, builds: Builds) -> Spec:
        """Return the command that a configuration is. Raises Misuse."""
        if (rung := self.rung()) is not None:
            return Spec(CommandLine(self.words, label(configuration)), rung=tuned_rung(rung, space, configuration))
        build = self.build_of(configuration, builds)
        started = self.launch(space, configuration, build)
        folder = build.working_folder if build is not None else None
        command = CommandLine(started.words, label(configuration))
        how = self.how.filled({**configuration, **self.built(build)})
        return how.spec(command, started.environment, folder, build)


def read_file(path: Path) -> tuple[list[Parameter], list[str], str | None]:
    """Return the parameters, the conditions and the build that a TOML file declares. Raises Misuse."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"), parse_float=str)  # as they are written
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misuse(f"{path} is not TOML: {error}") from error
    found: list[Parameter] = []
    for key, value in content.items():
        if key not in _FILE_KEYS:
            raise Misuse(f"{path} has {key!r}, expected {', '.join(_FILE_KEYS)}")
        if key in ("where", "build"):
            continue
        if key in _FILE_TABLES:
            if not isinstance(value, dict):
                raise Misuse(f"{path} has {key} = {value!r}, expected a table [{key}]")
            kind: Kind = "env" if key == "env" else "param"
            found += [
                parameter(f"{path}: {key}.{name}", kind, name, _texts(path, name, one)) for name, one in value.items()
            ]
        else:
            found.append(parameter(f"{path}: {key}", cast(Kind, key), key, _texts(path, key, value)))
    where = content.get("where", [])
    conditions = [where] if isinstance(where, str) else where
    if not isinstance(conditions, list) or not all(isinstance(one, str) for one in conditions):
        raise Misuse(f"{path} has where = {where!r}, expected a list of conditions")
    build = content.get("build")
    if build is not None and not isinstance(build, str):
        raise Misuse(f"{path} has build = {build!r}, expected a command")
    return found, conditions, build


def _texts(path: Path, name: str, value: Any) -> str | list[str]:
    """Return values as an option would spell them: a text, or a list of which each is one value or a range."""
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(one, int | float | str) and not isinstance(one, bool) for one in values):
        raise Misuse(f"{path} has {name} = {value!r}, expected a list of numbers or texts")
    return [str(one) for one in values] if isinstance(value, list) else str(value)
