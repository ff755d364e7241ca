"""The document printed by ``rooftop diagnose --json``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.compare.document import CompareDocument
from rooftop.diagnose.efficiencies import Efficiencies
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.timeline import Timeline
from rooftop.documents import Doubt, Finding, Outcome, Verdict
from rooftop.files.document import Document

INTERRUPTED = "observing was interrupted"  # why no cure was tried


class TriedCure(Document):
    """A cure, measured in pairs with the command as given. Seconds of one run; None where there is no figure.

    line     what applies it
    ratio    how many times as fast
    gain_s   seconds saved, with its interval
    """

    name: str
    line: str
    outcome: Outcome
    reason: str | None = None
    verdict: Verdict | None = None
    ratio: float | None = None
    lo: float | None = None
    hi: float | None = None
    pairs: int | None = None
    gain_s: float | None = None
    gain_lo_s: float | None = None
    gain_hi_s: float | None = None


class Predicted(Document):
    """What a suspicion predicts of its first cure that was tried.

    ratio   how many times as fast, if all that is at stake were gone; None: nothing bounds it
    holds   whether it lies in the interval that was measured; None: there is nothing to hold it against
    reason  why it does not hold, or why that cannot be told
    """

    cure: str
    ratio: float | None = None
    holds: bool | None = None
    reason: str | None = None


class Cause(Finding):
    """What holds the command back.

    stake_s  seconds at stake, at most, by what was seen
    tried    names of the cures that were tried, the best first
    left_out  names of those that there are, but were not tried: by --without, for lack of time, or after a failure
    cure     the one that helped most; None: none was tried, or none helped
    predicted  what was predicted of the first cure that was tried; None: none was
    lab      that shows it on this machine
    rung     of a ladder that got rid of it
    suggested  option that tries what is not tried unasked, since it may change the work
    """

    name: str = Field(alias="finding")
    stake_s: float
    tried: list[str] = Field(default_factory=list)
    left_out: list[str] = Field(default_factory=list)
    cure: TriedCure | None = None
    predicted: Predicted | None = None
    lab: str | None = None
    rung: str | None = None
    suggested: str | None = None

    @property
    def seconds(self) -> float:
        """What it is ordered by: seconds saved where a cure helped, else half of those that are at stake at most."""
        return self.cure.gain_s if self.cure is not None and self.cure.gain_s is not None else self.stake_s / 2


class Pass(Document):
    """One run under observation: what was looked at, how long the run took, and the CPU time that looking took."""

    name: str
    elapsed_s: float
    spent_s: float | None = None


class DiagnoseDocument(Document):
    """What holds a command back: at most five causes, the cures tried, and what was seen."""

    schema_: Literal["rooftop/diagnose/1"] = Field(default="rooftop/diagnose/1", alias="schema")
    rooftop: str
    started: str  # ISO 8601, UTC
    campaign: str | None = None
    command: list[str]
    reduced: list[str] | None = None  # the smaller run of which everything else is; None: of the command
    status: int | None  # exit code, or the negative number of the signal that ended it; None: interrupted
    failure: str | None = None  # why the run counts as failed
    passes: list[Pass] = Field(default_factory=list)
    facts: Facts
    efficiencies: Efficiencies | None = None  # None: one thread, or too little was seen
    timeline: Timeline | None = None
    suspected: list[Cause] = Field(default_factory=list)  # before any cure was tried
    lines: dict[str, str] = Field(default_factory=dict)  # of the cures, by their names
    findings: list[Cause] = Field(default_factory=list)
    tried: list[TriedCure] = Field(default_factory=list)
    no_cures: str | None = None  # why none was tried
    not_tried: list[str] = Field(default_factory=list)  # cures for which there was no time
    doubts: list[Doubt] = Field(default_factory=list)  # about the observation
    cost: CompareDocument | None = None  # the command as given, beside each cure
