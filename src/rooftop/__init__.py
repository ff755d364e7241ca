"""Rooftop: a performance-engineering bench for parallel programs."""

__version__ = "0.3.0"
