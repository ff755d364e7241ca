"""Fourier transforms of NumPy arrays in double or single precision: what ``rooftop.solvers.fft`` offers."""

from __future__ import annotations

from rooftop.solvers.fft import FourierArgumentError, FourierPlan, Norm, Values, fftn, ifftn, irfftn, rfftn

__all__ = ["FourierArgumentError", "FourierPlan", "Norm", "Values", "fftn", "ifftn", "irfftn", "rfftn"]
