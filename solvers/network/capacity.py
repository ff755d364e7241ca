"""Proof by linear programming that demands exceed the capacities even if they may be split over paths."""

from __future__ import annotations

import time

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, kron, vstack

from rooftop.solvers.network.model import Model
from rooftop.solvers.network.ways import UNLIMITED_KG

_FLOWS_MAX = 200_000  # variables of one month's linear program: a larger one takes minutes


def month_beyond_capacity(model: Model, time_s: float) -> int | None:
    """Return the first month whose demands provably exceed the capacities, or None if none could be proven.

    A linear program of multi-commodity flow (L. Ford, D. Fulkerson, 1958) decides; its variables are the tonnes of each
    depot on each arc of a month.

    time_s  time limit for all months together
    """
    arcs = len(model.tail)
    ends = np.concatenate([model.tail, model.head]), np.tile(np.arange(arcs), 2)
    incidence = csr_array((np.repeat([1.0, -1.0], arcs), ends), shape=(model.nodes, arcs))
    until = time.monotonic() + time_s
    limited = np.flatnonzero(model.capacity_kg < UNLIMITED_KG)
    for number, month in enumerate(model.months):
        here = model.month == number
        origins = np.unique(model.origin[here])
        left_s = until - time.monotonic()
        if len(origins) * arcs > _FLOWS_MAX or left_s <= 0:
            return None
        supply = np.zeros((len(origins), model.nodes))
        which = np.searchsorted(origins, model.origin[here])
        np.add.at(supply, (which, model.origin[here]), model.kg[here] / 1000)
        np.add.at(supply, (which, model.destination[here]), -model.kg[here] / 1000)
        conserved = kron(np.eye(len(origins)), incidence, format="csr")
        shared = hstack([csr_array(np.eye(arcs)[limited])] * len(origins), format="csr") if len(limited) else None
        answer = linprog(  # type: ignore[call-overload]  # the stubs know dense arrays alone
            np.zeros(len(origins) * arcs),
            A_eq=vstack([conserved]),
            b_eq=supply.ravel(),
            A_ub=shared,
            b_ub=None if shared is None else model.capacity_kg[limited] / 1000,
            method="highs",
            options={"time_limit": left_s},
        )
        if answer.status == 2:
            return month
    return None
