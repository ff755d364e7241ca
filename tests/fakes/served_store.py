"""Stores that a site is made of: many campaigns, gates that change their level, and names that are attacks."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from rooftop.store.protocol import Store
from rooftop.store.rows import insert, insert_all
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, RoofRow, SampleRow, SessionRow

HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)> \"'& \x1b[2J\u202e%00{{7*7}}"
MACHINES = {"a" * 16: "Fast Processor 9000", "b" * 16: "Slow Processor 100"}
_FIRST = datetime(2026, 1, 1, 8, tzinfo=UTC)
_KEPT: dict[str, Any] = {"architecture": "x86_64", "cores": 8, "threads_per_core": 2, "numa_nodes": 1}


def machine(name: str) -> dict[str, Any]:
    """Return a machine as campaigns keep it."""
    more = {"memory_bytes": 2**35, "caches": [{"level": "L2", "bytes": 2**20}], "isas": ["sse2", "avx2"]}
    return {"id": name, "processor": MACHINES.get(name, name), **_KEPT, **more}


class Served:
    """Writes campaigns as sessions would have left them, one an hour."""

    def __init__(self, store: Store) -> None:
        self.store, self.chance, self.count = store, random.Random(1), 0

    def campaign(
        self,
        request: dict[str, Any],
        cases: Sequence[tuple[str, str, str, dict[str, Any], Sequence[tuple[str, str, Sequence[float]]]]],
        *,
        name: str | None = None,
        on: str = "a" * 16,
        finished: bool = True,
        kept: dict[str, Any] | None = None,
    ) -> str:
        """Keep a campaign. Cases are experiment, size, name, parameters, and arms: name, role, seconds for each run."""
        begun = _FIRST + timedelta(hours=self.count)
        self.count += 1
        at = begun.isoformat(timespec="seconds").replace("+00:00", "Z")
        name = name or f"{begun:%Y%m%d-%H%M%S}-{self.count:04x}"
        end = at if finished else None
        store = self.store
        campaign = CampaignRow("checked", at, "0.3.0", {}, {"machine": on}, kept or machine(on), end)
        campaign.id, campaign.request = name, request  # which no version would write
        insert(store, campaign)
        started_s = begun.timestamp()
        session = insert(store, SessionRow(name, started_s, started_s + 60, {"load": 0}, {"load": 0}))
        for place, (experiment, size, case, parameters, arms) in enumerate(cases):
            row = CaseRow(name, place, experiment, size, case, parameters, 1.0, 1, "resolved", True)
            key = insert(store, row)
            for arm, role, times in arms:
                arm_key = insert(store, ArmRow(key, arm, role, "ok", iterations=2, run_s=1e-2))
                samples = [
                    SampleRow(arm_key, session, block, 0, 2, 2e9 * run_s, int(started_s * 1e9) + block)
                    for block, run_s in enumerate(times)
                ]
                insert_all(store, samples)
        return name

    def runs(self, median_s: float, count: int = 20, noise: float = 0.01) -> list[float]:
        """Return seconds for each run."""
        return [median_s * math.exp(self.chance.gauss(0, noise)) for _ in range(count)]

    def comparison(self, commands: Sequence[str], times: Sequence[float], **more: Any) -> str:
        """Keep a comparison of commands."""
        arms = [(one, "command", self.runs(run_s)) for one, run_s in zip(commands, times, strict=True)]
        request = {"kind": "compare", "commands": [[one.split(), one] for one in commands]}
        return self.campaign(request, [("compare", "commands", "commands", {}, arms)], **more)

    def climb(self, times: dict[str, float], **more: Any) -> str:
        """Keep a climb of the conv experiment's rungs."""
        arms = [(name, "rung", self.runs(run_s)) for name, run_s in times.items()]
        request = {"kind": "climb", "names": ["winograd"], "size": "quick", "only": [], "experiments": None}
        return self.campaign(request, [("winograd", "quick", "conv1", {}, arms)], **more)

    def gate(self, number: int, speed: float, benchmark: str = "solve", **more: Any) -> str:
        """Keep a gate of revision `number` + 1 against `number`, which is faster by a factor."""
        sides = [(f"{benchmark} at base", 0.02), (f"{benchmark} at head", 0.02 / speed)]
        arms = [(name, "command", self.runs(run_s, noise=0.002)) for name, run_s in sides]
        revisions = [{"name": f"r{n}", "commit": f"{n:040x}", "tree": f"{n:04x}"} for n in (number, number + 1)]
        request = {
            "kind": "gate",
            "benchmarks": [{"name": benchmark, "base": [["solve"], "solve"], "head": [["solve"], "solve"]}],
            "base": revisions[0],
            "head": revisions[1],
        }
        about = {"metric": "wall", "unit": "s", "better": "lower", "figure": None}
        return self.campaign(request, [("gate", "first look", benchmark, about, arms)], **more)


def varied(store: Store) -> Served:
    """Fill a store with what every page has something to show of, hostile names among it."""
    served = Served(store)
    with store.transaction():
        for number in range(24):
            served.gate(number, 0.8 if number == 15 else 1.0)
        for number in range(16):
            served.comparison(["./old --grid 64", "./new --grid 64"], [0.05, 0.04 if number < 9 else 0.03])
        for on, factor in zip(MACHINES, (1.0, 2.5), strict=True):
            served.climb({"10-naive": 0.2 * factor, "40-simd": 0.03 * factor}, on=on)
        for on, value in zip(MACHINES, (4e11, 1e11), strict=True):
            name = served.climb({"10-naive": 0.2, "40-simd": 0.03}, on=on)
            roof = {"metric": "fma", "value": value, "unit": "flop/s", "threads": 8, "isa": "avx2", "precision": "fp32"}
            insert(store, RoofRow(name, 1.0, roof))
        served.comparison([HOSTILE, f"{HOSTILE} 2"], [0.05, 0.04], on=HOSTILE, kept={"id": 7, "processor": HOSTILE})
        served.gate(3, 1.0, HOSTILE)
        for name in ("../../etc/passwd", "..", "a/b", "x.json", HOSTILE, "a b"):
            served.comparison(["./hostile id", "./b"], [0.1, 0.2], name=name)
        served.campaign({"kind": HOSTILE, "words": [HOSTILE, "\ud800"]}, [], finished=False)
        served.campaign([1], [], finished=False)  # type: ignore[arg-type]
    return served
