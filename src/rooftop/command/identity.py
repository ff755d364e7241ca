"""What the words of commands stand for: programs on PATH, and environment variables that programs read.

If one of these changes, the same words run something else: see `check_unchanged`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rooftop.command.build import build_variables
from rooftop.command.environment import own_environment
from rooftop.command.files import FileSearch
from rooftop.command.spec import Spec

_MOST_COMMANDS = 16  # are looked at: a tuning's differ in values
_READ = ("GLIBC_TUNABLES", "LANG", "TZ", "GOMAXPROCS", "GOGC", "GODEBUG")
_READ_PREFIXES = (
    *("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "BLIS_", "NUMBA_", "TBB_"),
    *("LD_", "MALLOC_", "LC_", "JAVA_"),
    *("OMPI_MCA_", "MPICH_", "MPIR_", "UCX_", "I_MPI_", "FI_", "HDF5_", "ROMIO_"),
    *("CUDA_", "HIP_", "ROCR_", "NCCL_", "TORCH_", "XLA_", "JAX_", "TF_"),
)


def meaning(specs: Iterable[Spec], build: str | None = None) -> dict[str, Any]:
    """Return the variables and programs that commands depend on; none for rungs, which declare their own.

    build  text of the build command
    """
    commands = [spec for spec in specs if spec.rung is None]
    if not commands:
        return {}
    environment = own_environment()
    programs: dict[str, str] = {}
    for spec in commands[:_MOST_COMMANDS]:
        search = FileSearch(spec.folder, environment | dict(spec.environment or {}))
        for line in (spec.command, spec.setup, spec.prepare, spec.judge):
            if line is not None:
                search.line(line.words)
        programs |= search.on_path
    variables = {
        name: value for name, value in sorted(environment.items()) if name in _READ or name.startswith(_READ_PREFIXES)
    }
    if build is not None:
        variables |= build_variables(build, environment)
    return {"variable": variables, "program": programs}
