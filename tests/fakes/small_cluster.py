"""Slurm on this host, without systemd: a controller and nodes that all run here, as root, in a folder of their own."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from left_behind import in_any_end

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
_SYSTEM = "/usr/sbin:/usr/bin:/sbin:/bin"
_UP_S = 60.0
_ATTEMPTS = 5

_CONF = """\
ClusterName=small
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/controller
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/%n
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
SlurmdParameters=config_overrides
MailProg=/bin/true
"""


def missing() -> str | None:
    """Return why there can be no cluster here; None where there can."""
    absent = [name for name in PROGRAMS if shutil.which(name, path=_SYSTEM) is None]
    if absent:
        return f"{', '.join(absent)} not found: packages slurmctld slurmd slurm-client munge"
    return None if os.geteuid() == 0 else "the nodes of a cluster on one host need root"


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class _PortTaken(Exception):
    """A daemon has ended by itself: another program has taken its port since it was found to be free."""


@contextmanager
def small_cluster(folder: Path, nodes: int = 2, more: Sequence[str] = ()) -> Iterator[Path]:
    """Run a cluster, with a munge of its own; yield its configuration, for SLURM_CONF. `more`: lines of that."""
    with ExitStack() as stack:
        for attempt in range(_ATTEMPTS):
            own = folder / str(attempt)
            own.mkdir(parents=True)
            try:
                conf = stack.enter_context(_running(own, nodes, more))
                break
            except _PortTaken:
                if attempt + 1 == _ATTEMPTS:
                    raise
        yield conf


@contextmanager
def _running(folder: Path, nodes: int, more: Sequence[str]) -> Iterator[Path]:
    """Run a cluster on ports that were free a moment ago. Raises _PortTaken."""
    key, conf = folder / "munge.key", folder / "slurm.conf"
    key.write_bytes(secrets.token_bytes(1024))
    key.chmod(0o400)
    ports = free_ports(nodes + 1)
    host = socket.gethostname().partition(".")[0]
    lines = [
        f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[number]} CPUs=8 State=UNKNOWN"
        for number in range(1, nodes + 1)
    ]
    lines.append(f"PartitionName=all Nodes=n[1-{nodes}] Default=YES MaxTime=INFINITE State=UP")
    conf.write_text(
        _CONF.format(folder=folder, host=host, ports=ports) + "\n".join([*lines, *more]) + "\n", encoding="ascii"
    )
    (folder / "controller").mkdir()
    environment = os.environ | {"SLURM_CONF": str(conf), "PATH": f"{os.environ.get('PATH', '')}:{_SYSTEM}"}
    files = [
        f"--{what}={folder}/munge.{what.split('-')[0]}" for what in ("socket", "pid-file", "log-file", "seed-file")
    ]
    munged = ["munged", "--foreground", "--force", f"--key-file={key}", *files]
    of_slurm = [["slurmctld", "-D"], *(["slurmd", "-D", "-N", f"n{number}"] for number in range(1, nodes + 1))]
    with ExitStack() as stack:
        stack.enter_context(daemon(munged, environment))
        _until((folder / "munge.socket").exists, "munged did not start")
        daemons = [stack.enter_context(daemon(words, environment)) for words in of_slurm]

        def idle() -> bool:
            if any(one.poll() is not None for one in daemons):
                raise _PortTaken(f"see {folder}")
            asked = ["sinfo", "-h", "-N", "-o", "%N %T"]
            told = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False).stdout
            return sum(line.endswith(" idle") for line in set(told.splitlines())) == nodes  # one for each partition

        _until(idle, f"the nodes did not come up: see {folder}")
        yield conf


@contextmanager
def daemon(words: Sequence[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a daemon for a block."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(words, env=environment, stdin=quiet, stdout=quiet, stderr=quiet)
    with process, in_any_end("kill", str(process.pid)):
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _until(came: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + _UP_S
    while not came():
        assert time.monotonic() < end, otherwise
        time.sleep(0.1)
