"""Write one page per experiment: its targets beside the figures reached."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop.cli.report import find, read
from rooftop.documents import ClimbDocument
from rooftop.errors import Misuse, NothingMeasured
from rooftop.ladder.location import Place, place_of
from rooftop.measure.rules import Rules
from rooftop.measure.targets import FILE_NAME, Targets, read_targets
from rooftop.results.document import ResultsDocument, ResultsPage, document_files, results_page
from rooftop.results.page import write
from rooftop.settings import Settings
from rooftop.terminal.groups import LADDERS
from rooftop.terminal.output import FromOption, JsonOption, messages, print_document, say, tables
from rooftop.terminal.trusting import FromCommand
from rooftop.text.nearest import nearest

GROUP = LADDERS


def _targets(place: Place, names: list[str]) -> dict[str, Targets]:
    """Read what the named experiments, or all, are to show. Raises Misuse where one has no targets."""
    experiments, known = place.folder, place.names(hidden=True)
    having = [name for name in known if (experiments / name / FILE_NAME).is_file()]
    for name in names:
        if name not in known:
            raise Misuse(f"there is no experiment {name!r} in {experiments}; {nearest(name, known, 'rooftop list')}")
        if name not in having:
            raise Misuse(f"experiment {name!r} declares no targets: expected {experiments / name / FILE_NAME}")
    if not having:
        raise Misuse(f"no experiment in {experiments} declares targets in a {FILE_NAME}")
    return {name: read_targets(experiments / name / FILE_NAME) for name in names or having}


def _documents(campaigns: Path, named: list[str]) -> list[ClimbDocument]:
    """Read the named campaigns, or all; of those not named, what cannot be read is told and passed over."""
    if named:
        return [read(find(one, campaigns)) for one in named]
    documents = []
    for file in document_files(campaigns):
        try:
            documents.append(read(file))
        except Misuse as error:
            messages().print(f"passed over: {error}", markup=False, highlight=False, soft_wrap=True)
    return documents


def _write(pages: list[ResultsPage], out: Path) -> list[Path]:
    files = []
    for page in pages:
        path = out / f"{page.name}.md"
        try:
            write(page, path)
        except OSError as error:
            raise Misuse(f"cannot write the page to {path}: {error.strerror or error}") from error
        files.append(path)
    return files


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("results", cls=FromCommand, help=__doc__, rich_help_panel=GROUP)
    def command(
        names: Annotated[
            list[str] | None, typer.Argument(metavar="[NAME]...", help="Experiments. Default: all with targets.")
        ] = None,
        campaign: Annotated[
            list[str] | None,
            typer.Option(
                "--campaign",
                help="The file of a climb document, or a campaign's id. Can be repeated. Default: the newest.",
            ),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option("--out", metavar="DIR", help="Folder to write to. Default: docs/results, or DIR/results."),
        ] = None,
        folder: FromOption = None,
        as_json: JsonOption = False,
    ) -> None:
        settings = Settings()
        place = place_of(settings, folder)
        targets = _targets(place, names or [])
        documents = _documents(settings.campaigns_folder, campaign or [])
        pages = []
        for name, asked in targets.items():
            page = results_page(name, asked, documents, Rules(), outside=place.outside)
            if page is not None:
                pages.append(page)
            else:
                messages().print(f"{name}: no campaign of size {' or '.join(asked.sizes)}", markup=False)
        if not pages:
            raise NothingMeasured(
                f"no campaign measures what is asked of {', '.join(targets)}: "
                f"run `rooftop climb NAME --size SIZE` first, or name one with --campaign"
            )
        home = place.own_folder if place.outside else settings.root_folder / "docs"
        files = _write(pages, out or home / "results")
        place.agree()
        if as_json:
            print_document(ResultsDocument(pages=pages))
        else:
            for file in files:
                say(tables(), str(file))
