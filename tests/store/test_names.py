"""Names of campaigns and jobs: thousands may begin in one second, on the nodes of a cluster."""

from __future__ import annotations

import re

from rooftop.store.campaign_store import new_name


def test_names_have_enough_digits_for_one_second() -> None:
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{8}", new_name())
