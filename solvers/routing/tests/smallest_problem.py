"""The smallest problem, solved by the Python face alone."""

from rooftop.solvers import routing

assert routing.solve_tsp([[0, 0], [4, 3], [4, 0], [0, 3]], time_s=0.1, iterations=10).length == 14
