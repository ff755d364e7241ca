"""What happens to jobs of a cluster whose nodes all run on this host: each kind, at the instant when it is called."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REQUEUED, CANCELLED, URGENT = "requeued", "cancelled", "urgent"
_DOWN_S = 10  # after which the controller takes a node that does not answer for lost


def cluster_lines(nodes: int) -> list[str]:
    """Return lines of slurm.conf: partitions whose jobs make room for urgent ones, and times that are short."""
    of_all = f"Nodes=n[1-{nodes}] MaxTime=INFINITE State=UP"
    return [
        "PreemptType=preempt/partition_prio",
        "PreemptMode=REQUEUE",
        f"PartitionName={REQUEUED} {of_all} PriorityTier=1 PreemptMode=REQUEUE",
        f"PartitionName={CANCELLED} {of_all} PriorityTier=1 PreemptMode=CANCEL",
        f"PartitionName={URGENT} {of_all} PriorityTier=9 PreemptMode=OFF",
        f"SlurmdTimeout={_DOWN_S}",
        "SlurmctldTimeout=10",
        "SchedulerParameters=batch_sched_delay=0,sched_interval=3,sched_min_interval=0,requeue_setup_env_fail",
    ]


class Cluster:
    """A cluster by its configuration. `draw`: where daemons stay away for a while, for how long."""

    def __init__(self, conf: Path, draw: random.Random) -> None:
        self._conf, self._draw = conf, draw

    def program(self, *words: str, check: bool = True) -> str:
        """Run a program of Slurm; return its output."""
        found = subprocess.run(words, env=self.environment, capture_output=True, text=True, check=check)
        return found.stdout

    @property
    def environment(self) -> dict[str, str]:
        """The environment of Slurm's programs."""
        return os.environ | {"SLURM_CONF": str(self._conf)}

    def queue(self) -> dict[str, tuple[str, str]] | None:
        """Return the state and the node of jobs by the folders of their scripts; None: the controller does not answer.

        Not by their numbers: a controller that was killed gives those of the jobs that it has forgotten to others.
        """
        try:
            told = self.program("squeue", "-h", "-t", "all", "-o", "%T|%N|%o")
        except subprocess.CalledProcessError:
            return None
        rows = (line.split("|", 2) for line in told.splitlines())
        return {str(Path(script).parent): (state, node) for state, node, script in rows}

    def release(self, job: str) -> None:
        """Let a job run if it is held since a node could not start it, which Slurm leaves to whoever looks after it."""
        if "held" in self.program("squeue", "-h", "-j", job, "-o", "%r", check=False):
            self.program("scontrol", "release", job, check=False)

    def reach_limit(self, job: str, node: str) -> None:
        """Let the time limit be over: the controller looks every half minute."""
        self.program("scontrol", "update", f"jobid={job}", "EndTime=now", check=False)

    def cancel(self, job: str, node: str) -> None:
        """Cancel a job."""
        self.program("scancel", job, check=False)

    def drain(self, job: str, node: str) -> None:
        """Take a node away from the jobs to come; half of them at once, from those that run as well."""
        self.program("scontrol", "update", f"nodename={node}", "state=drain", "reason=disturbed")
        if self._draw.random() < 0.5:
            self.program("scontrol", "update", f"nodename={node}", "state=down", "reason=disturbed")
        time.sleep(self._draw.uniform(1, 4))
        self.program("scontrol", "update", f"nodename={node}", "state=resume", check=False)

    def kill_node(self, job: str, node: str) -> None:
        """Kill a node's daemon and start it again, half of the time when the controller has given the node up."""
        self._kill(self._conf.with_name(f"{node}.pid"))
        time.sleep(self._draw.uniform(0, 3) + (2 * _DOWN_S if self._draw.random() < 0.5 else 0))
        self.program("slurmd", "-N", node)

    def restart_controller(self, job: str, node: str) -> None:
        """Kill the controller, or end it, and start it again."""
        number = signal.SIGKILL if self._draw.random() < 0.5 else signal.SIGTERM
        self._kill(self._conf.with_name("controller.pid"), number)
        time.sleep(self._draw.uniform(0, 3))
        self.program("slurmctld")

    def preempt(self, job: str, node: str) -> None:
        """Let an urgent job need the node."""
        words = ["sbatch", "-p", URGENT, "-w", node, "--exclusive", "-o", "/dev/null", "--wrap", "sleep 1"]
        self.program(*words)

    def _kill(self, file: Path, number: signal.Signals = signal.SIGKILL) -> None:
        pid = int(file.read_text(encoding="ascii"))
        os.kill(pid, number)
        while Path(f"/proc/{pid}").exists() and "Z" not in _state(pid):
            time.sleep(0.05)

    def stop(self) -> None:
        """End the daemons that were started again."""
        for file in self._conf.parent.glob("*.pid"):
            try:
                os.kill(int(file.read_text(encoding="ascii")), signal.SIGTERM)
            except (OSError, ValueError):
                continue


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@dataclass(frozen=True)
class Disturbance:
    """A kind of it.

    partition  of the jobs that it is done to
    run_s      how long a run of the faster command takes: the controller looks for time limits every half minute, and
               takes a while to give a node up
    """

    do: Callable[[Cluster, str, str], None]
    partition: str = "all"
    run_s: float = 0.05


KINDS: dict[str, Disturbance] = {
    "time limit reached": Disturbance(Cluster.reach_limit, run_s=0.8),
    "scancel": Disturbance(Cluster.cancel),
    "node drained": Disturbance(Cluster.drain),
    "slurmd killed": Disturbance(Cluster.kill_node, run_s=0.8),
    "slurmctld restarted": Disturbance(Cluster.restart_controller),
    "preempted, requeued": Disturbance(Cluster.preempt, REQUEUED),
    "preempted, cancelled": Disturbance(Cluster.preempt, CANCELLED),
}
