"""Options of `rooftop tune`, and the search space defined by them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field
from pydantic.dataclasses import dataclass

from rooftop.command.build import PLACEHOLDER, Build, Builds
from rooftop.command.line import CommandLine, remarks, require_place
from rooftop.command.measurement import Measurement
from rooftop.command.mpi_library import library_among
from rooftop.command.option import RUNNING, Option
from rooftop.command.reported_values import HOSTS, LAUNCHER, read_from, read_texts
from rooftop.command.request import MeasuredCommand
from rooftop.command.spec import Spec
from rooftop.errors import Misuse
from rooftop.launchers import over_nodes
from rooftop.launchers.launcher import Launch
from rooftop.launchers.nodes import Nodes
from rooftop.parameters.space import Configuration, Kind, Parameter, Space, label, parameter
from rooftop.parameters.values import Value
from rooftop.text.plural import plural
from rooftop.tune.launch import allocator_library, launch
from rooftop.tune.rungs import configuration_words, expectation, starting_places, tunable_parameters, tuned_rung
from rooftop.tune.strategies import own_name

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung

Declaration = tuple[str, Kind, tuple[Value, ...]]  # name, kind and values of a parameter

SEARCH = "Parameters and search"
_option = partial(Option, panel=SEARCH)


def _texts(called: str, given: Any) -> str | list[str]:
    """Return values as they are written in an option: one text, or a list of values and ranges. Raises Misuse."""
    values = given if isinstance(given, list) else [given]
    if not values or not all(isinstance(one, int | float | str) and not isinstance(one, bool) for one in values):
        raise Misuse(f"{called} is {given!r}, expected a list of numbers or texts")
    return [str(one) for one in values] if isinstance(given, list) else str(given)


def _declaration(called: str, kind: Kind, name: str, given: Any) -> Declaration:
    found = parameter(called, kind, name, _texts(called, given))
    return found.name, found.kind, found.values


def _spelled_values(values: tuple[Value, ...]) -> str:
    return ",".join(str(one).replace(",", "\\,") for one in values)


def _one_kind(kind: Kind, help_: str) -> Option:
    """Return the option for a parameter named like its kind, such as --threads 1..8."""

    def read(called: str, given: Any) -> tuple[Declaration, ...]:
        return (_declaration(called, kind, kind, given),)

    def part(parameters: tuple[Declaration, ...]) -> str | None:
        return next((_spelled_values(values) for _, other, values in parameters if other == kind), None)

    return _option(f"--{kind}", help_, said=str, filed=Any, read=read, part=part)


def _named_kind(kind: Kind, help_: str, metavar: str) -> Option:
    """Return the option for named parameters of a kind, such as --param N=8,16."""

    def read(called: str, given: list[str] | dict[str, Any]) -> tuple[Declaration, ...]:
        if isinstance(given, list):
            return tuple(_declaration(called, kind, name, values) for name, values in read_named(called, given))
        return tuple(_declaration(f"{called}.{name}", kind, name, values) for name, values in given.items())

    def part(parameters: tuple[Declaration, ...]) -> tuple[str, ...]:
        return tuple(f"{name}={_spelled_values(values)}" for name, other, values in parameters if other == kind)

    own: dict[str, Any] = {"said": list[str], "filed": dict[str, Any], "read": read, "part": part}
    return _option(f"--{kind}", help_, metavar=metavar, **own)


def read_named(called: str, texts: list[str] | dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return pairs (name, values) from texts NAME=VALUES. Raises Misuse."""
    if isinstance(texts, dict):
        return tuple((name, str(value)) for name, value in texts.items())
    found = []
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals:
            raise Misuse(f"{called} is {text!r}, expected NAME=VALUES such as N=8,16,32")
        found.append((name, values))
    return tuple(found)


