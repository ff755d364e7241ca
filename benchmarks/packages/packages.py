"""What a wheel does where there is Python and nothing else: no compiler, no git, no MPI, no HDF5."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, PageOption, table, write_page

PAGE = RESULTS / "packages.md"
DEBOOTSTRAP = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv", "bookworm"]
ABSENT = ("gcc", "g++", "cc", "c++", "make", "cmake", "ninja", "git", "mpirun")
MISUSE, NOT_BUILT, NOT_RESOLVED = 2, 4, 7
_LIMIT_S = 300.0
_SHORT = "--budget 10s --max-pairs 6"
_FILE = """import h5py, numpy
with h5py.File("x.h5", "w") as file:
    file.create_dataset("x", data=numpy.arange(250000.0).reshape(500, 500), chunks=(50, 50), compression="gzip")
from rooftop.solvers import h5io
assert h5io.File("x.h5")["x"][499, 499] == 249999"""
_BENCH = "IO_OPERATION=WRITE\nMEM_PATTERN=CONTIG\nFILE_PATTERN=CONTIG\nTIMESTEPS=1\nNUM_DIMS=1\nDIM_1=4096\n"
_DECK = """*NODE
1,0,0,0
2,1,0,0
3,0,1,0
4,0,0,1
*ELEMENT,TYPE=C3D4
1,1,2,3,4
"""
FILES = {"h5io.py": _FILE, "write.cfg": _BENCH, "body.inp": _DECK, "layers.txt": "1\n16 14 14 16 1\n"}
EXAMPLES = {
    "towns.tsp": ROOT / "solvers" / "routing" / "example" / "towns.tsp",
    "network": ROOT / "solvers" / "network" / "example",
}
# The command, and the exit codes that are right. A gate need not be resolved, nor a doctor content, in such a place.
COMMANDS: list[tuple[str, tuple[int, ...]]] = [
    ("rooftop --version", (0,)),
    ("rooftop list", (0,)),
    ("rooftop show winograd", (0,)),
    ("rooftop status", (0,)),
    ("rooftop doctor", (0, 1)),
    ("rooftop probe --quick", (0,)),
    (f"rooftop compare {_SHORT} 'sleep 0.002' 'sleep 0.003'", (0,)),
    (f"rooftop tune {_SHORT} --param N=0.001,0.002 -- sleep '{{N}}'", (0,)),
    (f"rooftop scale {_SHORT} --threads 1,2 -- sleep 0.002", (0,)),
    (f"rooftop gate {_SHORT} --threshold 90% -- 'sleep 0.002' ::: 'sleep 0.002'", (0, NOT_RESOLVED)),
    ("rooftop pin --no-cost -- sleep 1", (0,)),
    ("rooftop diagnose --budget 5s -- python3 -c 'sum(range(3000000))'", (0,)),
    ("rooftop solve conv layers.txt", (0,)),
    ("rooftop solve elasticity body.inp --clamp x-min --traction z-min=0,0,1 --young 1 --poisson 0.3", (0,)),
    ("rooftop solve ft --class S", (0,)),
    ("rooftop solve network network --iterations 50", (0,)),
    ("rooftop solve tsp towns.tsp --iterations 50", (0,)),
    ("rooftop solve h5 write.cfg", (MISUSE, NOT_BUILT)),  # its benchmarks are programs of MPI
    ("python h5io.py", (0,)),
    ("rooftop h5 --help", (0,)),
    ("rooftop h5 advise x.h5 --budget 5s", (0,)),
    ("rooftop h5 repack x.h5 --chunks 100,100", (0,)),
    ("rooftop lab", (0,)),
    ("rooftop lab weighted_partition --budget 10s", (0,)),
    ("rooftop lab false_sharing", (NOT_BUILT,)),
    ("rooftop climb labs/false_sharing --size quick", (NOT_BUILT,)),
    ("rooftop build", (NOT_BUILT,)),
]


@dataclass(frozen=True)
class Done:
    """A command that was run, and what it printed last."""

    command: str
    code: int
    right: tuple[int, ...]
    last: str

    @property
    def row(self) -> tuple[str, str, str, str]:
        """Row of the table: command, exit code, expected codes, and the last line printed unless it succeeded."""
        expected = " or ".join(map(str, self.right))
        said = self.last if self.code in (MISUSE, NOT_BUILT) else ""
        return f"`{self.command}`", f"{self.code}", expected, said or ("" if self.code in self.right else self.last)


class Root:
    """A folder with a system of its own, whose programs are run by chroot."""

    def __init__(self, folder: Path) -> None:
        """Take a system that is there."""
        self.folder = folder

    def run(self, command: str, limit_s: float = _LIMIT_S) -> subprocess.CompletedProcess[str]:
        """Run a line of the shell in /work, with the package's commands first in PATH."""
        path = "PATH=/package/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        words = ["chroot", str(self.folder), "/usr/bin/env", "-i", path, "HOME=/work", "LANG=C.UTF-8", "/bin/sh", "-c"]
        line = f"mkdir -p /work && cd /work && {command}"
        try:
            return subprocess.run([*words, line], capture_output=True, text=True, check=False, timeout=limit_s)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 124, "", f"was still running after {limit_s:.0f} s")

    def install(self, wheel: Path) -> None:
        """Install a wheel with the extra hdf5. What it depends on is downloaded outside of the root."""
        asked = "import sys; print('%d.%d' % sys.version_info[:2])"
        version = self.run(f"python3 -c {shlex.quote(asked)}").stdout.strip()
        here = "{}.{}".format(*sys.version_info[:2])
        if version != here:
            raise typer.BadParameter(f"the root has Python {version or 'not at all'}, expected {here}, as here")
        store = self.folder / "wheels"
        shutil.rmtree(store, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "download", "--only-binary=:all:", "-d", str(store), f"{wheel}[hdf5]"], check=True)
        done = self.run(
            "rm -rf /package /work/* && python3 -m venv /package && "
            "/package/bin/pip install --quiet --no-index --find-links /wheels 'rooftop[hdf5]'",
            limit_s=3 * _LIMIT_S,
        )
        if done.returncode:
            raise typer.BadParameter(f"{wheel} cannot be installed in the root: {done.stderr.strip()}")

    def has(self, names: Sequence[str]) -> list[str]:
        """Return those of some programs that are there."""
        return self.run(f"for name in {' '.join(names)}; do command -v $name; done").stdout.split()


