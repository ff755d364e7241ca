"""OpenMP's variables for its threads and their binding. Source: OpenMP 5.2, chapter 21."""

from __future__ import annotations

from collections.abc import Mapping


def openmp(threads: int | None = None, bind: str | None = None) -> dict[str, str]:
    """Return the variables for so many threads, bound as asked (close, spread, none); None leaves one unset."""
    found: dict[str, str] = {}
    if threads is not None:
        found["OMP_NUM_THREADS"] = str(threads)
    if bind is not None:
        found["OMP_PROC_BIND"] = "false" if bind == "none" else bind
        if bind != "none":
            found["OMP_PLACES"] = "cores"
    return found


def unbound(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with OpenMP's binding switched off."""
    return {name: value for name, value in variables.items() if name != "OMP_PLACES"} | openmp(bind="none")
