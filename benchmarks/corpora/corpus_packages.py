"""Source packages and wheels, fetched by name and unpacked into a cache folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".rooftop" / "corpora"
_APT_SOURCES = Path("/etc/apt")
_DOWNLOAD_S = 900
_FAILURE_HOLDS_S = 3600  # a package that could not be had is asked for again after that


@dataclass(frozen=True)
class Packages:
    """What a part takes its inputs from, by the packages' names.

    sdists  source packages of Python's index
    wheels  the same index's wheels for this machine
    debian  source packages of Debian
    binary  packages of Debian as they are installed, for those whose sources are not to be had
    """

    sdists: Sequence[str] = ()
    wheels: Sequence[str] = ()
    debian: Sequence[str] = ()
    binary: Sequence[str] = ()


@dataclass(frozen=True)
class Fetched:
    """A package that was unpacked.

    kind     "sdist", "wheel", "debian" or "binary"
    version  as its files are called
    folder   with its files; None where it could not be had
    reason   why not
    """

    kind: str
    name: str
    version: str
    folder: Path | None
    reason: str = ""


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stderr or done.stdout).splitlines()]
    told = [line for line in lines if line.upper().startswith(("E:", "ERROR", "×"))] or lines
    return told[-1] if told else f"exit code {done.returncode}"


def _run(words: Sequence[str], folder: Path) -> str:
    """Return "" or why a download failed."""
    # pip asks a source package for its name, and some build all that they have for an answer, which nobody uses.
    env = {**os.environ, "CFLAGS": "-O0 -g0", "CXXFLAGS": "-O0 -g0"}
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_DOWNLOAD_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not there after {_DOWNLOAD_S} s"
    except OSError as error:
        return str(error)
    return _last_line(done) if done.returncode else ""


def _from_index(kind: str, name: str, into: Path) -> str:
    only = ["--no-binary" if kind == "sdist" else "--only-binary", name]
    return _run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *only, "-d", str(into), name], into)


def deb_src_lists(folder: Path) -> str:
    """Return the machine's own lists of packages as lists of source packages, in the form of apt's .sources files.

    `folder` is /etc/apt, or one like it.
    """
    found = []
    for file in sorted(folder.glob("sources.list.d/*.sources")):
        for paragraph in re.split(r"\n\s*\n", file.read_text(encoding="utf-8")):
            lines = [line for line in paragraph.splitlines() if line.strip() and not line.startswith("#")]
            if any(re.fullmatch(r"Types:.*\bdeb\b(?!-).*", line) for line in lines):
                lines = ["Types: deb-src" if line.startswith("Types:") else line for line in lines]
                found.append("\n".join(lines))
    files = [folder / "sources.list", *sorted(folder.glob("sources.list.d/*.list"))]
    for line in (line for file in files if file.exists() for line in file.read_text(encoding="utf-8").splitlines()):
        match = re.fullmatch(r"deb\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)\s+(?P<parts>.+)", line)
        if match is not None:
            signed = re.search(r"signed-by=(\S+)", match["options"] or "")
            key = f"\nSigned-By: {signed[1]}" if signed else ""
            found.append(
                f"Types: deb-src\nURIs: {match['uri']}\nSuites: {match['suite']}\nComponents: {match['parts']}{key}"
            )
    return "\n\n".join(found) + "\n"


def _from_debian(name: str, into: Path) -> str:
    """Fetch a source package with lists of apt that are this cache's own, so that the system's stay as they are."""
    apt = CACHE / "apt"
    for part in ("lists/partial", "cache/archives/partial", "sources.list.d"):
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "sources.list.d" / "sources.sources").write_text(deb_src_lists(_APT_SOURCES), encoding="utf-8")
    own = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": apt / "sources.list.d",
        "Dir::State::lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "APT::Sandbox::User": "root",
    }
    command = ["apt-get", "-q", *(word for key, value in own.items() for word in ("-o", f"{key}={value}"))]
    # An index that cannot be had does not matter, as long as the package is in another one.
    _run([*command, "update"], into)
    return _run([*command, "--download-only", "source", name], into)


def _unpack(archive: Path, into: Path) -> None:
    if archive.suffix == ".deb":
        into.mkdir(exist_ok=True)
        subprocess.run(["dpkg", "--extract", str(archive), str(into)], check=True)
        return
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as file:
            file.extractall(into)
        return
    with tarfile.open(archive) as file:
        file.extractall(into, filter="data")


def _archives(folder: Path) -> list[Path]:
    return [
        file for file in sorted(folder.glob("*")) if file.name.endswith((".whl", ".zip", ".tar.gz", ".tar.xz", ".deb"))
    ]


def _version(kind: str, archives: Sequence[Path]) -> str:
    """Return what the archive's name tells: name-VERSION.tar.gz, name-VERSION-tags.whl, name_VERSION.orig.tar.gz."""
    name = archives[0].name
    of_debian = r"[^_]+_(.+?)(?:\.orig|\.debian|_[a-z0-9]+)?\.(?:tar|deb)"
    pattern = of_debian if kind in ("debian", "binary") else r".+?-(\d[^-]*?)(?:-.*\.whl|\.tar|\.zip)"
    match = re.match(pattern, name)
    return match[1] if match else name


def _from(kind: str, name: str, into: Path) -> str:
    if kind == "debian":
        return _from_debian(name, into)
    if kind == "binary":
        return _run(["apt-get", "-q", "download", name], into)
    return _from_index(kind, name, into)


def fetched(kind: str, name: str) -> Fetched:
    """Return a package from the cache, or fetch it. A failure holds for an hour.

    kind  "sdist", "wheel", "debian" or "binary"
    """
    place = CACHE / "packages" / kind / name
    folder, failure = place / "files", place / "failure.txt"
    if failure.exists() and time.time() - failure.stat().st_mtime < _FAILURE_HOLDS_S:
        return Fetched(kind, name, "", None, failure.read_text(encoding="utf-8"))
    if not folder.exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        reason = _from(kind, name, place)
        archives = _archives(place)
        if reason or not archives:
            failure.write_text(reason or "it has no archive", encoding="utf-8")
            return Fetched(kind, name, "", None, reason or "it has no archive")
        partial = place / "partial"
        for archive in archives:
            _unpack(archive, partial)
        partial.replace(folder)
    return Fetched(kind, name, _version(kind, _archives(place)), folder)


def all_fetched(packages: Packages) -> list[Fetched]:
    """Return all of a part's packages, fetched or with the reason why not."""
    wanted = [(kind, name) for kind in _FIELDS for name in getattr(packages, _FIELDS[kind])]
    return [fetched(kind, name) for kind, name in wanted]


_FIELDS = {"sdist": "sdists", "wheel": "wheels", "debian": "debian", "binary": "binary"}
