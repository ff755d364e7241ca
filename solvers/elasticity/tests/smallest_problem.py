"""The smallest problem, a cube that is pulled, solved by the Python face alone."""

import numpy as np

from rooftop.solvers import elasticity

nodes = (2, 2, 2)
held = elasticity.symmetric(nodes, "x-min", "y-min", "z-min")
solution = elasticity.solve(nodes, load=elasticity.traction(nodes, "z-max", (0, 0, 1)), held=held)
assert np.allclose(solution.displacement, elasticity.box(nodes) * (-0.3, -0.3, 1))
