"""Advice on how a dataset of a user's own file had better be laid out for the way in which it is read."""