def all_done(root: Root, commands: Sequence[tuple[str, tuple[int, ...]]]) -> list[Done]:
    """Run all commands, one after the other."""
    found = []
    for command, right in commands:
        done = root.run(command)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        found.append(Done(command, done.returncode, right, lines[-1].strip() if lines else ""))
        print(f"{done.returncode:3}  {'' if done.returncode in right else 'wrong: '}{command}", flush=True)
    return found


def page_parts(wheel: str, found: Sequence[Done]) -> list[str]:
    """Return what the page tells."""
    right = sum(one.code in one.right for one in found)
    about = (
        f"`{wheel}` is installed with `[hdf5]` in a root that `{' '.join(DEBOOTSTRAP)}` made: Debian 12 with Python, "
        f"without {', '.join(ABSENT[:-1])} and {ABSENT[-1]}. {right} of {len(found)} commands end as they should: what "
        "needs a compiler or MPI says so in one line."
    )
    return [about, table(["command", "exit code", "expected", "said"], [one.row for one in found])]


def main(
    wheel: Annotated[Path, typer.Option(help="The wheel, after auditwheel repair.", exists=True)],
    root: Annotated[Path | None, typer.Option(help="A root to use. Without it debootstrap makes one.")] = None,
    to: PageOption = PAGE,
) -> int:
    """Write docs/results/packages.md, as root. Exit code 1 where a command ends otherwise than it should."""
    if os.geteuid():
        raise typer.BadParameter("chroot takes root's rights: run it as root")
    with tempfile.TemporaryDirectory() as folder:
        if root is None:
            if shutil.which(DEBOOTSTRAP[0]) is None:
                raise typer.BadParameter("debootstrap is missing: install it, or name a root by --root")
            root = Path(folder) / "root"
            subprocess.run([*DEBOOTSTRAP, str(root)], check=True, stdout=subprocess.DEVNULL)
        if root.resolve() == Path("/"):
            raise typer.BadParameter("--root is /, whose /work and /package would be removed: name another root")
        place = Root(root)
        if there := place.has(ABSENT):
            raise typer.BadParameter(f"the root has {there[0]}, expected one without {', '.join(ABSENT)}")
        place.install(wheel.resolve())
        work = root / "work"
        for name, text in FILES.items():
            (work / name).write_text(text, encoding="utf-8")
        for name, source in EXAMPLES.items():
            if source.is_dir():
                shutil.copytree(source, work / name)
            else:
                shutil.copy(source, work / name)
        subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
        try:
            found = all_done(place, COMMANDS)
        finally:
            subprocess.run(["umount", str(root / "proc")], check=False)
    write_page(to, "A wheel where there is only Python", "packages --wheel FILE", *page_parts(wheel.name, found))
    return int(any(one.code not in one.right for one in found))
