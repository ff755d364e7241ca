"""Predict how long programs take on machines that are described, not owned."""
