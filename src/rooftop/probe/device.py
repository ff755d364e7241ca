"""Read and write rates of a file system: measured in one of its folders, and cached by file system."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from pathlib import Path

import rooftop
from rooftop.documents import DeviceDocument, FileSystemFacts, Roof
from rooftop.errors import Misuse
from rooftop.machine import cores_now, identity
from rooftop.machine.file_system import FileSystem, existing_folder, file_system_of
from rooftop.probe.cache import load
from rooftop.probe.launch import find_probes, probes_folder, run_probe
from rooftop.probe.lines import best
from rooftop.probe.measure import Progress, Question, Say, answered, detailed, silent, threads_of, unsaid
from rooftop.settings import Settings

FOLDER = "probes/file_systems"
BRIEF_LIMIT_S = 15.0  # more than the probe plans for: a device may be slow to write back
_DETAIL = "file_system"  # in a roof's detail: the name of the file system


def _key(machine_id: str, found: FileSystem) -> str:
    return f"{machine_id}-{hashlib.sha256(found.name.encode()).hexdigest()[:16]}"


def device_document(
    path: Path,
    quick: bool = False,
    threads: int | None = None,
    refresh: bool = False,
    progress: Progress = silent,
    say: Say = unsaid,
) -> DeviceDocument:
    """Return the figures of the file system of a path, from the cache where it has them.

    path      a folder in which a file can be created, or a file in such a folder
    quick     use a smaller file and fewer samples: about 6 s instead of 20 s
    threads   highest number of threads; None: one per usable core
    refresh   measure even if the figures are cached
    progress  called before the probe runs
    say       called with a line for the user, such as that the cache is damaged

    Raises Misuse if the path does not exist or is neither a folder nor a regular file, and for threads under 1.
    """
    if not path.exists():
        raise Misuse(f"{path}: no such folder; expected a folder on the file system to measure")
    if not (path.is_dir() or path.is_file()):
        raise Misuse(f"{path} is neither a folder nor a regular file; expected a folder on the file system to measure")
    folder, found, known, settings = existing_folder(path), file_system_of(path), identity(), Settings()
    asked = Question(
        probes_folder(settings.build_folder, FOLDER),
        _key(known.id, found),
        quick,
        threads_of(threads, known.cores),
        ("--folder", str(folder)),
        {_DETAIL: found.name},
    )
    figures, measured, cached = answered(asked, settings.home_folder, refresh, progress, say)
    return DeviceDocument(
        schema="rooftop/probe-device/1",
        rooftop=rooftop.__version__,
        measured=measured,
        cached=cached,
        machine=known.id,
        folder=str(folder),
        file_system=FileSystemFacts(name=found.name, kind=found.kind, **asdict(found)),
        roofs=best(figures.roofs),
        missing=figures.missing,
    )


def refresh_device_roofs(folder: Path, threads: int) -> list[Roof]:
    """Measure cold reads from a folder's file system with ``threads`` threads in about 3 s. Failures are left out.

    For use during a campaign, since the speed of devices changes within minutes.
    """
    asked = ["--brief", "--folder", str(existing_folder(folder)), "--threads", str(threads_of(threads, cores_now()))]
    roofs = [
        roof
        for probe in find_probes(probes_folder(Settings().build_folder, FOLDER))
        for roof in run_probe(probe, asked, BRIEF_LIMIT_S).roofs
    ]
    return detailed(best(roofs), {_DETAIL: file_system_of(folder).name})


def known_device_roofs(machine_id: str) -> list[Roof]:
    """Return the cached roofs of all file systems that were measured on a machine."""
    files = sorted((Settings().home_folder / "probe").glob(f"{machine_id}-*.json"))
    caches = [load(file, file.stem)[0] for file in files]
    return best(*(record.roofs for cache in caches for record in cache.probes.values()))
