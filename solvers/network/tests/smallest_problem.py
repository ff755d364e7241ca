"""The smallest problem, one link that carries a tonne, solved by the Python face alone."""

import numpy as np

from rooftop.solvers import network
from rooftop.solvers.network.model import Model


def whole(*values: int) -> "np.typing.NDArray[np.int32]":
    """Return whole numbers as the model has them."""
    return np.array(values, dtype=np.int32)


model = Model(
    nodes=2,
    tail=whole(0),
    head=whole(1),
    link=whole(0),
    capacity_kg=np.array([2000]),
    payload_kg=1000,
    per_vehicle=np.array([[1.0], [0.0], [3.0]]),
    per_kg=np.array([[0.0], [0.002], [0.0]]),
    month=whole(0),
    origin=whole(0),
    destination=whole(1),
    kg=np.array([1000]),
    months=(1,),
)
assert network.solve(model, time_s=60, iterations=5).points.tolist() == [[1.0, 2.0, 3.0]]
