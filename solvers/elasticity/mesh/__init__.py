"""Meshes of any elements."""
