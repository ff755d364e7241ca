"""Makes the page and the document of one campaign, in a process of its own: ``python -m rooftop.serve.drawing``.

What a campaign holds was written by others. The process has a limit of memory and time, its end leaves the server as it
was, and a campaign whose document needs code to be run that the store names is refused.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

from rooftop.campaign.kind import kind_named
from rooftop.campaign.rebuild import document_again
from rooftop.documents import ClimbDocument
from rooftop.errors import MISUSE, Misuse, RooftopError
from rooftop.files.atomic import write_whole
from rooftop.ladder.discovery import code_only_in
from rooftop.report.frame import within_site
from rooftop.serve.stored import can_be_addressed
from rooftop.serve.view import site_links
from rooftop.settings import Settings
from rooftop.store.campaign_store import IN_PART
from rooftop.store.database import opened_for_reading
from rooftop.store.interrupted import kind_of
from rooftop.store.place import place_of
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow
from rooftop.terminal.campaigns import bench_for
from rooftop.terminal.output import messages

PAGE, DOCUMENT = "page.html", "document.json"
LIMIT_S = 60
_MEMORY_BYTES = 8 * 2**30
_FILE_BYTES = 512 * 2**20


def _kept(settings: Settings, row: CampaignRow) -> ClimbDocument | None:
    """Return the document that a climb has kept beside the store; None where there is none."""
    file = settings.campaigns_folder / f"{row.id}.json"
    if kind_of(row) != "climb" or not can_be_addressed(row.id) or not file.is_file():
        return None
    try:
        found = ClimbDocument.model_validate_json(file.read_bytes())
    except ValueError:
        return None
    return found if found.campaign == row.id else None


def _document(settings: Settings, store: Store, row: CampaignRow) -> Any:
    """Return a campaign's document. Raises Misuse, also where only code of another place could describe it."""
    if (kept := _kept(settings, row)) is not None:
        return kept
    with bench_for(messages()) as bench, code_only_in(settings.root_folder / "experiments"):
        return document_again(bench, store, kind_named(kind_of(row)), row)


def draw(campaign: str, folder: Path) -> None:
    """Write the page and the document of a campaign into a folder. Raises Misuse and StoreError."""
    settings = Settings()
    with opened_for_reading(place_of(settings), LIMIT_S) as store:
        found = select(store, CampaignRow, "WHERE id = ?", campaign)
        if not found:
            raise Misuse(f"there is no campaign {campaign!r}")
        if (row := found[0]).copying is not None:  # since the server has looked
            raise Misuse(f"campaign {campaign} {IN_PART}")
        document = _document(settings, store, row)
    with within_site(site_links("/campaigns/")):
        kind_named(kind_of(row)).write_page(document, folder / PAGE)
    write_whole(folder / DOCUMENT, document.model_dump_json(by_alias=True))


def main() -> int:
    """Run the process: the arguments are the campaign's id and the folder. What is wrong is the only line it prints."""
    for kind, most in (
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_CPU, LIMIT_S),
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)  # noqa: PLW2901
        resource.setrlimit(kind, (most, hard))
    try:
        draw(sys.argv[1], Path(sys.argv[2]))
    except RooftopError as error:
        told = str(error)
    except Exception as error:  # what a campaign of others holds may be anything
        told = f"campaign {sys.argv[1]} cannot be read: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
    else:
        return 0
    print(json.dumps(told))
    return MISUSE


if __name__ == "__main__":
    sys.exit(main())
