"""The folder that a campaign was begun in is part of what was asked: its commands run there, wherever it is resumed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rooftop.campaign.kind import AskedT, DocumentT, Kind
from rooftop.errors import Misuse
from rooftop.store.schema import CampaignRow

_KEY = "folder"


def with_folder(request: dict[str, Any]) -> dict[str, Any]:
    """Return a request as the store keeps it, with the present folder."""
    return request | {_KEY: str(Path.cwd())}


def asked_of(kind: Kind[AskedT, DocumentT], row: CampaignRow) -> AskedT:
    """Return what a campaign was asked. Raises what `Kind.from_stored` does."""
    return kind.from_stored({key: value for key, value in row.request.items() if key != _KEY})


@contextmanager
def in_its_folder(row: CampaignRow) -> Iterator[None]:
    """Work in the folder that a campaign was begun in, as far as that is known. Raises Misuse where it is gone."""
    folder = row.request.get(_KEY)
    if folder is None:  # of an earlier version
        yield
        return
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(contextlib.chdir(folder))
        except OSError as error:
            told = f"campaign {row.id} was begun in {folder}, which cannot be entered: {error.strerror or error}"
            raise Misuse(f"{told}; start a new one without --resume") from error
        yield
