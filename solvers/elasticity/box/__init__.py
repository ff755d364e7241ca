"""Boxes of hexahedra."""
