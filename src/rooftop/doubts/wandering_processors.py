"""The hypervisor moved processors: at times two of them shared a cache, at others they did not."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.text.plural import some

ORDER = 100

_FAR = 4.0  # times the least latency: of 294 looks at a Zen 5, 23 to 66 ns within a cache, 177 to 209 between two


def find(evidence: Evidence) -> Iterator[Doubt]:
    times: dict[tuple[str, str], list[float]] = {}
    for roof in evidence.measured:
        if roof.metric == "core_to_core":
            times.setdefault((str(roof.detail.get("from")), str(roof.detail.get("to"))), []).append(roof.value)
    moved = [
        f"{min(values) * 1e9:.0f} to {max(values) * 1e9:.0f} ns between {pair[0]} and {pair[1]}"
        for pair, values in times.items()
        if max(values) > _FAR * min(values)
    ]
    if moved:
        yield Doubt(
            doubt="Processors did not stay where they were: some shared a cache only for a part of the time",
            evidence=f"a cache line took {some(moved)}",
            remedy="Paired ratios hold for the mix that was seen, and threads that exchange much suffer most: "
            "measure again, or on a machine whose processors are pinned",
        )
