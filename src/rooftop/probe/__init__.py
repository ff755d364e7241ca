"""Measure the machine: run the probes, cache their figures, and repeat brief ones during a campaign."""

from rooftop.probe.device import device_document, known_device_roofs, refresh_device_roofs
from rooftop.probe.lines import best
from rooftop.probe.measure import machine, probe_document, refresh_roofs

__all__ = [
    "best",
    "device_document",
    "known_device_roofs",
    "machine",
    "probe_document",
    "refresh_device_roofs",
    "refresh_roofs",
]
