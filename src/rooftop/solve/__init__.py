"""Running the solvers on whole problems: layer lists for the convolution."""
