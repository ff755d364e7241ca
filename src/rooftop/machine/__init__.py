"""What this machine is (identity, topology) and what holds on it now (conditions), as the system tells; no timing."""

from rooftop.machine.conditions import StealMeter, conditions
from rooftop.machine.identity import Identity, cores_now, identity
from rooftop.machine.system_files import SystemFiles
from rooftop.machine.topology import Topology, topology

__all__ = ["Identity", "StealMeter", "SystemFiles", "Topology", "conditions", "cores_now", "identity", "topology"]
