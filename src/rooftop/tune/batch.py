"""A batch script that starts a configuration as it was measured."""

from __future__ import annotations

import shlex

from rooftop.command.build import Build
from rooftop.command.placeholders import substituted
from rooftop.launchers import of_batch
from rooftop.parameters.space import Configuration, Space, label
from rooftop.tune.launch import placement, variables
from rooftop.tune.options import Options


def sbatch_script(options: Options, space: Space, configuration: Configuration, build: Build | None) -> str:
    """Return the script. It asks for one node, as the measurement had."""
    launcher = of_batch("sbatch")
    team, bind = placement(space, configuration)
    program = substituted(options.words, {**configuration, **options.built(build)})
    launch = launcher.started(program, variables(space, configuration), team, bind, in_batch=True)
    lines = ["#!/bin/bash", f"# {label(configuration)}", *launcher.job_lines(team)]
    if build is not None:
        lines.append(f"# built with: {build.command.text}")
        if build.working_folder is not None:
            lines.append(f"cd {shlex.quote(str(build.working_folder))} || exit 1")
    lines += [f"export {name}={shlex.quote(value)}" for name, value in launch.environment.items()]
    return "\n".join([*lines, shlex.join(launch.words), ""])
