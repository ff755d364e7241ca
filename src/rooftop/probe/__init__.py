"""The machine as measured: runs the probes, keeps what they found, and measures the roofs again when asked."""

from rooftop.probe.measure import machine, probe_document, refresh_roofs
from rooftop.probe.merging import best

__all__ = ["best", "machine", "probe_document", "refresh_roofs"]
