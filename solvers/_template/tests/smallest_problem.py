"""The smallest problem, solved by the Python face alone."""

from rooftop.solvers import _template

assert _template.dot([1, 2], [3, 4]) == 11
