"""Cache of the probes' figures, one file per machine id."""

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
    """Figures of one probe, and for what they are valid."""

    executable: str  # digest of the probe's file: a changed probe is run again
    quick: bool
    threads: int
    measured: str  # ISO 8601, UTC
    roofs: list[Roof] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    failed: bool = False

    def answers(self, executable: str, quick: bool, threads: int) -> bool:
        """Return whether this record makes a run unnecessary. A full run also covers a quick one, a failed run none."""
        return (
            not self.failed and self.executable == executable and self.threads == threads and (quick or not self.quick)
        )


class ProbeCache(Document):
    """Records of all probes of one machine, by "NAME THREADS"."""

    schema_: Literal["rooftop/probe-cache/1"] = Field("rooftop/probe-cache/1", alias="schema")
    machine: str
    probes: dict[str, ProbeRecord] = Field(default_factory=dict)


def record_key(probe: str, threads: int) -> str:
    return f"{probe} {threads}"


def digest(executable: Path) -> str:
    """Return a digest of the probe's file; empty if it cannot be read."""
    try:
        return hashlib.sha256(executable.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def cache_file(home: Path, machine_id: str) -> Path:
    return home / "probe" / f"{machine_id}.json"


def load(file: Path, machine_id: str) -> tuple[ProbeCache, str | None]:
    """Return the cache, and a message if the file could not be used (the cache is then empty)."""
    empty = ProbeCache(schema="rooftop/probe-cache/1", machine=machine_id)
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return empty, None
    except OSError as error:
        return empty, f"{file} cannot be read ({error.strerror}): measuring again"
    try:
        cache = ProbeCache.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        return empty, f"{file} is damaged or of another version ({where}: {first['msg']}): measuring again"
    if cache.machine != machine_id:
        return empty, f"{file} is about machine {cache.machine}, expected {machine_id}: measuring again"
    return cache, None


def save(file: Path, cache: ProbeCache) -> str | None:
    """Replace the cache's file atomically. Return a message if it cannot be written."""
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
        return f"{file} cannot be written ({error.strerror}): the figures are not cached"
    return None
