"""A batch script for Slurm that starts a configuration as it was measured. Source: sbatch(1) and srun(1) of Slurm."""

from __future__ import annotations

import shlex

from rooftop.command.build import Build
from rooftop.command.launcher import job_size, started
from rooftop.command.places import substituted
from rooftop.tune.launch import variables
from rooftop.tune.options import Options
from rooftop.tune.parameters import Configuration, Space, label


def sbatch_script(options: Options, space: Space, configuration: Configuration, build: Build | None) -> str:
    """Return the script. It asks for one node, as the measurement had."""
    by_kind = {space.kind(name): value for name, value in configuration.items()}
    ranks, threads = int(by_kind.get("ranks", 1)), int(by_kind.get("threads", 1))
    bind = str(by_kind["bind"]) if "bind" in by_kind else None
    program = substituted(options.words, {**configuration, **options.built(build)})
    launch = started("srun", program, variables(space, configuration), ranks, threads, bind, in_job=True)
    tasks, cores = job_size(ranks, threads)
    lines = [
        "#!/bin/bash",
        f"# {label(configuration)}",
        "#SBATCH --job-name=rooftop",
        "#SBATCH --nodes=1",
        f"#SBATCH --ntasks={tasks}",
        f"#SBATCH --cpus-per-task={cores}",
    ]
    if build is not None:
        lines.append(f"# built with: {build.command.text}")
        if build.working_folder is not None:
            lines.append(f"cd {shlex.quote(str(build.working_folder))} || exit 1")
    lines += [f"export {name}={shlex.quote(value)}" for name, value in launch.environment.items()]
    return "\n".join([*lines, shlex.join(launch.words), ""])
