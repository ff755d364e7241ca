/// oneDNN 3 from PyPI's wheels, with OpenMP threads, fastest of its algorithms and layouts.
// needs: onednn_wheel
#include "onednn_convolution.hpp"

ROOFTOP_RUNG(winograd::Problem, OneDnnConvolution);
