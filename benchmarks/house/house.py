"""Measure how fast the commands start and how long the source is, in two trees: `house.py`. See README.md."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import tempfile
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from same_code import compare_rungs

from rooftop.files.atomic import write_whole
from rooftop.gate.document import GateDocument
from rooftop.machine.identity import cores_now
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "house.md"
ROUNDS = 15
EXPERIMENTS = ("winograd", "ft", "ant_colony")  # that the earlier revision has, too
ASKED_CPU_S = {"`rooftop --help`": 0.25, "`rooftop compare`, to its first run": 0.6}
ASKED_FEWER_LINES = 1500
_LEFT_OUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.ENCODING,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def command(tree: Path) -> list[str]:
    """Return how a tree's bench is started."""
    return [str(tree / ".venv/bin/python"), "-m", "rooftop"]


def environment(tree: Path) -> Mapping[str, str]:
    """Return the environment in which a tree's own bench is imported."""
    return os.environ | {"PYTHONPATH": str(tree / "src")}


def help_s(tree: Path, _: Path) -> float:
    """Return the CPU seconds of printing the help."""
    with subprocess.Popen([*command(tree), "--help"], env=environment(tree), stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"rooftop --help failed in {tree} with exit code {process.returncode}")
    return used.ru_utime + used.ru_stime


def first_run_s(tree: Path, folder: Path) -> float:
    """Return the CPU seconds of a comparison's process until it first runs what it was given."""
    seen = folder / "stat"
    seen.unlink(missing_ok=True)
    # A comparison's child may be a process between: the bench is the nearest ancestor that is this Python.
    script = folder / "look"
    script.write_text(
        "#!/bin/sh\n"
        f"[ -e {shlex.quote(str(seen))} ] && exit\n"
        "at=$PPID\n"
        'while [ "$at" -gt 1 ] && ! tr "\\0" " " < /proc/$at/cmdline | grep -q -- "-m rooftop compare"; do\n'
        "  at=$(cut -d ' ' -f 4 /proc/$at/stat)\n"
        "done\n"
        f"cat /proc/$at/stat > {shlex.quote(str(seen))}\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    words = [*command(tree), "compare", "--max-pairs", "6", "--budget", "2s", str(script), "true"]
    subprocess.run(words, env=environment(tree), capture_output=True, check=False)
    if not seen.is_file() or not (fields := seen.read_text().rpartition(")")[2].split()):
        raise SystemExit(f"{shlex.join(words)} ran nothing in {tree}: try it by hand")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def code_lines(tree: Path) -> int:
    """Return the number of lines of the bench's source without comments, blank lines and the solvers' commands."""
    folder = tree / "src" / "rooftop"
    files = [
        file
        for file in folder.rglob("*.py")
        if file.relative_to(folder).parts[0] not in ("solve", "solvers", "reference")
    ]
    return sum(len(set(_code(file))) for file in files)


def _code(file: Path) -> Iterator[int]:
    lines = file.read_text(encoding="utf-8").splitlines()
    with file.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type not in _LEFT_OUT:
                yield from (line for line in range(token.start[0], token.end[0] + 1) if lines[line - 1].strip())


def starts(trees: Mapping[str, Path], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the CPU seconds of each start, trees in turns: by what is started, then by tree."""
    measured: tuple[Callable[[Path, Path], float], ...] = (help_s, first_run_s)
    found: dict[str, dict[str, list[float]]] = {what: {label: [] for label in trees} for what in ASKED_CPU_S}
    with tempfile.TemporaryDirectory(prefix="rooftop-house-") as name:
        for turn in range(rounds + 1):
            for what, measure in zip(ASKED_CPU_S, measured, strict=True):
                for label, tree in trees.items():
                    seconds = measure(tree, Path(name))
                    if turn:  # the first compiles modules and fills caches
                        found[what][label].append(seconds)
    return found


def start_rows(found: Mapping[str, Mapping[str, Sequence[float]]]) -> list[str]:
    """Return the table of starts."""
    lines = ["| start | asked, CPU s | before | after | after / before |", "|---|---|---|---|---|"]
    for what, by_tree in found.items():
        cells = [f"{median(s):.2f} ({min(s):.2f} to {max(s):.2f})" for s in by_tree.values()]
        paired = median(after / before for before, after in zip(*by_tree.values(), strict=True))
        lines.append(f"| {what} | {ASKED_CPU_S[what]:.2f} | {' | '.join(cells)} | {paired:.2f} |")
    return lines


def gate_rows(documents: Sequence[GateDocument]) -> list[str]:
    """Return the table of rungs before and after, from the gates' documents."""
    lines = ["| rung | speed after / before | pairs | A/A noise floor | outcome |", "|---|---|---|---|---|"]
    for document in documents:
        for one in document.benchmarks:
            cells = [one.name, "–", "–", "–", one.outcome]
            if (look := one.shown) is not None:
                cells[1:3] = [f"{look.ratio:.3f} [{look.lo:.3f}, {look.hi:.3f}]", str(look.pairs)]
                cells[3] = "–" if look.floor is None else f"{look.floor:.1%}"
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def code_rows(trees: Mapping[str, Path]) -> list[str]:
    """Return the table of rungs whose instructions are those of before."""
    lines = ["| experiment | rungs | with the instructions of before | others |", "|---|---|---|---|"]
    for experiment in EXPERIMENTS:
        found = compare_rungs(trees["before"], trees["after"], experiment)
        others = ", ".join(f"{rung} (new)" if same is None else rung for rung, same in found.items() if not same)
        lines.append(f"| {experiment} | {len(found)} | {sum(map(bool, found.values()))} | {others or '–'} |")
    return lines


def page(
    found: Mapping[str, Mapping[str, Sequence[float]]],
    lines: Mapping[str, int],
    code: Sequence[str],
    gates: Sequence[GateDocument],
    date: str,
) -> str:
    """Return the page in Markdown."""
    fewer = lines["before"] - lines["after"]
    told = f"{fewer} fewer" if fewer >= 0 else f"{-fewer} more"
    text = [
        "# What the bench itself costs",
        "",
        f"Written by `benchmarks/house/house.py` on {date}. {processor(SystemFiles()).name}, {cores_now()} cores.",
        "*Before* is revision a9ea123. Starts are medians, with the least and the most, and of ratios in one turn.",
        "",
        *start_rows(found),
        "",
        "| `src/rooftop` without solvers | asked | before | after | |",
        "|---|---|---|---|---|",
        f"| lines | {ASKED_FEWER_LINES} fewer | {lines['before']} | {lines['after']} | {told} |",
        "",
        *code,
        "",
    ]
    return "\n".join([*text, *(gate_rows(gates) if gates else []), ""])


def main() -> int:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description="Measure starts and source in two trees; write docs/results/house.md.")
    parser.add_argument("--before", type=Path, required=True, help="a checkout of the earlier revision, ready to run")
    parser.add_argument("--gate", type=Path, action="append", default=[], help="JSON of `rooftop gate BEFORE HEAD`")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each start is measured")
    options = parser.parse_args()
    trees = {"before": options.before.resolve(), "after": ROOT}
    gates = [GateDocument.model_validate_json(file.read_bytes()) for file in options.gate]
    lines = {label: code_lines(tree) for label, tree in trees.items()}
    code = code_rows(trees)
    write_whole(PAGE, page(starts(trees, options.rounds), lines, code, gates, datetime.now(UTC).date().isoformat()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
