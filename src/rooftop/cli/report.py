"""Write the report of a campaign: one HTML file that works offline."""

from __future__ import annotations

import webbrowser
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from rooftop import report
from rooftop.documents import ClimbDocument
from rooftop.errors import Misuse, NothingMeasured
from rooftop.settings import Settings
from rooftop.terminal.campaigns import bench_for
from rooftop.terminal.groups import LADDERS
from rooftop.terminal.output import JsonOption, messages, print_document, say, tables
from rooftop.terminal.stored import StoreCommand

GROUP = LADDERS

SCHEMA = "rooftop/report/1"

# What values raise that have the right type and no meaning: a document may be anybody's.
_NEVER_WRITTEN = (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError)


class NoDocument(Misuse):
    """No climb document has such a name."""


def newest(campaigns: Path) -> Path:
    """Return the document that was written last. Raises NothingMeasured where there is none."""
    documents = sorted(campaigns.glob("*.json"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    if not documents:
        raise NothingMeasured(
            f"no campaign in {campaigns}: run `rooftop climb` first, or `rooftop compare`, or name a climb document"
        )
    return documents[-1]


def find(wanted: str, campaigns: Path) -> Path:
    """Return the document that ``wanted`` names: a file, or a campaign's name or the beginning of one.

    Raises Misuse where none or several fit.
    """
    if (file := Path(wanted)).is_file():
        return file
    if (exact := campaigns / f"{wanted}.json").is_file():
        return exact
    known = sorted(path for path in campaigns.glob("*.json") if path.stem.startswith(wanted))
    if len(known) == 1:
        return known[0]
    if known:
        some = ", ".join(path.stem for path in known[:4])
        raise Misuse(f"{wanted!r} matches {len(known)} campaigns ({some}, …): give more of the id")
    raise NoDocument(f"{wanted!r} is neither a file nor a campaign in {campaigns}, nor in its store")


def read(path: Path) -> ClimbDocument:
    """Return the document in ``path``. Raises Misuse where it cannot be read or is no climb document."""
    try:
        return ClimbDocument.model_validate_json(path.read_bytes())
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        raise Misuse(f"{path} is no climb document (rooftop/climb/1): {place}: {first['msg']}") from error


def _write(document: ClimbDocument, source: Path, path: Path) -> None:
    try:
        report.write(document, path)
    except _NEVER_WRITTEN as error:
        raise Misuse(f"{source} cannot be drawn, it has values that no climb writes: {error}") from error
    except OSError as error:
        raise Misuse(f"cannot write the report to {path}: {error.strerror or error}") from error


def _newest_in_store(campaigns: Path) -> str | None:
    """Return the id of the newest campaign, where that is no climb; None where it is, or where there is none."""
    from rooftop.campaign.rebuild import newest_campaign
    from rooftop.store.database import opened_database
    from rooftop.store.interrupted import kind_of
    from rooftop.store.place import is_there, place_of

    store = place_of(Settings())
    if not is_there(store):
        return None
    with opened_database(store) as connection:
        row = newest_campaign(connection)
    if row is None or kind_of(row) == "climb":
        return None
    written = [path.stat().st_mtime for path in campaigns.glob("*.json")]
    return row.id if max(written, default=0.0) < datetime.fromisoformat(row.started).timestamp() + 1 else None


def _write_again(wanted: str, out: Path | None, as_json: bool) -> Path | None:
    """Write the page of a campaign, its document made again from the store; None where there is none."""
    from rooftop.campaign.kind import kind_named
    from rooftop.campaign.rebuild import document_again, find_campaign
    from rooftop.store.database import opened_database
    from rooftop.store.interrupted import kind_of
    from rooftop.store.place import is_there, place_of

    settings = Settings()
    store = place_of(settings)
    if not is_there(store):
        return None
    with opened_database(store) as connection:
        row = find_campaign(connection, wanted)
        if row is None:
            return None
        kind = kind_named(kind_of(row))
        with bench_for(messages()) as bench:
            document = document_again(bench, connection, kind, row)
    path = out or settings.campaigns_folder / f"{row.id}.html"
    if path.is_dir():
        raise Misuse(f"--out {path} is a folder: expected the name of an HTML file")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        kind.write_page(document, path)
    except OSError as error:
        raise Misuse(f"cannot write the report to {path}: {error.strerror or error}") from error
    _tell(row.id, None, path, as_json=as_json)
    return path


def _tell(campaign: str, document: Path | None, path: Path, *, as_json: bool) -> None:
    """Print where the report is."""
    if not as_json:
        say(tables(), str(path))
        return
    print_document(
        {
            "schema": SCHEMA,
            "campaign": campaign,
            "document": str(document.resolve()) if document is not None else None,
            "report": str(path.resolve()),
            "bytes": path.stat().st_size,
        }
    )


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("report", cls=StoreCommand, help=__doc__, rich_help_panel=GROUP)
    def command(
        campaign: Annotated[
            str | None,
            typer.Argument(help="A campaign's id, or the file of a climb document. Default: the newest."),
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", help="HTML file to write. Default: next to the document.")
        ] = None,
        show: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
        as_json: JsonOption = False,
    ) -> None:
        campaigns = Settings().campaigns_folder
        campaign = campaign if campaign is not None else _newest_in_store(campaigns)
        try:
            source = find(campaign, campaigns) if campaign is not None else newest(campaigns)
        except NoDocument:
            path = _write_again(campaign or "", out, as_json)
            if path is None:
                raise
        else:
            document = read(source)
            path = out or source.with_suffix(".html")
            if path.is_dir():
                raise Misuse(f"--out {path} is a folder: expected the name of an HTML file")
            if path.resolve() == source.resolve():
                raise Misuse(f"--out {path} is the document itself: expected another name")
            _write(document, source, path)
            _tell(document.campaign, source, path, as_json=as_json)
        if show and not webbrowser.open(path.resolve().as_uri()):
            messages().print("No browser could be started: open the file by hand.")
