"""Rewrite an HDF5 file with other chunks and filters, verify it, and replace the original atomically."""
