"""Identity, topology and current conditions of this machine, as the system reports them. Nothing is timed here."""

from rooftop.machine.conditions import StealMeter, conditions
from rooftop.machine.identity import Identity, cores_now, identity
from rooftop.machine.system_files import SystemFiles
from rooftop.machine.topology import Topology, topology

__all__ = ["Identity", "StealMeter", "SystemFiles", "Topology", "conditions", "cores_now", "identity", "topology"]
