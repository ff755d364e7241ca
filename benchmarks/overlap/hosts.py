"""Several hosts on one machine: network namespaces on a bridge, whose links let through so much and no more."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

AGENT = Path(__file__).resolve().parent / "agent"
SWITCH = Path(__file__).resolve().parent / "delaying_switch.cpp"
_BRIDGE = "rooftop0"
_LONGEST = 65_521  # bytes in a frame of a TAP device


@dataclass(frozen=True)
class Hosts:
    """Running hosts by name; `folder` holds their list for Open MPI."""

    names: tuple[str, ...]
    folder: Path

    def words(self, command: Sequence[str]) -> list[str]:
        """Give the words that run a command on the first host, on a processor of its own."""
        return [str(AGENT), self.names[0], shlex.join(command)]

    def environment(self) -> dict[str, str]:
        """Give the variables by which Open MPI starts one rank on each host, and lets them talk by TCP only."""
        hostfile = self.folder / "hosts"
        hostfile.write_text("".join(f"{name} slots=1\n" for name in self.names), encoding="ascii")
        parameters = {
            "orte_default_hostfile": str(hostfile),
            "plm_rsh_agent": str(AGENT),
            "plm_rsh_no_tree_spawn": "1",
            "pml": "ob1",
            "btl": "tcp,self",
            "btl_tcp_if_include": "eth0",
            "oob_tcp_if_include": "eth0",
            "mpi_yield_when_idle": "1",
        }
        return {f"OMPI_MCA_{name}": value for name, value in parameters.items()}


def _do(line: str) -> None:
    done = subprocess.run(shlex.split(line), capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{line}: {done.stderr.strip()}")


def _join(name: str, number: int) -> None:
    """Give a namespace its link to the bridge."""
    _do(f"ip link add {_BRIDGE}v{number} type veth peer name eth0 netns {name}")
    _do(f"ip link set {_BRIDGE}v{number} master {_BRIDGE} up")


def _start_switch(names: Sequence[str], delay_us: int, folder: Path) -> subprocess.Popen[str]:
    """Start the switch that gives namespaces their links: frames of 64 KiB, or it would be the slowest of all."""
    program = folder / "delaying_switch"
    _do(f"c++ -std=c++20 -O2 -o {program} {SWITCH}")
    switch = subprocess.Popen(
        [program, str(delay_us), *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert switch.stdout is not None and switch.stderr is not None
    if switch.stdout.readline().strip() != "ready":
        raise OSError(switch.stderr.read().strip())
    for name in names:
        _do(f"ip -n {name} link set eth0 mtu {_LONGEST}")
    return switch


def _open(name: str, number: int, rate: str) -> None:
    """Bring a namespace's link up. A burst takes a whole segment of TCP: a smaller one would have it cut up."""
    _do(f"ip -n {name} addr add 10.77.7.{number}/24 dev eth0")
    _do(f"ip -n {name} link set eth0 up")
    _do(f"ip -n {name} link set lo up")
    _do(f"tc -n {name} qdisc add dev eth0 root tbf rate {rate} burst 256kb latency 100ms")


@contextmanager
def shaped_hosts(count: int, rate: str, folder: Path, delay_us: int = 0) -> Iterator[Hosts]:
    """Make so many hosts with links of this rate (as tc writes it, such as 800mbit); all is taken down in the end.

    Between them is a bridge, or, where frames are to be so much later, a switch of our own: kernels for virtual
    machines are often built without netem.

    Raises OSError where namespaces cannot be made: that takes root, iproute2 and a kernel that has them.
    """
    names = tuple(f"rooftop{number}" for number in range(1, count + 1))
    known = "127.0.0.1 localhost\n" + "".join(f"10.77.7.{n} {name}\n" for n, name in enumerate(names, 1))
    places = [Path("/etc/netns") / name for name in names]
    switch: subprocess.Popen[str] | None = None
    try:
        for name in names:
            _do(f"ip netns add {name}")
        if delay_us:
            switch = _start_switch(names, delay_us, folder)
        else:
            _do(f"ip link add {_BRIDGE} type bridge")
            _do(f"ip link set {_BRIDGE} up")
        for number, (name, place) in enumerate(zip(names, places, strict=True), 1):
            if not delay_us:
                _join(name, number)
            _open(name, number, rate)
            place.mkdir(parents=True, exist_ok=True)  # ip netns exec shows it to the host as its own /etc/hosts
            (place / "hosts").write_text(known, encoding="ascii")
        yield Hosts(names, folder)
    finally:
        if switch is not None:
            switch.kill()
            switch.communicate()
        for name, place in zip(names, places, strict=True):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
            (place / "hosts").unlink(missing_ok=True)
            if place.is_dir():
                place.rmdir()
        subprocess.run(["ip", "link", "del", _BRIDGE], capture_output=True, check=False)
