"""Run one benchmark, or list all: `python benchmarks [NAME [OPTIONS]]`. To add one, see CONTRIBUTING.md."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import typer

from rooftop.text.nearest import nearest

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Benchmark:
    """A module of a folder of benchmarks that defines `main`.

    page     the file that it writes in docs/results, by its `PAGE`; empty where it has none
    summary  the first line of its docstring
    """

    module: str
    page: str
    summary: str


def read(file: Path) -> Benchmark | None:
    """Return the benchmark of a file, without importing it; None where it defines no `main`."""
    tree = ast.parse(file.read_bytes())
    if not any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body):
        return None
    pages = [
        constant.value
        for node in tree.body
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "PAGE" for to in node.targets)
        for constant in ast.walk(node.value)
        if isinstance(constant, ast.Constant) and str(constant.value).endswith(".md")
    ]
    summary = (ast.get_docstring(tree) or "").partition("\n")[0]
    return Benchmark(f"benchmarks.{file.parent.name}.{file.stem}", str(pages[-1]) if pages else "", summary)


def find(folder: Path = HERE) -> dict[str, Benchmark]:
    """Return the benchmarks in the folders of a folder, by name. Raises ValueError where two have the same."""
    found: dict[str, Benchmark] = {}
    for file in sorted(folder.glob("[!_]*/*.py")):
        if (one := read(file)) is not None:
            if file.stem in found:
                raise ValueError(f"{found[file.stem].module} and {one.module} have the same name: rename one")
            found[file.stem] = one
    return found


def show(found: dict[str, Benchmark]) -> None:
    """Print the name, page and summary of each."""
    names, pages = max(map(len, found)), max(len(one.page) for one in found.values())
    for name, one in found.items():
        print(f"{name:{names}}  {one.page:{pages}}  {one.summary}".rstrip())


def run(name: str, one: Benchmark, words: Sequence[str]) -> None:
    """Run a benchmark with the words of its command line, and leave with its exit code."""
    main = importlib.import_module(one.module).main

    @wraps(main)
    def with_exit_code(*args: object, **options: object) -> None:
        raise typer.Exit(main(*args, **options) or 0)

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(with_exit_code)
    app(list(words), prog_name=f"python benchmarks {name}")


def start(words: Sequence[str]) -> int:
    """List all benchmarks or run one. Exit code 2 where there is none of that name."""
    found = find()
    if not words or words[0] in ("--list", "--help", "-h"):
        print("python benchmarks NAME [OPTIONS]; python benchmarks NAME --help lists its options.\n")
        show(found)
        return 0
    name, *rest = words
    if name not in found:
        told = nearest(name, found, "python benchmarks --list")
        print(f"benchmarks: there is no benchmark {name!r}; {told}", file=sys.stderr)
        return 2
    run(name, found[name], rest)
    return 0


if __name__ == "__main__":
    sys.path[:1] = [str(HERE.parent)]
    sys.exit(start(sys.argv[1:]))
