"""A system in a folder of its own, whose programs are run by chroot."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from benchmarks.form import ROOT

DEBOOTSTRAP = ("debootstrap", "--variant=minbase", "--include=python3,python3-venv", "bookworm")
LIMIT_S = 300.0
_BUILD_LIMIT_S = 3600.0
# Open MPI refuses to start ranks for root otherwise, whom chroot takes.
_RANKS_OF_ROOT = ("OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
_PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def _backend() -> list[str]:
    """Return what a source distribution is built with."""
    return list(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"])


def _ended(words: Sequence[str], limit_s: float) -> subprocess.CompletedProcess[str]:
    """Return what a program has done within a limit, or 124."""
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False, timeout=limit_s)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"was still running after {limit_s:.0f} s")


class Root:
    """A folder with a system in it. Commands run in its /work, and packages are installed in its /package."""

    def __init__(self, folder: Path) -> None:
        """Take a system that is there. Raises typer.BadParameter for this one: /work and /package are removed."""
        if folder.resolve() == Path("/"):
            raise typer.BadParameter(f"{folder} is the system itself, whose /work and /package would be removed")
        self.folder = folder

    @classmethod
    def made(cls, folder: Path, packages: Sequence[str] = (), options: Sequence[str] = ()) -> Root:
        """Make a Debian 12 with Python and these packages. Raises typer.BadParameter.

        options  of debootstrap, such as --arch=arm64, whose programs qemu-user-static runs
        """
        if shutil.which("debootstrap") is None:
            raise typer.BadParameter("debootstrap is missing: install it, or name a root that is there")
        words = [DEBOOTSTRAP[0], *options, *DEBOOTSTRAP[1:], str(folder)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
            raise typer.BadParameter(f"{shlex.join(words)} failed: {said}")
        root = cls(folder)
        if packages:  # debootstrap itself cannot put all of them into order
            for file in ("etc/resolv.conf", *(str(one)[1:] for one in Path("/etc/apt/apt.conf.d").iterdir())):
                shutil.copy(Path("/", file), folder / file)
            get = "DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends"
            done = root.run(f"apt-get -qq update && {get} install {' '.join(packages)}", _BUILD_LIMIT_S)
            if done.returncode:
                raise typer.BadParameter(f"apt-get failed in the root: {done.stderr.strip().splitlines()[-1]}")
        return root

    def run(self, command: str, limit_s: float = LIMIT_S) -> subprocess.CompletedProcess[str]:
        """Run a line of the shell in /work, with the package's commands first in PATH."""
        path = "PATH=/package/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        # Debian's Python would name the compiler otherwise than CMake does.
        environment = [path, "HOME=/work", "LANG=C.UTF-8", "CC=cc", "CXX=c++", *_RANKS_OF_ROOT]
        words = ["chroot", str(self.folder), "/usr/bin/env", "-i", *environment, "/bin/sh", "-c"]
        return _ended([*words, f"mkdir -p /work && cd /work && {command}"], limit_s)

    def has(self, names: Sequence[str]) -> list[str]:
        """Return those of some programs that are there."""
        return self.run(f"for name in {' '.join(names)}; do command -v $name; done").stdout.split()

    def install(self, wheel: Path, extras: str, sdist: Path | None = None) -> None:
        """Install a wheel into an empty /package, and empty /work. Raises typer.BadParameter.

        What it depends on is downloaded outside of the root, which needs no network.

        sdist  a source distribution of the same, which is compiled and installed instead
        """
        asked = "import platform, sys; print('%d.%d' % sys.version_info[:2], platform.machine())"
        version, _, machine = self.run(f"python3 -c {shlex.quote(asked)}").stdout.strip().partition(" ")
        here = "{}.{}".format(*sys.version_info[:2])
        if version != here:
            raise typer.BadParameter(f"the root has Python {version or 'not at all'}, expected {here}, as here")
        store = self.folder / "wheels"
        shutil.rmtree(store, ignore_errors=True)
        needs = [f"{wheel}[{extras}]", *([] if sdist is None else _backend())]
        # The root's processor may be another one, which an emulator is.
        environment = {**os.environ, "_PYTHON_HOST_PLATFORM": f"linux-{machine}"}
        words = [sys.executable, *_PIP, "download", "--only-binary=:all:", "-d", str(store), *needs]
        subprocess.run(words, check=True, env=environment)
        if sdist is not None:
            shutil.copy(sdist, store)
        done = self.run(
            "rm -rf /package && find /work -mindepth 1 -delete && python3 -m venv /package && /package/bin/pip install "
            f"--quiet --no-index --find-links /wheels '/wheels/{(sdist or wheel).name}[{extras}]'",
            limit_s=_BUILD_LIMIT_S,
        )
        if done.returncode:
            said = done.stderr.strip()
            raise typer.BadParameter(f"{(sdist or wheel).name} cannot be installed in the root: {said}")

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Let its programs see processes and share memory meanwhile."""
        (self.folder / "dev" / "shm").mkdir(parents=True, exist_ok=True)
        done: list[str] = []
        try:
            for kind, name in (("proc", "proc"), ("tmpfs", "dev/shm")):
                place = str(self.folder / name)
                subprocess.run(["mount", "-t", kind, kind, place], check=True)
                done.append(place)
            yield
        finally:
            for place in reversed(done):
                subprocess.run(["umount", place], check=False)


class Image(Root):
    """An image of packages/Containerfile. Each command is a container's of its own; they share /work and /state."""

    def __init__(self, folder: Path, name: str, engine: str) -> None:
        """Share what is in a folder.

        engine  what runs containers: podman or docker, with its options
        """
        super().__init__(folder)
        self.words = [*shlex.split(engine), "run", "--rm"]
        for shared in ("work", "state"):
            (folder / shared).mkdir(parents=True, exist_ok=True)
            self.words.append(f"--volume={(folder / shared).resolve()}:/{shared}")
        self.name = name

    def run(self, command: str, limit_s: float = LIMIT_S) -> subprocess.CompletedProcess[str]:
        """Run a command of the image, by its entry point where that can be, otherwise a line of the shell."""
        words = shlex.split(command)
        if words[0] == "rooftop" and "$" not in command:
            return _ended([*self.words, self.name, *words[1:]], limit_s)
        return _ended([*self.words, "--entrypoint=/bin/sh", self.name, "-c", command], limit_s)

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """Nothing is left to do: the engine mounts what a container needs."""
        yield
