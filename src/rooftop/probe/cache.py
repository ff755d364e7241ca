"""Keeps what the probes found, per machine id, and gives it back as long as it still holds."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from rooftop.documents import Roof
from rooftop.files.document import Document


class ProbeRecord(Document):
    """One probe's figures, and what they hold for."""

    executable: str  # digest of the probe's file: a changed probe measures anew
    quick: bool
    threads: int
    measured: str  # ISO 8601, UTC
    roofs: list[Roof] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    failed: bool = False

    def answers(self, executable: str, quick: bool, threads: int) -> bool:
        """Return whether this record makes a run of the probe needless.

        A full run also answers for a quick one; a failed run answers for nothing.
        """
        return (
            not self.failed and self.executable == executable and self.threads == threads and (quick or not self.quick)
        )


class ProbeCache(Document):
    """All probes of one machine, under "NAME THREADS"."""

    schema_: Literal["rooftop/probe-cache/1"] = Field("rooftop/probe-cache/1", alias="schema")
    machine: str
    probes: dict[str, ProbeRecord] = Field(default_factory=dict)


def record_key(probe: str, threads: int) -> str:
    """Return the key of a probe's record."""
    return f"{probe} {threads}"


def digest(executable: Path) -> str:
    """Return what tells one build of a probe from another; empty where the file cannot be read."""
    try:
        return hashlib.sha256(executable.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def cache_file(home: Path, machine_id: str) -> Path:
    """Return where a machine's figures are kept."""
    return home / "probe" / f"{machine_id}.json"


def load(file: Path, machine_id: str) -> tuple[ProbeCache, str | None]:
    """Return the cache and, where it could not be used, the line that says why."""
    empty = ProbeCache(schema="rooftop/probe-cache/1", machine=machine_id)
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return empty, None
    except OSError as error:
        return empty, f"{file} cannot be read ({error.strerror}): the machine is measured anew"
    try:
        cache = ProbeCache.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        return empty, f"{file} is damaged or of another version ({where}: {first['msg']}): the machine is measured anew"
    if cache.machine != machine_id:
        return empty, f"{file} is about machine {cache.machine}, expected {machine_id}: the machine is measured anew"
    return cache, None


def save(file: Path, cache: ProbeCache) -> str | None:
    """Write the cache so that a reader sees the old one or the new one; the line that says why where it could not."""
    text = cache.model_dump_json(by_alias=True, indent=1) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).replace(file)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        return f"{file} cannot be written ({error.strerror}): the figures are not kept"
    return None
