"""Rooftop: a performance-engineering bench for parallel programs."""

__version__ = "0.2.0"
