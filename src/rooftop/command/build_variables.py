"""The environment variables that a build reads."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rooftop.command.environment import own_environment

_NAMED = re.compile(r"\$\{?([A-Za-z_]\w*)")
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
