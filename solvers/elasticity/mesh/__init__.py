"""Unstructured meshes of several kinds of elements."""
