"""Exported platforms as SimGrid reads them: its routes have the links and the loads that the model counts."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from any_platform import LINK_S, plain

from rooftop.errors import Misuse
from rooftop.simulate.contention import most_hops, shift_hops, shift_load, uniform_load
from rooftop.simulate.platform_files import known_platforms, named_platform
from rooftop.simulate.simgrid import as_simgrid

# The system's own Python: SimGrid's module is a package of the distribution.
PYTHON = shutil.which("python3", path="/usr/bin:/usr/local/bin") or "python3"
READ = """
import json, sys
from collections import Counter
from simgrid import Engine

engine = Engine(["routes", "--log=root.thresh:critical"])
engine.load_platform(sys.argv[1])
hosts = sorted(engine.all_hosts, key=lambda host: int(host.name.rpartition("-")[2]))
count = len(hosts)
found = {"hosts": count, "cores": hosts[0].core_count, "flops_per_s": hosts[0].speed}
memory = [link.bandwidth for link in engine.all_links if link.name == f"memory-{count - 1}"]
numbers = range(count if count < 100 else 0)
routes = {(a, b): hosts[a].route_to(hosts[b]) for a in numbers for b in numbers if a != b}
names = {pair: [link.name for link in links] for pair, (links, _) in routes.items()}
pairs = [[(one, (one + distance) % count) for one in range(count)] for distance in range(1, count)]
load = lambda some: max(Counter(link for pair in some for link in names[pair]).values(), default=0)
if routes:
    found["loads"] = [load(some) for some in pairs]
    found["hops"] = [max(len(names[pair]) for pair in some) for some in pairs]
    found["uniform"] = load(names)
    found["latency_s"] = max(latency for _, latency in routes.values())
print(json.dumps(found | {"memory": memory}))
"""


def read(path: Path) -> dict[str, Any]:
    done = subprocess.run([PYTHON, "-c", READ, str(path)], capture_output=True, text=True, check=False)
    if "No module named 'simgrid'" in done.stderr or done.returncode == 127:
        pytest.skip("SimGrid's Python module is not installed (Debian and Ubuntu: apt install python3-simgrid)")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("shape", "nodes"),
    [
        ({"topology": "crossbar"}, 6),
        ({"topology": "torus", "dimensions": [4, 3, 2]}, 24),
        ({"topology": "torus", "dimensions": [8, 5]}, 40),
        ({"topology": "fat_tree", "down": [4, 3, 2], "up": [1, 2, 2], "links": [1, 1, 2]}, 24),
        ({"topology": "dragonfly", "groups": 3, "chassis": 2, "routers": 4, "nodes_per_router": 2}, 48),
        ({"topology": "dragonfly", "groups": 4, "chassis": 1, "routers": 4, "nodes_per_router": 2}, 32),
    ],
)
def test_routes(shape: dict[str, Any], nodes: int, tmp_path: Path) -> None:
    platform = plain(nodes, 4, shape)
    file = tmp_path / "platform.xml"
    file.write_text(as_simgrid(platform), encoding="utf-8")
    found = read(file)
    assert (found["hosts"], found["cores"], found["flops_per_s"]) == (nodes, 4, 1e9)
    assert found["memory"] == [10e9]
    topology = platform.network.shape
    assert found["uniform"] == uniform_load(topology, nodes)
    distances = range(1, nodes)
    loads = [float(load) for load in shift_load(topology, nodes, list(distances))]
    for counted, load in zip(found["loads"], loads, strict=True):
        # The model's steps of a torus and links of a tree are means.
        assert load - 1e-9 <= counted <= 2 * load
    if shape["topology"] in ("crossbar", "dragonfly"):
        assert found["loads"] == loads
    hops = [float(one) for one in shift_hops(topology, nodes, list(distances))]
    assert all(counted <= most <= counted + 1 for counted, most in zip(found["hops"], hops, strict=True))
    assert found["latency_s"] <= LINK_S * most_hops(topology, nodes) * (1 + 1e-9)


def test_known_machines_are_read(tmp_path: Path) -> None:
    for name in known_platforms():
        file = tmp_path / f"{name}.xml"
        file.write_text(as_simgrid(named_platform(name)), encoding="utf-8")
        assert read(file)["hosts"] == named_platform(name).nodes


def test_a_dragonfly_that_simgrid_cannot_route() -> None:
    shape = {"topology": "dragonfly", "groups": 4, "chassis": 2, "routers": 2, "nodes_per_router": 1}
    with pytest.raises(Misuse, match="groups is 4: SimGrid's dragonflies have at most as many groups as routers"):
        as_simgrid(plain(16, 4, shape))
