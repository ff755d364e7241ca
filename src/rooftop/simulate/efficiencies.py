"""Where the time of a replay goes, as factors: balance, serialisation and transfer.

Their product is the share of all ranks' time that is work. Source: the metrics of the POP centre of excellence, after
Rosas, Gimenez and Labarta, Scalability Prediction for Fundamental Performance Factors, 2014. Serialisation is what
ranks wait for each other though messages take no time, which a second replay tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rooftop.files.document import Document
from rooftop.simulate.layout import Layout
from rooftop.simulate.recording import Recording
from rooftop.simulate.replay import Replayed, replay
from rooftop.text.quantities import percent


class Efficiencies(Document):
    """Three factors from 0 to 1.

    balance        mean work of the ranks over the most that one has
    serialisation  that most over the time if messages took none
    transfer       that time over the whole
    """

    balance: float
    serialisation: float
    transfer: float

    @property
    def parallel(self) -> float:
        """Their product: mean work of the ranks over the whole time."""
        return self.balance * self.serialisation * self.transfer

    def __str__(self) -> str:
        """Return them in words."""
        return (
            f"parallel efficiency {percent(self.parallel)}: balance {percent(self.balance)}, "
            f"serialisation {percent(self.serialisation)}, transfer {percent(self.transfer)}"
        )


def efficiencies(
    recording: Recording | Path, layout: Layout, choices: Mapping[str, Any] | None, found: Replayed
) -> Efficiencies:
    """Return the factors of a replay, by a second one whose messages take no time. Raises Misuse and NotBuilt.

    Work that shares its memory bus with messages may take less without them, which counts as transfer.
    """
    at_once = replay(recording, layout, choices, instant=True)
    most_s = max(one.computing_s for one in at_once.ranks)
    ideal_s = min(at_once.seconds, found.seconds)
    return Efficiencies(
        balance=min(1.0, at_once.balance),
        serialisation=min(1.0, most_s / ideal_s) if ideal_s else 1.0,
        transfer=ideal_s / found.seconds if found.seconds else 1.0,
    )
