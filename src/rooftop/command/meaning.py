"""What the words of commands mean here: programs on PATH, and variables that programs read.

Where one of these is another, the same words run something else: see `check_unchanged`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rooftop.command.environment import own_environment
from rooftop.command.files import FileSearch

if TYPE_CHECKING:
    from rooftop.command.driver import Spec

_MOST_COMMANDS = 16  # are looked at: a tuning's differ in values
_NAMED = re.compile(r"\$\{?([A-Za-z_]\w*)")
_READ = ("GLIBC_TUNABLES", "LANG", "TZ", "GOMAXPROCS", "GOGC", "GODEBUG")
_READ_PREFIXES = (
    *("OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "BLIS_", "NUMBA_", "TBB_"),
    *("LD_", "MALLOC_", "LC_", "JAVA_"),
    *("OMPI_MCA_", "MPICH_", "MPIR_", "UCX_", "I_MPI_", "FI_", "HDF5_", "ROMIO_"),
    *("CUDA_", "HIP_", "ROCR_", "NCCL_", "TORCH_", "XLA_", "JAX_", "TF_"),
)
_READ_BY_BUILDS = (
    *("PATH", "CC", "CXX", "CPP", "FC", "F77", "F90", "LD", "AR", "AS", "NM", "RANLIB", "CUDACXX", "MPICC", "MPICXX"),
    *("CFLAGS", "CXXFLAGS", "CPPFLAGS", "FFLAGS", "FCFLAGS", "LDFLAGS", "LDLIBS", "LIBS", "ARFLAGS", "MAKEFLAGS"),
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "DESTDIR"),
    *("MFLAGS", "NINJAFLAGS", "RUSTFLAGS", "GOFLAGS", "SOURCE_DATE_EPOCH"),
)
_READ_BY_BUILDS_PREFIXES = ("CMAKE_", "CARGO_", "OMPI_", "MPICH_", "CCACHE_", "MESON_")


def named_in(text: str) -> list[str]:
    """Return the variables that a shell's text names."""
    return list(dict.fromkeys(_NAMED.findall(text)))


def build_variables(text: str, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that a build reads: those that its text names, and those of compilers and build tools.

    What a file that it runs reads beside these, such as a Makefile's $(OPT), is not known. One that is named and not
    set is left out.
    """
    variables = own_environment() if environment is None else environment
    named = {*named_in(text), *_READ_BY_BUILDS}
    return {
        name: value
        for name, value in sorted(variables.items())
        if name in named or name.startswith(_READ_BY_BUILDS_PREFIXES)
    }


def meaning(specs: Iterable[Spec], build: str | None = None) -> dict[str, Any]:
    """Return what the words of commands mean, by what a reader calls it; of rungs nothing, which say it themselves.

    build  that they need
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
