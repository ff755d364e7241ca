"""The solvers, a package for each: ``rooftop.solvers.conv``, ``rooftop.solvers.fft`` and so on."""

from rooftop.solvers.running.stop import Stop

__all__ = ["Stop"]
