"""Calling the solvers' C libraries from Python with ctypes: loading, ownership, argument checks, interrupts."""
