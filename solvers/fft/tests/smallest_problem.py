"""The smallest problem, solved by the Python face alone."""

import numpy as np

import rooftop

assert np.allclose(rooftop.fftn([1, 1, 1, 1]), [4, 0, 0, 0])
