"""The smallest problem, solved by the Python face alone."""

import numpy as np

from rooftop.solvers import fft

assert np.allclose(fft.fftn([1, 1, 1, 1]), [4, 0, 0, 0])
