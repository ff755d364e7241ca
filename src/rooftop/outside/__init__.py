"""Experiments of the user's own, in folders outside the bench's tree."""
