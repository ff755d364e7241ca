"""Write the samples of a campaign for other programs: CSV, Parquet, or Google Benchmark's JSON."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.settings import Settings
from rooftop.terminal.campaigns import bench_for
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import check_writable, messages
from rooftop.terminal.stored import StoreCommand

GROUP = YOUR_PROGRAMS


class Form(StrEnum):
    """What is written."""

    CSV = "csv"
    PARQUET = "parquet"
    GOOGLE_BENCHMARK = "google-benchmark"


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("export", cls=StoreCommand, help=__doc__, rich_help_panel=GROUP)
    def command(
        campaign: Annotated[str, typer.Argument(help="A campaign's id, or the beginning of one.")],
        form: Annotated[
            Form, typer.Option("--format", help="CSV and Parquet have a row for each sample of any campaign.")
        ] = Form.CSV,
        out: Annotated[Path | None, typer.Option("--out", help="File to write. Default: standard output.")] = None,
    ) -> None:
        from rooftop.campaign.rebuild import find_campaign
        from rooftop.store.database import opened_database
        from rooftop.store.place import is_there, place_of
        from rooftop.store.protocol import Store
        from rooftop.store.schema import CampaignRow
        from rooftop.store.table import write_csv, write_parquet

        def google_benchmark(store: Store, row: CampaignRow) -> str:
            """Return what --export of compare writes, from the document that is made again."""
            from rooftop.campaign.kind import kind_named
            from rooftop.campaign.rebuild import document_again
            from rooftop.compare.document import CompareDocument
            from rooftop.compare.export import exported
            from rooftop.store.interrupted import kind_of

            with bench_for(messages()) as bench:
                document = document_again(bench, store, kind_named(kind_of(row)), row)
            if not isinstance(document, CompareDocument):
                told = f"campaign {row.id} is a '{kind_of(row)}'"
                raise Misuse(f"--format {form}: {told}, expected a 'compare'; csv and parquet have any")
            return exported(document, form)

        check_writable("--out", out)
        if form is Form.PARQUET and out is None:
            raise Misuse("--format parquet is no text: expected --out FILE")
        place = place_of(Settings())
        if not is_there(place):
            raise Misuse(f"{campaign!r} is no campaign: there is no store {place}")
        with opened_database(place) as store:
            row = find_campaign(store, campaign)
            if row is None:
                raise Misuse(f"{campaign!r} is no campaign in {place}: 'rooftop list --campaigns' lists them")
            if form is Form.PARQUET and out is not None:
                with out.open("wb") as binary:
                    write_parquet(store, row.id, binary)
                return
            text = google_benchmark(store, row) if form is Form.GOOGLE_BENCHMARK else None
            with out.open("w", encoding="utf-8", newline="") if out is not None else nullcontext(sys.stdout) as file:
                if text is not None:
                    file.write(text)
                else:
                    write_csv(store, row.id, file)
