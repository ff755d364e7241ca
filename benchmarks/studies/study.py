"""Tune, scale and pin a program, and write a page of the commands and what they print.

NAME.toml beside this file declares the program, its input and what is varied; the page is
docs/guide/studies/NAME.md.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.form import ROOT, machine, write_page

HERE = Path(__file__).resolve().parent
STUDIES = sorted(file.stem for file in HERE.glob("*.toml"))
PAGES = ROOT / "docs" / "guide" / "studies"
CHROMIUM = "/usr/bin/chromium"
WIDTH = 860
KINDS = {"tune": "Tuning", "scale": "Scaling", "pin": "Where its threads run"}
KEYS = {"title", "packages", "program", "version", "about", "prepare", "values", *KINDS}
KIND_KEYS = {"options", "command"}


def unknown_keys(study: dict[str, Any]) -> list[str]:
    """Return the keys of a study's file that have no meaning."""
    inside = [f"{kind}.{key}" for kind in KINDS if kind in study for key in sorted(study[kind].keys() - KIND_KEYS)]
    return sorted(study.keys() - KEYS) + inside


def filled(text: str, values: dict[str, str]) -> str:
    """Return a text with the given {names} replaced by their values; other {names} are parameters of the bench."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def output(command: str) -> str:
    """Run a command of a study and return its standard output. Ends the study where it fails."""
    done = subprocess.run(shlex.split(command), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"study: {command!r} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def measured(words: list[str], picture: Path | None) -> str:
    """Run a command of the bench and return what it prints, without the line that names the page."""
    environment = os.environ | {"COLUMNS": "110", "NO_COLOR": "1"}
    if os.geteuid() == 0:
        environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    drawn = ["--picture", str(picture)] if picture is not None else []
    done = subprocess.run(
        [str(ROOT / "rooftop"), words[0], *drawn, *words[1:]],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in ((0, 1) if words[0] != "pin" else (0,)):
        sys.exit(f"study: rooftop {words[0]} ended with {done.returncode}")
    return "\n".join(line.rstrip() for line in done.stdout.splitlines() if not line.startswith("page: "))


def draw(page: Path, name: str) -> list[str]:
    """Save each figure of an HTML page as a picture, and return the names of the files."""
    from playwright.sync_api import sync_playwright

    taken = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        view = browser.new_page(viewport={"width": WIDTH, "height": 900}, device_scale_factor=1.5)
        view.goto(page.as_uri())
        figures = view.locator("figure")
        for place in range(figures.count()):
            figures.nth(place).scroll_into_view_if_needed()
            figures.nth(place).locator("svg.main-svg").first.wait_for()
            view.locator("nav").evaluate("bar => bar.hidden = true")
            file = PAGES / f"{name}-{place + 1}.png"
            figures.nth(place).screenshot(path=file)
            taken.append(file.name)
        browser.close()
    return taken


def shown(words: list[str], work: str) -> str:
    """Return a command line as it is shown, one option to a line."""
    text = shlex.join(words).replace(work, "$work")
    return "./rooftop " + text.replace(" --", " \\\n  --")


def section(kind: str, words: list[str], work: str, name: str) -> str:
    """Run a part of a study, and return its section of the page."""
    page = Path(work).with_name(f"{kind}.html") if kind != "pin" else None
    told = measured(words, page).replace(work, "$work")
    lines = ["```sh", shown(words, work), "```", "", "```text", told, "```", ""]
    if page is not None:
        lines += [f"![{KINDS[kind]}]({file})" for file in draw(page, f"{name}-{kind}")] + [""]
    return "\n".join(lines)


def kept(name: str, title: str) -> str:
    """Return a section of the page as it was last written. Ends the study where there is none."""
    page = PAGES / f"{name}.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    found = re.search(rf"^## {re.escape(title)}\n\n(.*?\n)(?=## |`\$work` is )", text, re.DOTALL | re.MULTILINE)
    if found is None:
        sys.exit(f"study: {page} has no section {title!r} to keep")
    return found[1]


def main(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(STUDIES)}.")],
    only: Annotated[str | None, typer.Option(help="Measure this part again and keep the others.")] = None,
) -> int:
    """Tune and scale a program, and write its page."""
    for value, known in ((name, STUDIES), (only, [None, *KINDS])):
        if value not in known:
            raise typer.BadParameter(f"{value!r}, expected one of {', '.join(filter(None, known))}")
    study = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
    if unknown := unknown_keys(study):
        sys.exit(f"study: {name}.toml has {', '.join(unknown)}; expected {', '.join(sorted(KEYS))}")
    if shutil.which(study["program"]) is None:
        sys.exit(f"study: {study['program']} is not here: install {' '.join(study['packages'])}")
    PAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = str(Path(folder) / "work")
        values = {"work": work}
        for command in study.get("prepare", []):
            output(filled(command, values))
        for key, command in study.get("values", {}).items():
            values[key] = output(filled(command, values)).strip()
        version = next(line for line in output(study["version"]).splitlines() if line.strip())
        parts = [study["about"].strip()]
        for kind, title in KINDS.items():
            if kind not in study:
                continue
            words = [kind, *(filled(word, values) for word in study[kind]["options"]), "--"]
            words += [filled(word, values) for word in study[kind]["command"]]
            again = only in (None, kind)
            parts += [f"## {title}", section(kind, words, work, name) if again else kept(name, title)]
    parts.append(f"`$work` is a temporary folder, prepared as `benchmarks/studies/{name}.toml` says.")
    on = f"{version.lstrip(' -:)').rstrip(' -:(')} on {machine()}"
    write_page(PAGES / f"{name}.md", study["title"], f"study {name}", *parts, on=on)
    return 0
