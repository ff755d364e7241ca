/// oneDNN as the distribution packages it (2.6 in Debian 12), fastest of its algorithms and layouts.
// needs: DNNL
#include "onednn_convolution.hpp"

ROOFTOP_RUNG(winograd::Problem, OneDnnConvolution);
