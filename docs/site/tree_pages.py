"""Add the tree's pages to MkDocs: those of docs/, and the READMEs beside the sources, each with its place in the menu.

A page keeps its path from the root, by which the others link to it. Pages of `docs` lose that folder in the site. The
reference has a page for each solver, and for each module named in MODULES; what these say comes from docstrings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "*.md",
    "LICENSE",
    "docs/**/*.md",
    "docs/**/*.png",
    "docs/site/*.css",
    "solvers/[!_]*/README.md",
    "experiments/*/README.md",
    "experiments/labs/*/README.md",
    "benchmarks/*/README.md",
)
# What people write against, besides the solvers.
MODULES = {
    "rooftop.ladder.experiment": "Experiments",
    "rooftop.launchers.launcher": "Launchers",
    "rooftop.errors": "Errors",
}


def _place(path: Path) -> str:
    """Return where a file of the tree lies in the site."""
    own = path.relative_to("docs") if path.parts[0] == "docs" else path
    if own.suffix == ".md":
        return own.with_name("index.html" if own.stem == "README" else f"{own.stem}.html").as_posix()
    return own.as_posix() if own.suffix else f"{own}.txt"


def tree_files() -> list[Path]:
    """Return what the site has of the tree, from the root."""
    return sorted({path.relative_to(ROOT) for form in PAGES for path in ROOT.glob(form) if path.is_file()})


def _summary(folder: Path) -> str:
    """Return the first sentence of a package's docstring, or of a module's."""
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def reference() -> Iterator[tuple[str, str, str]]:
    """Yield page, title and text for each module of the reference."""
    solvers = sorted(file.parent.name for file in ROOT.glob("solvers/[!_]*/command.py"))
    solvers += [file.parent.name for file in ROOT.glob("solvers/[!_]*/tool.py") if file.parent.name not in solvers]
    named = [(f"rooftop.solvers.{name}", f"rooftop.solvers.{name}") for name in solvers]
    for module, title in [*named, *MODULES.items()]:
        page = f"docs/reference/{module.removeprefix('rooftop.').replace('.', '-')}.md"
        yield page, title, f"# {title}\n\n`import {module}`\n\n::: {module}\n"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace what MkDocs found in docs/ by the files of the tree and the pages of the reference."""
    theirs = [file for file in files if file.src_dir != config.docs_dir]  # the theme's
    made = [File(path.as_posix(), str(ROOT), config.site_dir, False, dest_uri=_place(path)) for path in tree_files()]
    lines = [
        "# Reference",
        "",
        "From the docstrings of what programs import.",
        "",
        "| module | what it has |",
        "|---|---|",
    ]
    for page, title, text in reference():
        made.append(File.generated(config, page, content=text))
        made[-1].dest_uri = _place(Path(page))
        module = text.split("`import ")[1].split("`")[0]
        lines.append(f"| [{title}]({Path(page).name}) | {_summary(ROOT / 'src' / module.replace('.', '/'))} |")
    made.append(File.generated(config, "docs/reference/README.md", content="\n".join(lines) + "\n"))
    made[-1].dest_uri = "reference/index.html"
    return Files([*theirs, *made])


def _below(folder: str, but: str = "README.md") -> list[Any]:
    """Return the menu's entries for the pages of a folder, its README first."""
    pages = sorted(
        path.as_posix() for path in tree_files() if path.parent.as_posix() == folder and path.suffix == ".md"
    )
    first = f"{folder}/{but}"
    return [*([first] if first in pages else []), *(page for page in pages if page != first)]


def _readmes(form: str) -> list[dict[str, str]]:
    """Return entries, each named after its folder, for READMEs."""
    pages = [path for path in tree_files() if path.match(form)]
    return [{path.parent.name: path.as_posix()} for path in pages]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the menu: what there is, folder by folder."""
    pages = [page for page, _, _ in reference()]
    config.nav = [
        {"Home": ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/measuring.md"]},
        {"Guide": [*_below("docs/guide"), {"Studies": _below("docs/guide/studies")}]},
        {"Reference": ["docs/reference/README.md", *pages]},
        {"Solvers": _readmes("solvers/*/README.md")},
        {
            "Experiments": [
                *_readmes("experiments/*/README.md"),
                {"Labs": _readmes("experiments/labs/*/README.md")},
            ]
        },
        {
            "Results": [
                *_below("docs/results"),
                {"On an EPYC with AVX2 alone": _below("docs/results/zen3")},
                {"On a Xeon": _below("docs/results/xeon")},
                {"How they were measured": _readmes("benchmarks/*/README.md")},
            ]
        },
        {"Decisions": _below("docs/decisions")},
    ]
    return config
