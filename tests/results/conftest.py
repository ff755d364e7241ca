"""A made-up climb with the parameters that targets ask about, and targets for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic_climb import realistic

from rooftop.documents import ClimbDocument

TARGETS = """
[derived]
out_h = { h = 1, padding = 2, constant = -2 }

[opponents]
"best direct peer" = ["direct", "im2col-gemm"]

[budgets]
network = "6m"

[pairs]
M = 12

[only]
M = ["9*-solver", "10-naive"]

[[target]]
id = "large"
asked = "At least 2.8x the best peer at 28 pixels and more."
size = "network"
where = { out_h = { min = 28 } }
measure = "ratio"
against = ["best peer", "best direct peer"]
at_least = 2.8
remark = "A remark by hand."

[[target]]
id = "roof"
asked = "Three quarters of the roof."
size = "network"
where = { c = [128, 256] }
measure = "roof_fraction"
at_least = 0.75
steps = true

[[target]]
id = "error"
asked = "Error of F(4)."
size = "network"
algorithm = "F(4)"
measure = "error"
at_most = 2.5e-6

[[target]]
id = "ladder"
asked = "Two orders of magnitude."
size = "network"
measure = "total"
against = "10-naive"
at_least = 100

[[target]]
id = "elsewhere"
asked = "Something on a size that nobody climbed."
size = "M"
measure = "roof_fraction"
at_least = 0.5
"""


@pytest.fixture
def climb() -> ClimbDocument:
    """Return the realistic climb; onednn_debian has won the first case by Winograd, and one result is wrong."""
    document = realistic()
    winograd = document.experiments[0]
    for case in winograd.cases:
        c, h = case.case.split()[1].split("x")[:2]
        case.parameters = {"c": int(c), "h": int(h), "padding": 1}
        for rung in case.rungs:
            rung.algorithm = rung.algorithm if rung.kind == "rung" else "direct"
    first = winograd.cases[0]
    fast = next(rung for rung in first.rungs if rung.name == "onednn_debian")
    fast.algorithm, fast.median_s = "F(4)", 1e-9
    for rung in first.rungs:
        if rung.vs_best_peer is not None:
            rung.vs_best_peer.against = fast.name
            rung.vs_best_peer.ratio, rung.vs_best_peer.lo, rung.vs_best_peer.hi = 1.5, 1.4, 1.6
    solver = next(rung for rung in winograd.cases[2].rungs if rung.name == "99-solver")
    solver.outcome, solver.reason = "wrong", "error 0.3 in /home/someone/secret/output.bin | tolerance"
    solver.median_s = solver.rate = solver.vs_best_peer = None
    return document


@pytest.fixture
def tree(tmp_path: Path, climb: ClimbDocument, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working tree with one experiment, its targets and its campaign."""
    experiment = tmp_path / "experiments" / "winograd"
    experiment.mkdir(parents=True)
    (experiment / "experiment.py").write_text("", encoding="utf-8")
    (experiment / "targets.toml").write_text(TARGETS, encoding="utf-8")
    campaigns = tmp_path / ".rooftop" / "campaigns"
    campaigns.mkdir(parents=True)
    (campaigns / f"{climb.campaign}.json").write_text(climb.model_dump_json(by_alias=True), encoding="utf-8")
    monkeypatch.setenv("ROOFTOP_ROOT", str(tmp_path))
    monkeypatch.delenv("ROOFTOP_HOME", raising=False)
    return tmp_path
