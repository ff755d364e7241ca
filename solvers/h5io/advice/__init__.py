"""Advice on the layout of a dataset, given how it is read."""
