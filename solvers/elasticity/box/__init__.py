"""Structured boxes of hexahedra."""
