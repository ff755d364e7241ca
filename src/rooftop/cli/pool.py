"""Combine comparisons of the same commands from several allocations into one verdict, with random effects."""

from __future__ import annotations

from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.settings import Settings
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import JsonOption, VerboseCommand, messages

GROUP = YOUR_PROGRAMS


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("pool", cls=VerboseCommand, help=__doc__, rich_help_panel=GROUP)
    def pool(
        named: Annotated[
            list[str],
            typer.Argument(
                metavar="GROUP | CAMPAIGN…",
                help="What 'rooftop compare --allocations' has submitted, or two or more campaigns of 'compare'.",
            ),
        ],
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.compare.allocations import allocations_document, measured_of
        from rooftop.compare.allocations_text import end_with
        from rooftop.compare.in_allocations import jobs_of_group, of_group
        from rooftop.measure.allocations import require_statsmodels
        from rooftop.schedulers.job import nodes_of_campaigns
        from rooftop.store.database import opened_database
        from rooftop.store.place import place_of
        from rooftop.terminal.campaigns import bench_for

        require_statsmodels()
        settings = Settings()
        with bench_for(messages()) as bench:
            if len(named) == 1:
                members = jobs_of_group(settings.home_folder, named[0])
                if not members:
                    raise Misuse(f"{named[0]!r} is no group of jobs, expected one, or two campaigns of 'compare'")
                document = of_group(bench, members)
            else:
                with opened_database(place_of(settings)) as connection:
                    found = measured_of(bench, connection, named)
                if len(found) < 2:
                    raise Misuse(f"{named[0]!r} is given twice, expected two campaigns")
                nodes = nodes_of_campaigns(settings.home_folder)
                document = allocations_document(found, bench.rules, nodes=nodes)
        end_with(document, as_json=as_json)
