"""What a package does where there is Python and nothing else, and where there are compilers and an MPI."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, write_page
from benchmarks.packages.commands import (
    BRIEF,
    EXAMPLES,
    FILES,
    MISUSE,
    NOT_BUILT,
    NOTHING_MEASURED,
    WITH_COMPILERS,
    WITH_PYTHON,
    Commands,
)
from benchmarks.packages.root import DEBOOTSTRAP, Image, Root

PAGE = RESULTS / "packages.md"
EXTRAS = "cluster,hdf5,labs,parquet,partition,serve"
BRIEF_EXTRAS = "hdf5,serve"
# packages/debian.txt says what for. HDF5 is there twice: Python loads the one without MPI, ranks the other.
COMPILERS = (
    *("g++", "cmake", "ninja-build", "pkg-config", "python3-dev"),
    *("libhwy-dev", "nlohmann-json3-dev", "libnanoflann-dev", "libdeflate-dev", "libhdf5-dev"),
    *("libhdf5-openmpi-dev", "libopenmpi-dev", "openmpi-bin", "libsimgrid-dev"),
)
ABSENT = ("gcc", "g++", "cc", "c++", "make", "cmake", "ninja", "git", "mpirun")
_BUILD_LIMIT_S = 1800.0


@dataclass(frozen=True)
class Done:
    """A command that was run, and what it printed last."""

    command: str
    code: int
    right: tuple[int, ...]
    last: str

    @property
    def asked(self) -> Asked:
        """The exit code beside those that are right, with the last line printed unless the command succeeded."""
        met = self.code in self.right
        told = not met or self.code in (MISUSE, NOTHING_MEASURED, NOT_BUILT)
        reached = f"{self.code}: {self.last}" if told and self.last else str(self.code)
        return Asked(f"`{self.command}`", "exit code " + " or ".join(map(str, self.right)), reached, met)


def all_done(root: Root, commands: Commands) -> list[Done]:
    """Run all commands in an installed root, one after the other, with the files that they read."""
    work = root.folder / "work"
    for name, text in FILES.items():
        (work / name).write_text(text, encoding="utf-8")
    for name, source in EXAMPLES.items():
        if source.is_dir():
            shutil.copytree(source, work / name)
        else:
            shutil.copy(source, work / name)
    found = []
    with root.mounted():
        for command, right in commands:
            done = root.run(command, _BUILD_LIMIT_S)
            lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
            found.append(Done(command, done.returncode, right, lines[-1].strip() if lines else ""))
            print(
                f"{root.folder.name}: {done.returncode:3}  {'' if done.returncode in right else 'wrong: '}{command}",
                flush=True,
            )
    return found


def _installed(root: Root, wheel: Path, extras: str, commands: Commands, sdist: Path | None = None) -> list[Done]:
    """Install a package in a root, and run all commands there."""
    root.install(wheel.resolve(), extras, None if sdist is None else sdist.resolve())
    return all_done(root, commands)


def part(about: str, found: Sequence[Done]) -> str:
    """Return the rows of one root."""
    met = sum(one.code in one.right for one in found)
    return f"{about} {met} of {len(found)} commands end as they should.\n\n" + asked_table(one.asked for one in found)


def main(
    wheel: Annotated[Path, typer.Option(help="The wheel, after auditwheel repair.", exists=True)],
    sdist: Annotated[
        Path | None, typer.Option(help="A source distribution of the same, compiled in a second root.", exists=True)
    ] = None,
    image: Annotated[str | None, typer.Option(metavar="NAME", help="An image of packages/Containerfile.")] = None,
    engine: Annotated[str, typer.Option(metavar="COMMAND", help="What runs the image's containers.")] = "podman",
    aarch64: Annotated[
        Path | None, typer.Option(help="The wheel for aarch64, which qemu-user-static runs.", exists=True)
    ] = None,
    root: Annotated[Path | None, typer.Option(help="A root to use. Without it debootstrap makes one.")] = None,
    compilers: Annotated[Path | None, typer.Option(help="A second root to use, with compilers.")] = None,
    aarch64_root: Annotated[Path | None, typer.Option(help="A root for arm64 to use.")] = None,
    to: PageOption = PAGE,
) -> int:
    """Write docs/results/packages.md, as root. Exit code 1 where a command ends otherwise than it should."""
    if os.geteuid():
        raise typer.BadParameter("chroot takes root's rights: run it as root")
    words = ["packages --wheel FILE"]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        plain = Root(root) if root else Root.made(Path(folder, "plain"))
        if there := plain.has(ABSENT):
            raise typer.BadParameter(f"the root has {there[0]}, expected one without {', '.join(ABSENT)}")
        about = (
            f"`{wheel.name}` is installed with `[{EXTRAS}]` in a root that `{' '.join(DEBOOTSTRAP)}` made: "
            f"Debian 12 with Python, without {', '.join(ABSENT[:-1])} and {ABSENT[-1]}. What needs one of them "
            "must say so in one line."
        )
        running = [(about, pool.submit(_installed, plain, wheel, EXTRAS, WITH_PYTHON))]
        if image is not None:
            words.append("--image NAME")
            about = "`packages/Containerfile` made an image, and each command runs in a container of its own."
            running.append((about, pool.submit(all_done, Image(Path(folder, "image"), image, engine), BRIEF)))
        if aarch64 is not None:
            words.append("--aarch64 FILE")
            arm = Root(aarch64_root) if aarch64_root else Root.made(Path(folder, "arm"), options=("--arch=arm64",))
            about = (
                f"`{aarch64.name}` is installed with `[{BRIEF_EXTRAS}]` in such a root made with `--arch=arm64`, "
                "whose programs qemu-user-static runs: what is shown is that they run, not how fast."
            )
            running.append((about, pool.submit(_installed, arm, aarch64, BRIEF_EXTRAS, BRIEF)))
        if sdist is not None:
            words.append("--sdist FILE")
            full = Root(compilers) if compilers else Root.made(Path(folder, "full"), COMPILERS)
            about = f"`{sdist.name}` is compiled and installed in a root that also has {', '.join(COMPILERS)}."
            running.append((about, pool.submit(_installed, full, wheel, EXTRAS, WITH_COMPILERS, sdist)))
        parts = [(about, one.result()) for about, one in running]
    write_page(to, "An installed package: asked and reached", " ".join(words), *(part(*one) for one in parts))
    return int(any(one.code not in one.right for _, found in parts for one in found))
