"""Comparisons of whole commands, interleaved and paired."""
