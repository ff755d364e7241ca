"""A comparison that was made up: every pair of runs has the same times."""

from __future__ import annotations

import itertools
import math

from still_machine import StillMachine

from rooftop.compare.document import CommandComparison, CommandResult, CompareDocument

FLOOR = 0.01


def compared(times_s: dict[str, float], pairs: int = 12) -> CompareDocument:
    """Make up a comparison in which every pair has the same times."""
    comparisons = []
    for against, subject in itertools.combinations(times_s, 2):
        ratio = times_s[against] / times_s[subject]
        claimed = abs(math.log(ratio)) > FLOOR
        comparisons.append(
            CommandComparison(
                subject=subject,
                against=against,
                ratio=ratio,
                lo=ratio * 0.99,
                hi=ratio * 1.01,
                pairs=pairs,
                verdict=("faster" if ratio > 1 else "slower") if claimed else "not resolved",
                floor=FLOOR,
                advice="",
                p=0.01,
                corrected_p=0.01,
            )
        )
    commands = [
        CommandResult(name=name, command=[], outcome="ok", median=time, lo=time, hi=time)
        for name, time in times_s.items()
    ]
    return CompareDocument(
        schema="rooftop/compare/1",
        rooftop="0",
        campaign="c",
        started="2026-01-01T00:00:00Z",
        metric="wall",
        unit="s",
        better="lower",
        machine=StillMachine().machine(None),
        commands=commands,
        comparisons=comparisons,
        floor=FLOOR,
    )