def _read_strategy(_called: str, given: str) -> str:
    return own_name(given)


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """One tuning.

    words       of the command, with {name} in place of a parameter's value
    parameters  name, kind and values of each
    default     values of the default configuration, where they are not the first
    job_nodes   how many nodes its job has, and how many tasks each; None: one node
    starts      configurations to try first, after the default
    """

    words: tuple[str, ...] = ()
    parameters: Annotated[
        tuple[Declaration, ...],
        _one_kind("ranks", "Numbers of MPI processes, such as 1,2,4."),
        _one_kind("threads", "Numbers of OpenMP threads, such as 1..8."),
        _one_kind("bind", "Bindings of threads to try: close, spread, none."),
        _one_kind("schedule", "Values of OMP_SCHEDULE, such as static,dynamic:64,guided."),
        _one_kind("malloc", "Allocators to try: glibc, tbb, mimalloc, jemalloc."),
        _named_kind("env", "Values of an environment variable.", "KEY=a,b"),
        _named_kind("param", "Values to put in place of {N} in the command.", "N=8,16"),
    ] = ()
    where: Annotated[
        tuple[str, ...],
        _option(
            "--where",
            "Condition on the parameters, such as 'ranks*threads <= cores'.",
            also=("--restrictions",),
            metavar="COND",
            said=list[str],
            filed=str | list[str],
            read=read_texts,
        ),
    ] = ()
    default: Annotated[
        tuple[tuple[str, Value], ...],
        _option(
            "--default",
            "Value of a parameter in the default configuration (default: its first).",
            metavar="NAME=VALUE",
            said=list[str],
            filed=dict[str, Any],
            read=read_named,
            spell=lambda pair: f"{pair[0]}={pair[1]}",
        ),
    ] = ()
    strategy: Annotated[str, _option("--strategy", "Search strategy: auto, shuffled, tpe, …", read=_read_strategy)] = (
        "auto"
    )
    n_trials: Annotated[
        int | None,
        _option("--n-trials", "Maximum number of configurations to try (default: as many as fit).", read=read_from(1)),
    ] = None
    launcher: Annotated[str | None, LAUNCHER] = None
    hosts: Annotated[tuple[str, ...], HOSTS] = ()
    job_nodes: tuple[int, int] | None = None
    build: Annotated[
        str | None,
        Option("--build", "Command that builds a configuration, such as 'make CC={cc}'. See the guide.", panel=RUNNING),
    ] = None
    starts: tuple[tuple[tuple[str, Value], ...], ...] = ()
    how: Measurement = Field(default_factory=lambda: Measurement(budget_s=300.0, max_pairs=60), kw_only=True)

    def prepared(self) -> Options:
        """Return the options with this machine's launcher, if ranks are tuned and none is given. Raises Misuse."""
        ranks = any(kind == "ranks" for _, kind, _ in self.parameters)
        if not self.words:
            raise Misuse("there is no command to tune, expected: rooftop tune --threads 1..8 -- CMD")
        if (rung := self.rung()) is not None:
            return self._prepared_for(rung)
        if self.build is None and any(PLACEHOLDER in word for word in self.words):
            raise Misuse(f"the command contains {PLACEHOLDER}, but there is no --build")
        if any(name == "build" for name, _, _ in self.parameters):
            raise Misuse(
                f"a parameter is named 'build', but {PLACEHOLDER} stands for the build folder: choose another name"
            )
        for name, kind, _ in self.parameters:
            if kind == "param":
                require_place("--param", name, self._all_texts(), self._known())
        return over_nodes(self, ranked=ranks, library=library_among(self.words))

    def rung(self) -> Rung | None:
        """Return the rung that is tuned; None if it is a command. Raises Misuse."""
        return self.how.rung(self.words)

    def _prepared_for(self, rung: Rung) -> Options:
        """Return the options for tuning a rung. Raises Misuse.

        Parameters default to the tunables of its experiment. Configurations expected to be fastest are tried first.
        """
        for option, given in (("--build", self.build), ("--launcher", self.launcher), ("--hosts", self.hosts or None)):
            if given is not None:
                raise Misuse(f"{option} has no effect on {rung.name}, which is built and started by its experiment")
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

    def _all_texts(self) -> list[str]:
        return [*self.words, *self.how.texts_beside(), *([self.build] if self.build is not None else [])]

    def _known(self) -> set[str]:
        """Return the names of all placeholders that have values."""
        return {name for name, _, _ in self.parameters} | ({"build"} if self.build is not None else set())

    def remarks(self) -> list[str]:
        """Return remarks on possible mistakes, and on what is tried first."""
        found = remarks(self._all_texts(), self._known())
        if self.starts:
            found.append(
                f"{plural(len(self.starts), 'configuration')} that the experiment expects to be fast are tried first"
            )
        return found

    def missing_allocators(self) -> dict[str, str]:
        """Return the allocators that are not installed, with a message for each."""
        named = [value for _, kind, values in self.parameters if kind == "malloc" for value in values]
        return {
            str(name): f"{name} is not installed and is left out (see rooftop doctor)"
            for name in named
            if allocator_library(str(name)) is None
        }

    def space(self) -> Space:
        """Return the search space. Raises Misuse."""
        missing = self.missing_allocators()
        parameters = []
        for name, kind, values in self.parameters:
            here = tuple(value for value in values if kind != "malloc" or value not in missing)
            if not here:
                raise Misuse(f"none of the allocators {', '.join(map(str, values))} is installed")
            parameters.append(Parameter(name, kind, here))
        return Space(parameters, self.where)

    def default_place(self, space: Space) -> int:
        """Return the index of the default configuration in the space. Raises Misuse."""
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
        """Return the indices of the configurations to try first: the default, then the starts in the space."""
        places = {label(one): place for place, one in enumerate(space.configurations)}
        named = [label(dict(one)) for one in self.starts]
        first = [self.default_place(space), *(places[name] for name in named if name in places)]
        return first[: self.n_trials]

    def build_of(self, configuration: Configuration, builds: Builds) -> Build | None:
        """Return the build of a configuration. Raises Misuse."""
        return builds.build(self.build, configuration) if self.build is not None else None

    def launch(
        self, space: Space, configuration: Configuration, build: Build | None, launcher: str | None = None
    ) -> Launch:
        """Return how to start a configuration, with the chosen launcher or another."""
        if (rung := self.rung()) is not None:
            return Launch(("rooftop", "tune", *rung.words(configuration_words(space, configuration))))
        own = launcher or self.launcher
        return launch(space, configuration, self.words, own, self.built(build), self.nodes)

    @property
    def nodes(self) -> Nodes:
        """What ranks are spread over."""
        return Nodes(self.job_nodes, self.hosts)

    @staticmethod
    def built(build: Build | None) -> dict[str, object]:
        """Return the value of the placeholder for the build folder, by name."""
        return {"build": build.folder} if build is not None else {}

    def spec(self, space: Space, configuration: Configuration, builds: Builds) -> Spec:
        """Return the command (or rung) to measure for a configuration. Raises Misuse."""
        if (rung := self.rung()) is not None:
            return Spec(CommandLine(self.words, label(configuration)), rung=tuned_rung(rung, space, configuration))
        build = self.build_of(configuration, builds)
        started = self.launch(space, configuration, build)
        folder = build.working_folder if build is not None else None
        command = CommandLine(started.words, label(configuration))
        how = self.how.filled({**configuration, **self.built(build)})
        return how.spec(command, started.environment, folder, build)
