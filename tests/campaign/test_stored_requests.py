"""Requests as stores of version 0.2 hold them are read as they were meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rooftop.campaign.kind import kind_named
from rooftop.campaign.run import asked_of
from rooftop.store.schema import CampaignRow

REQUESTS: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("stored_requests.json").read_text(encoding="utf-8")
)
BESIDE = ("kind", "beside", "folder")  # what a store keeps with a request


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_stored_request_is_read_and_kept_as_it_was(kind: str) -> None:
    request = REQUESTS[kind]
    row = CampaignRow("c", "2026-11-29T00:00:00Z", "0.2.0", request, {}, {})
    asked = asked_of(kind_named(kind), row)
    then = {key: value for key, value in request.items() if key not in BESIDE}
    now = json.loads(json.dumps(asked.stored()))
    assert {key: value for key, value in now.items() if key in then} == then
    assert not any(value for key, value in now.items() if key not in then)  # options that came later are not given
