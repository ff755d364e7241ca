"""Programs on the nodes of a cluster that all run on one host: their times are simulated and differ from node to node.

A program prints its time. The n-th node is slower by so much, and noise is the same in every job, by the runs' numbers.
"""

from __future__ import annotations

from pathlib import Path

PATTERN = "time: ([0-9.]+)"
_PROGRAM = """\
#!/bin/sh
node=${{SLURMD_NODENAME:-n0}}
runs="$ROOFTOP_HOME/runs-{name}"
mkdir -p "$runs"
n=$(ls "$runs" | wc -l)
: > "$runs/$n"
awk -v node="${{node#n}}" -v n="$n" 'BEGIN {{
  print "time:", {seconds} * (1 + {by_node} * node) * (1 + {noise} * sin(12.9898 * n + {phase} + node))
}}'
"""


def clocked(file: Path, seconds: float, *, by_node: float, noise: float = 0.01, phase: float = 0.0) -> str:
    """Write a program to a file; return the command."""
    text = _PROGRAM.format(name=file.name, seconds=seconds, by_node=by_node, noise=noise, phase=phase)
    file.write_text(text, encoding="ascii")
    file.chmod(0o755)
    return f"./{file.name}"
