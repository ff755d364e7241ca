"""The overlap benchmark, on real hosts: two network namespaces, a rank in each, messages by TCP between them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.overlap.hosts import Hosts, shaped_hosts

ROOT = Path(__file__).resolve().parents[2]
HEADERS = Path("/usr/include/libnetfilter_queue")

ECHO = """
import socket
with socket.create_server(("", 5000)) as server:
    print("up", flush=True)
    with server.accept()[0] as client:
        for _ in range(10):
            client.send(client.recv(1))
        while client.recv(1 << 20):
            pass
"""
ASK = """
import socket, time
with socket.create_connection(("rooftop2", 5000)) as server:
    for _ in range(10):
        begin = time.perf_counter()
        server.send(b"x")
        server.recv(1)
        print(time.perf_counter() - begin)
    begin = time.perf_counter()
    server.sendall(bytes(20_000_000))
    server.shutdown(socket.SHUT_WR)
    server.recv(1)
    print(time.perf_counter() - begin)
"""


@contextmanager
def _hosts(count: int, rate_mbit: int, delay_us: int, folder: Path) -> Iterator[Hosts]:
    if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "iptables"))) or not HEADERS.is_dir():
        pytest.skip("hosts take root, iproute2, iptables and libnetfilter_queue")
    probe = f"rtprobe{os.getpid()}"
    asked = ["ip netns add {}", "ip netns exec {} iptables -A INPUT -j NFQUEUE --queue-num 0", "ip netns del {}"]
    codes = [subprocess.run(one.format(probe).split(), capture_output=True, check=False).returncode for one in asked]
    if any(codes):
        pytest.skip("this kernel has no namespaces, or no queues of packets")
    with shaped_hosts(count, rate_mbit, delay_us, folder) as made:
        yield made


def test_links_let_through_no_more_and_no_sooner_than_they_should(tmp_path: Path) -> None:
    with _hosts(2, 200, 5_000, tmp_path):
        inside = ["ip", "netns", "exec"]
        echo = subprocess.Popen([*inside, "rooftop2", sys.executable, "-c", ECHO], stdout=subprocess.PIPE)
        assert echo.stdout is not None and echo.stdout.readline() == b"up\n"
        asked = subprocess.run(
            [*inside, "rooftop1", sys.executable, "-c", ASK], capture_output=True, text=True, check=True, timeout=60
        )
        assert echo.wait() == 0
    *round_trips, sent = map(float, asked.stdout.split())
    assert min(round_trips) >= 0.010
    assert sent >= 0.010 + 20_000_000 * 8 / 200e6
    left = subprocess.run(["ip", "link"], capture_output=True, text=True, check=True).stdout
    assert f"rt{os.getpid()}n" not in left


@pytest.mark.usefixtures("solver_by_ranks")
def test_ranks_on_two_hosts_are_right_and_told_apart(tmp_path: Path) -> None:
    with _hosts(1, 100, 0, tmp_path):
        pass  # they can be made
    page = tmp_path / "page.md"
    words = ["--size", "32x24x20", "--iterations", "2", "--pairs", "1"]
    words += ["--hosts", "2", "--rate", "9600", "--page", str(page)]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks"), "overlap", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = page.read_text(encoding="utf-8")
    assert "| 2 hosts, 9.6 Gbit/s, 250 µs |" in told
    assert "| 2 hosts, 9.6 Gbit/s, 1000 µs |" in told
    assert "- 2 hosts: met on " in told
