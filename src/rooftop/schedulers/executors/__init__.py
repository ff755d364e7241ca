"""What speaks with schedulers, one file each: a file here binds ``Executor``, and its name is what --on takes.

An Executor is a JobExecutor of psij, which is made of a configuration alone. It may have more than psij asks for:

present_cluster  function that returns the name of the cluster that the scheduler's programs speak with
submitted_to     the cluster that the last job went to, where it was not the present one
refusal          function that returns why JobOptions cannot be met, or None

Other schedulers are spoken with as psij has it.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psij

OF_PSIJ = ("cobalt", "flux")  # what else it has


def names() -> list[str]:
    """Return the names of the schedulers that have a file here."""
    return [one.name for one in iter_modules(__path__)]


def own(name: str) -> type[Any] | None:
    """Return the executor of a file here; None where there is none."""
    if name not in names():
        return None
    found: type[Any] = import_module(f"{__name__}.{name}").Executor
    found._NAME_ = name
    return found


def made(name: str, config: psij.JobExecutorConfig) -> psij.JobExecutor:
    """Return what speaks with a scheduler."""
    import psij

    found: psij.JobExecutor
    if (kind := own(name)) is not None:
        found = kind(config=config)
    else:
        found = psij.JobExecutor.get_instance(name, config=config)
    return found
