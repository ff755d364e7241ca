"""What fuzzers were fed: by calls on this machine, and by earlier ones elsewhere, of which the committed page tells."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".rooftop" / "fuzzing"
PAGE = ROOT / "docs" / "results" / "fuzzing.md"
_ROW = re.compile(r"^\| `(?P<fuzzer>[^`]+)` \|(?P<cells>.*)\|$", re.MULTILINE)
_PROCESSORS = re.compile(r"^Written by .* One core each of: (.*)\.$", re.MULTILINE)


@dataclass(frozen=True)
class Run:
    """What one process of a fuzzer did.

    inputs     fed
    seconds    of the process
    kept       inputs in its folder afterwards
    finding    the file with the input that ended it, or ""
    processor  that it ran on
    broken     inputs at which a library that is not Rooftop's crashed or hung
    earlier    whether it is from the committed page
    """

    fuzzer: str
    inputs: int
    seconds: float
    kept: int
    finding: str
    processor: str = ""
    broken: int = 0
    earlier: bool = False


def _number(cell: str) -> int:
    digits = cell.replace(" ", "")
    return int(digits) if digits.isdigit() else 0


def runs_of_page(text: str) -> list[Run]:
    """Return runs that add up to a page's table, and name its processors."""
    found: list[Run] = []
    for row in _ROW.finditer(text):
        cells = [*row["cells"].split("|"), ""]
        inputs, seconds, kept, findings, broken = map(_number, cells[:5])
        told = "earlier" if findings else ""
        found.append(Run(row["fuzzer"], inputs, float(seconds), kept, told, "", broken, earlier=True))
        found += [Run(row["fuzzer"], 0, 0.0, kept, told, earlier=True)] * (findings - 1)
    named = _PROCESSORS.search(text)
    # Each name once: which run was on which processor is not on the page.
    processors = [named[1], *[""] * len(found)] if named else [""] * len(found)
    return [replace(run, processor=name) for run, name in zip(found, processors, strict=False)]


def _committed_page() -> str:
    """Return the page as the last commit has it; "" outside a repository."""
    name = PAGE.relative_to(ROOT).as_posix()
    shown = subprocess.run(
        ["git", "-C", str(ROOT), "show", f"HEAD:{name}"], capture_output=True, text=True, check=False
    )
    return shown.stdout if shown.returncode == 0 else ""


def _of_lines(lines: Sequence[str]) -> list[Run]:
    return [Run(**json.loads(line)) for line in lines]


def _text(runs: Sequence[Run]) -> str:
    return "".join(json.dumps(asdict(run)) + "\n" for run in runs)


def read_runs() -> list[Run]:
    """Return all runs. What the committed page tells is taken in once: on a machine's first call."""
    file = KEPT / "runs.jsonl"
    runs = _of_lines(file.read_text(encoding="utf-8").splitlines()) if file.exists() else []
    if not any(run.earlier for run in runs) and (earlier := runs_of_page(_committed_page())):
        runs = [*earlier, *runs]
        KEPT.mkdir(parents=True, exist_ok=True)
        file.write_text(_text(runs), encoding="utf-8")
    return runs


def keep_run(run: Run) -> None:
    """Add a run to those that are kept."""
    read_runs()
    with (KEPT / "runs.jsonl").open("a", encoding="utf-8") as file:
        file.write(_text([run]))
