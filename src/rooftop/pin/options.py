"""Options of `rooftop pin`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from rooftop.command.measurement import Measurement
from rooftop.command.option import Option
from rooftop.command.reported_values import read_time, time_text
from rooftop.command.request import MeasuredCommand


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """An observation, and the comparison of the command with the corrected one."""

    for_s: Annotated[
        float | None,
        Option(
            "--for",
            "Longest time to observe, such as 10s. The command is then ended.",
            said=str,
            read=read_time,
            spell=time_text,
        ),
    ] = None
    cost: Annotated[
        bool,
        Option(
            "--cost", "Measure what the findings cost: compare the command with the corrected one.", off="--no-cost"
        ),
    ] = True
    how: Measurement = Field(default_factory=lambda: Measurement(max_pairs=60), kw_only=True)
