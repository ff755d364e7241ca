"""What was measured in a campaign, by name: rungs and peers of climbs, commands of comparisons; and their samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rooftop.serve import stored
from rooftop.serve.stored import Condition
from rooftop.store.protocol import Store

NEWEST_SAMPLES = 1000  # of each arm are read


class ArmName(NamedTuple):
    """What an arm is called in every campaign that has it."""

    experiment: str
    size: str
    case: str
    arm: str

    @property
    def text(self) -> str:
        """It in words: the command alone, or experiment, size, case and rung."""
        return self.arm if self.experiment == "compare" else f"{self.experiment} {self.size} {self.case} {self.arm}"


class Measured(NamedTuple):
    """An arm of one campaign."""

    name: ArmName
    key: int
    campaign: str
    started: str
    machine: str


_WHOLE = "arm.outcome = 'ok' AND campaign.copying IS NULL"
MEASURED = f"""
{_WHOLE} AND (arm.role IN ('rung', 'peer') OR ("case".experiment = 'compare' AND arm.role = 'command'))
"""
_JOINED = 'FROM arm JOIN "case" ON "case".id = arm.case_id JOIN campaign ON campaign.id = "case".campaign'


def newest(store: Store, condition: Condition, count: int) -> list[Measured]:
    """Return arms that meet a condition, those of the newest campaigns first."""
    statement = f"""
    SELECT "case".experiment, "case".size, "case".name, arm.name, arm.id, campaign.id, campaign.started,
    {stored.bounded("campaign.fingerprint")} {_JOINED}
    WHERE {MEASURED} AND {condition.sql} ORDER BY campaign.started DESC, arm.id DESC LIMIT ?
    """
    return [
        Measured(ArmName(*map(str, names)), key, str(campaign), str(started), stored.machine_id(stored.as_object(text)))
        for *names, key, campaign, started, text in store.execute(statement, [*condition.values, count])
    ]


def called(name: ArmName) -> Condition:
    """Return the condition that an arm has a name."""
    return Condition('"case".experiment = ? AND "case".size = ? AND "case".name = ? AND arm.name = ?', name)


def times(store: Store, keys: Sequence[int]) -> dict[int, list[float]]:
    """Return the newest seconds for one run of arms, by their keys: of samples with as many runs as the arm's."""
    if not keys:
        return {}
    statement = f"""
    SELECT arm_id, run_s FROM (
      SELECT sample.arm_id, sample.elapsed_ns * 1e-9 / sample.iterations AS run_s,
      row_number() OVER (PARTITION BY sample.arm_id ORDER BY sample.id DESC) AS place
      FROM sample JOIN arm ON arm.id = sample.arm_id
      WHERE sample.arm_id IN ({stored.marks(keys)}) AND sample.iterations = arm.iterations AND sample.iterations > 0
    ) AS taken WHERE place <= ?
    """
    found: defaultdict[int, list[float]] = defaultdict(list)
    for key, run_s in store.execute(statement, [*keys, NEWEST_SAMPLES]):
        if run_s is not None and 0 < run_s < float("inf"):
            found[key].append(run_s)
    return found


def listed(store: Store, condition: Condition, first: int, count: int) -> list[tuple[ArmName, int, str]]:
    """Return what has been measured in any campaign, with the number of campaigns and the newest one's start.

    Gates are one benchmark each: both sides of both looks are the same name, without size and arm.
    """
    gate = "\"case\".experiment = 'gate'"
    statement = f"""
    SELECT "case".experiment, CASE WHEN {gate} THEN '' ELSE "case".size END AS size, "case".name,
    CASE WHEN {gate} THEN '' ELSE arm.name END AS arm, count(DISTINCT campaign.id), max(campaign.started) AS newest
    {_JOINED} WHERE (({MEASURED}) OR ({gate} AND {_WHOLE})) AND {condition.sql}
    GROUP BY 1, 2, 3, 4 ORDER BY newest DESC, 1, 2, 3, 4 LIMIT ? OFFSET ?
    """
    rows = store.execute(statement, [*condition.values, count, first])
    return [(ArmName(*map(str, names)), many, str(started)) for *names, many, started in rows]
