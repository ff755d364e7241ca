"""The figures of the measuring rules. Every one is used from here; docs/measuring.md gives the reasons."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """What a measurement must satisfy.

    min_pairs         fewest pairs that a verdict may rest on: the sign test's 95 % interval does not exist below 6
    pairs             pairs that a comparison goes on to, where time allows, however narrow its interval is before
    half_width        target half-width of a comparison's interval, as a log-ratio (0.02 is 2 %)
    of_effect         an interval may also stop narrowing at this part of the effect itself: 8x needs no 2 %
    confirming        pairs that must leave a sharp interval sharp, before a comparison ends
    at_once           unless the interval is as narrow as this part of what is asked
    disturbed_pairs   pairs from which on the dearest tenth of the runs may be the machine's disturbances, in the mean
    min_sample_ns     shortest sample
    min_ticks         shortest sample in ticks of the clock; one tick's error is then 0.1 %, which no floor undercuts
    calibrate_margin  calibration runs are cold, so they aim this much longer than the shortest sample
    max_blocks        most blocks of one case, from where pairs last began anew for an arm with more iterations
    contender         peers this close to the fastest are all compared with, until their samples tell them apart
    peer_allowance    part of a case's time that one slow rung may spend on samples taken only to be held against a peer
    scarce            part of a case's time that a rung may spend that cannot have its fewest pairs
    """

    min_pairs: int = 6
    pairs: int = 6
    half_width: float = 0.02
    of_effect: float = 0.1
    confirming: int = 3
    at_once: float = 0.6
    disturbed_pairs: int = 60
    min_sample_ns: int = 1_000_000
    min_ticks: int = 1000
    calibrate_margin: float = 1.5
    max_blocks: int = 200
    contender: float = 1.2
    peer_allowance: float = 0.05
    scarce: float = 0.25

    def sample_ns(self, clock_resolution_ns: float) -> int:
        """Return the shortest sample on a clock of this resolution."""
        return max(self.min_sample_ns, int(self.min_ticks * clock_resolution_ns))

    @property
    def least_floor(self) -> float:
        """The floor that the clock alone sets."""
        return 1.0 / self.min_ticks
