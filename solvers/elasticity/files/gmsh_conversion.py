"""Convert Gmsh files that meshio cannot read, with Gmsh itself.

Gmsh runs in a separate process: it prints, has global state, and exits on some damaged files.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rooftop.driver.error_output import said_last
from rooftop.errors import Misuse
from rooftop.solvers.elasticity.files.bounded_memory import needed_bytes

_CONVERTING_S = 600
_REMEDY = (
    "save it again in format 4.1 or 2.2, without Mesh.SaveParametric, Mesh.SaveAll and partitions, or let Gmsh convert "
    "it here: pip install gmsh"
)
# Volumes outside physical groups are put into one, because format 4.1 saves either those in groups or everything.
_CONVERT = """\
import resource, sys, gmsh
gmsh.initialize(["gmsh"], False, False)
gmsh.option.setNumber("General.Terminal", 0)
with open("/proc/self/statm") as told:
    bound = int(told.read().split()[0]) * resource.getpagesize() + int(sys.argv[3])
before, hard = resource.getrlimit(resource.RLIMIT_AS)
if before == resource.RLIM_INFINITY or bound < before:
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
try:
    gmsh.open(sys.argv[1])
except Exception as error:
    sys.exit(str(error))
if gmsh.model.getNumberOfPartitions():
    gmsh.model.mesh.unpartition()
alone = [tag for _, tag in gmsh.model.getEntities(3) if not len(gmsh.model.getPhysicalGroupsForEntity(3, tag))]
if alone:
    gmsh.model.addPhysicalGroup(3, alone, max((tag for _, tag in gmsh.model.getPhysicalGroups()), default=0) + 1)
for option, value in (("MshFileVersion", 4.1), ("Binary", 0), ("SaveAll", 0), ("SaveParametric", 0)):
    gmsh.option.setNumber("Mesh." + option, value)
gmsh.write(sys.argv[2])
"""


def is_installed() -> bool:
    """Return whether Gmsh's Python package is installed."""
    return importlib.util.find_spec("gmsh") is not None


@contextmanager
def converted(path: Path, why: str) -> Iterator[Path]:
    """Convert a file to format 4.1. Yield the path of the temporary result.

    why  reason why meshio cannot read the file, for messages

    Raises Misuse if Gmsh is not installed or cannot read the file either.
    """
    if not is_installed():
        raise Misuse(f"{path}: meshio cannot read it as a gmsh file: {why}; expected another format: {_REMEDY}")
    with tempfile.TemporaryDirectory(prefix="rooftop-gmsh-") as folder, tempfile.TemporaryFile() as said:
        # Gmsh runs FILE.opt beside a FILE, which may start programs. Beside this name there is none.
        alone, result = Path(folder) / "given.msh", Path(folder) / "mesh.msh"
        alone.symlink_to(path.absolute())
        command = [sys.executable, "-c", _CONVERT, str(alone), str(result), str(needed_bytes(path))]
        try:
            code = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=_CONVERTING_S, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            raise Misuse(f"{path}: Gmsh did not read it within {_CONVERTING_S} s; expected another format") from None
        if code or not result.exists():
            told = " ".join(said_last(said).split()) or f"Gmsh exited with {code}"
            raise Misuse(f"{path}: neither meshio nor Gmsh can read it: {why}; {told}; expected another format")
        yield result
