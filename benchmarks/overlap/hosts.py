"""Several hosts on one machine: network namespaces on a bridge, whose links have a rate and a delay."""

from __future__ import annotations

import fcntl
import itertools
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

AGENT = Path(__file__).resolve().parent / "agent"
LINKS = Path(__file__).resolve().parent / "links.cpp"
_devices = itertools.count()


@dataclass(frozen=True)
class Hosts:
    """Running hosts by name; `folder` holds their list for Open MPI."""

    names: tuple[str, ...]
    folder: Path

    def words(self, command: Sequence[str]) -> list[str]:
        """Return the words that run a command on the first host, on a processor of its own."""
        return [str(AGENT), self.names[0], shlex.join(command)]

    def environment(self) -> dict[str, str]:
        """Return the variables by which Open MPI starts one rank on each host, and lets them talk by TCP only."""
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


def _new_device() -> str:
    """Return a name that no network device had."""
    return f"rt{os.getpid()}n{next(_devices)}"


def _join(name: str, number: int, link: str, bridge: str) -> None:
    """Return a namespace its link to the bridge. What comes by it waits in a queue, the first of the namespace's."""
    _do(f"ip link add {link} type veth peer name eth0 netns {name}")
    _do(f"ip link set {link} master {bridge} up")
    _do(f"ip -n {name} addr add 10.77.7.{number}/24 dev eth0")
    _do(f"ip -n {name} link set eth0 up")
    _do(f"ip -n {name} link set lo up")
    _do(f"ip netns exec {name} iptables -A INPUT -i eth0 -j NFQUEUE --queue-num 0")
    # BBR, where it is the default, sets a timer for every segment: 1.3 times as long in all (scratch runs, four hosts).
    _do(f"ip -n {name} route change 10.77.7.0/24 dev eth0 src 10.77.7.{number} congctl cubic")


def _start_links(names: Sequence[str], rate_mbit: int, delay_us: int, folder: Path) -> subprocess.Popen[str]:
    """Start what hands on what waits in the namespaces' queues."""
    program = folder / "links"
    _do(f"c++ -std=c++20 -O2 -o {program} {LINKS} -lnetfilter_queue -lmnl")
    links = subprocess.Popen(
        [program, str(rate_mbit), str(delay_us), *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert links.stdout is not None and links.stderr is not None
    if links.stdout.readline().strip() != "ready":
        raise OSError(links.stderr.read().strip())
    return links


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other program has hosts: their names are the whole machine's."""
    with (Path(tempfile.gettempdir()) / "rooftop-hosts.lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def shaped_hosts(count: int, rate_mbit: int, delay_us: int, folder: Path) -> Iterator[Hosts]:
    """Make so many hosts; all is taken down in the end.

    Each is handed so many Mbit/s and no more, and everything so much later than it was sent, or up to a quarter of a
    millisecond more. That is done by a program of our own: kernels for virtual machines are often built without netem.

    Raises OSError where hosts cannot be made: that takes root, iproute2, iptables, libnetfilter_queue, a C++ compiler
    and a kernel that has namespaces and queues of packets.
    """
    if os.geteuid() != 0:
        raise PermissionError("this takes root")
    names = tuple(f"rooftop{number}" for number in range(1, count + 1))
    known = "127.0.0.1 localhost\n" + "".join(f"10.77.7.{n} {name}\n" for n, name in enumerate(names, 1))
    places = [Path("/etc/netns") / name for name in names]
    bridge, *ends = (_new_device() for _ in range(count + 1))
    links: subprocess.Popen[str] | None = None
    with _alone():
        try:
            _do(f"ip link add {bridge} type bridge")
            _do(f"ip link set {bridge} up")
            for number, (name, place, end) in enumerate(zip(names, places, ends, strict=True), 1):
                _do(f"ip netns add {name}")
                _join(name, number, end, bridge)
                place.mkdir(parents=True, exist_ok=True)  # ip netns exec shows it to the host as its own /etc/hosts
                (place / "hosts").write_text(known, encoding="ascii")
            links = _start_links(names, rate_mbit, delay_us, folder)
            yield Hosts(names, folder)
        finally:
            if links is not None:
                links.kill()
                links.communicate()
            for device in (*ends, bridge):  # which otherwise are gone some time after their namespace
                subprocess.run(["ip", "link", "del", device], capture_output=True, check=False)
            for name, place in zip(names, places, strict=True):
                subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
                (place / "hosts").unlink(missing_ok=True)
                if place.is_dir():
                    place.rmdir()
