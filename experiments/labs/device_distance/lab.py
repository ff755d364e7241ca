"""Devices near and far: a register of a device, read from the socket that it is attached to and from another."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.lab.in_python import Lab, LabRung, Verdict, drive_lab, exact, variant

DEVICES = Path("/sys/bus/pci/devices")
REGISTER_BYTES = 4  # the first register of every device: its vendor, and which of the vendor's devices it is


def cores_of(listed: str) -> set[int]:
    """Return the processors of a list such as "0-3,8"."""
    cores: set[int] = set()
    for part in filter(None, listed.strip().split(",")):
        first, _, last = part.partition("-")
        cores |= set(range(int(first), int(last or first) + 1))
    return cores


@dataclass(frozen=True)
class Device:
    """A device that is near some processors and far from others."""

    folder: Path
    near: frozenset[int]
    far: frozenset[int]


def find_device(devices: Path, usable: set[int]) -> Device | None:
    """Return the first device with a memory node that has usable processors near and far."""
    for folder in sorted(devices.glob("*")):
        try:
            node = int((folder / "numa_node").read_text(encoding="ascii"))
            near = cores_of((folder / "local_cpulist").read_text(encoding="ascii"))
        except (OSError, ValueError):
            continue
        if node >= 0 and near & usable and usable - near:
            return Device(folder, frozenset(near & usable), frozenset(usable - near))
    return None


class Register(Lab):
    """A register, read so many times."""

    parameters = ("reads",)
    checks = ({"reads": 1}, {"reads": 33})

    def __init__(self, given: Mapping[str, Any], seed: int, threads: int) -> None:
        """Find a device."""
        super().__init__(given, seed, threads)
        self.device = DEVICE
        self.values: list[bytes] = []

    def poison(self) -> None:
        """Forget what was read."""
        self.values = []

    def verify(self) -> Verdict:
        """Compare each reading with what the system knows of the device."""
        if self.device is None:
            return exact("there is no device")
        known = [int((self.device.folder / name).read_text(encoding="ascii"), 16) for name in ("vendor", "device")]
        expected = known[0].to_bytes(2, "little") + known[1].to_bytes(2, "little")
        right = self.values == [expected] * self.given["reads"]
        return exact("" if right else f"expected {self.given['reads']} readings of {expected.hex()}")

    def spoil(self) -> None:
        """Change a bit of the last reading."""
        self.values[-1] = bytes([self.values[-1][0] ^ 1]) + self.values[-1][1:]


class Near(LabRung):
    """Reads from a processor of the device's own node."""

    def __init__(self, lab: Register) -> None:
        """Open the device's registers, and stay on one processor."""
        if lab.device is None:
            raise RuntimeError("the driver skips the lab where there is no device")
        self.lab = lab
        self.file = os.open(lab.device.folder / "config", os.O_RDONLY)
        os.sched_setaffinity(0, {min(self.cores(lab.device))})

    def cores(self, device: Device) -> frozenset[int]:
        """Return the processors to read from."""
        return device.near

    def run(self) -> None:
        """Read: each time the request goes to the device, and the processor waits for the answer."""
        self.lab.values = [os.pread(self.file, REGISTER_BYTES, 0) for _ in range(self.lab.given["reads"])]


class Far(Near):
    """Reads from a processor of another node."""

    def cores(self, device: Device) -> frozenset[int]:
        """Return the processors to read from."""
        return device.far


VARIANTS = (
    variant("10-far", "From a processor of another socket.", Far),
    variant("20-near", "From a processor of the socket that has the device.", Near),
)
USABLE = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
DEVICE = find_device(DEVICES, USABLE)
MISSING = None if DEVICE else "not visible here: no device is nearer to some of these processors than to others"

if __name__ == "__main__":
    raise SystemExit(drive_lab(Register, VARIANTS, __file__, sys.argv[1:], MISSING))
