"""Unstructured meshes of elements of several kinds."""
