"""Observe on which CPUs the threads of a running program are, find placement problems, and fix them."""
