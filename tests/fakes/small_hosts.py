"""Hosts on this one, as network namespaces on a bridge: each has an address, a name and its own way to the others."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from left_behind import in_any_end

# HOST COMMAND…: what a launcher calls in the place of ssh.
_AGENT = """\
#!/bin/sh
while :; do case "$1" in -x|-q|-n) shift ;; -l) shift 2 ;; *) break ;; esac; done
host=$1; shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; exec /bin/sh -c \\"\\$0\\"" "$*"
"""


def missing() -> str | None:
    """Return why there can be no such hosts here; None where there can."""
    absent = [name for name in ("ip", "unshare") if shutil.which(name) is None]
    if absent:
        return f"{', '.join(absent)} not found: packages iproute2 util-linux"
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"rt{os.getpid() % 10000}t"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"no network namespace can be made here: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=True)
    return None


@contextmanager
def small_hosts(folder: Path, count: int = 2) -> Iterator[tuple[list[str], Path]]:
    """Make hosts; yield their names and the agent that starts commands on them."""
    own = os.getpid() % 10000
    net, bridge = f"10.{200 + own % 50}.{own // 50 % 250}", f"rtb{own}"
    hosts = [f"rt{own}h{number}" for number in range(1, count + 1)]
    agent = folder / "agent"
    agent.write_text(_AGENT, encoding="ascii")
    agent.chmod(0o755)

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    with ExitStack() as stack:
        stack.enter_context(_undone("ip", "link", "del", bridge))
        ip("link", "add", bridge, "type", "bridge")
        ip("link", "set", bridge, "up")
        known = "".join(f"{net}.{number} {host}\n" for number, host in enumerate(hosts, 1))
        for number, host in enumerate(hosts, 1):
            stack.enter_context(_undone("ip", "netns", "del", host))
            stack.enter_context(_undone("rm", "-rf", f"/etc/netns/{host}"))
            ip("netns", "add", host)
            ip("link", "add", f"rtv{own}x{number}", "type", "veth", "peer", "name", "eth0", "netns", host)
            ip("link", "set", f"rtv{own}x{number}", "master", bridge, "up")
            ip("-n", host, "addr", "add", f"{net}.{number}/24", "dev", "eth0")
            ip("-n", host, "link", "set", "eth0", "up")
            ip("-n", host, "link", "set", "lo", "up")
            names = Path(f"/etc/netns/{host}/hosts")
            names.parent.mkdir(parents=True, exist_ok=True)
            names.write_text(f"127.0.0.1 localhost\n{known}", encoding="ascii")
        yield hosts, agent


@contextmanager
def _undone(*words: str) -> Iterator[None]:
    """Run a command after the block, also where this process is killed meanwhile."""
    with in_any_end(*words):
        try:
            yield
        finally:
            subprocess.run(words, check=False, stderr=subprocess.DEVNULL)
