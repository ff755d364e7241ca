"""The same reads by different numbers of processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rooftop.solvers.h5io.advice.cost import Team
from rooftop.solvers.h5io.advice.document import ByRanks, Proposal
from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.advice.study import Study

Say = Callable[[str], None]


def layouts_by_team(study: Study, teams: Sequence[Team], layouts: Sequence[Layout]) -> list[tuple[Team, Layout | None]]:
    """Return the layouts to measure for each team: the current one, and the one with the best prediction."""
    tried: list[tuple[Team, Layout | None]] = []
    for team in teams:
        best = min(layouts, key=lambda one: study.seconds(one, team), default=None)
        tried += [(team, None)] + ([] if best is None else [(team, best)])
    return tried


def by_ranks(
    study: Study, tried: Sequence[tuple[Team, Layout | None]], proposals: Sequence[Proposal], say: Say
) -> list[ByRanks]:
    """Measure each of them, and the layout that was fastest for the first team."""
    measured = [one for one in proposals if one.measured is not None and one.measured.verdict == "faster"]
    best = max(measured, key=lambda one: 0.0 if one.measured is None else one.measured.ratio, default=None)
    asked = list(tried)
    if best is not None:
        layout = Layout(None if best.chunk is None else tuple(best.chunk), tuple(best.filters))
        asked += [(team, layout) for team in dict.fromkeys(team for team, _ in tried)]
    found = []
    for team, one in sorted(dict.fromkeys(asked), key=lambda pair: pair[0].ranks):
        say(f"measuring {'the file as it is' if one is None else one} by {team.ranks} ranks")
        comparison, _ = study.compare(one, team)
        found.append(
            ByRanks(
                ranks=team.ranks,
                threads=team.threads,
                layout=None if one is None else str(one),
                predicted=study.gain(one, team),
                measured=comparison,
            )
        )
    return found
