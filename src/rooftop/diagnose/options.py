"""Options of `rooftop diagnose`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from rooftop.command.measurement import Measurement
from rooftop.command.option import Option
from rooftop.command.reported_values import read_texts
from rooftop.command.request import MeasuredCommand


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """What is observed, and which cures are tried."""

    tries: Annotated[
        tuple[str, ...],
        Option(
            "--try",
            "A cure of your own: variables to set, such as 'OMP_SCHEDULE=dynamic,64'. Can be repeated.",
            metavar="NAME=VALUE",
            said=list[str],
            filed=str,
            read=read_texts,
        ),
    ] = ()
    commands: Annotated[
        tuple[str, ...],
        Option(
            "--try-command",
            "Another command line that does the same work, tried as a cure. Can be repeated.",
            metavar="CMD",
            said=list[str],
            filed=str,
            read=read_texts,
        ),
    ] = ()
    without: Annotated[
        tuple[str, ...],
        Option(
            "--without",
            "A cure that is not tried, by its name. Can be repeated; 'all' tries those of --try only.",
            metavar="CURE",
            said=list[str],
            filed=str,
            read=read_texts,
        ),
    ] = ()
    reduced: Annotated[
        str | None,
        Option(
            "--reduced",
            "A smaller run of the same program, observed and cured in place of the command.",
            metavar="CMD",
        ),
    ] = None
    how: Measurement = Field(default_factory=lambda: Measurement(max_pairs=60), kw_only=True)
