"""What changes of a platform gain for a recording: replays of it on the changed platform.

A recorded program's work is in seconds, in which flops and memory are not apart. A node that is twice as fast halves
them, and a change of the one or the other alone is refused.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rooftop.errors import Misuse
from rooftop.simulate.document import ChangeRow
from rooftop.simulate.layout import Layout
from rooftop.simulate.recording import Operation
from rooftop.simulate.replay import replay
from rooftop.simulate.what_if import Change, alone_and_together


def changed(
    path: Path, layout: Layout, algorithms: Mapping[str, str], changes: Sequence[Change], base_s: float
) -> list[ChangeRow]:
    """Return what each change gains alone, and all of them together. Raises Misuse."""
    found = []
    with tempfile.TemporaryDirectory(prefix="rooftop-what-if-") as folder:
        faster = Path(folder) / "faster.jsonl"
        for one in changes:
            if one.name == "node":
                _write(path, faster, one.factor)
            elif one.name in ("compute", "memory") and _in_seconds(path):
                told = f"--what-if {one.text}: work of {path} is in seconds, not in flops and bytes"
                raise Misuse(f"{told}; expected a change of node")
        for text, some in alone_and_together(changes):
            platform, chosen = layout.platform, dict(algorithms)
            for one in some:
                platform, chosen = one.platform(platform), one.algorithms(chosen)
            played = faster if any(one.name == "node" for one in some) else path
            taken_s = replay(played, replace(layout, platform=platform), chosen).seconds
            gain = base_s / taken_s if taken_s else 1.0
            found.append(ChangeRow(change=text, ranks=layout.ranks, seconds=taken_s, gain=gain))
    return found


def _in_seconds(path: Path) -> bool:
    """Return whether any work of a recording is in seconds."""

    def has(body: Sequence[Operation]) -> bool:
        return any(one.get("seconds", 0) > 0 or has(one.get("body", ())) for one in body)

    with path.open(encoding="utf-8") as file:
        return any(has(json.loads(line).get("body", ())) for line in file)


def _write(path: Path, to: Path, factor: float) -> None:
    """Write a recording whose work in seconds is done so many times as fast."""

    def faster(body: Sequence[Operation]) -> list[Operation]:
        found = []
        for one in body:
            made: dict[str, Any] = dict(one)
            if "seconds" in one:
                made["seconds"] = one["seconds"] / factor
            if "body" in one:
                made["body"] = faster(one["body"])
            found.append(made)
        return found

    with path.open(encoding="utf-8") as file, to.open("w", encoding="utf-8") as changed_file:
        for line in file:
            content = json.loads(line)
            if "body" in content:
                content["body"] = faster(content["body"])
            changed_file.write(json.dumps(content) + "\n")
