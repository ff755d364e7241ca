"""The commands that are interrupted, and the small problems that the solvers are given."""

from __future__ import annotations

import random
from pathlib import Path

_SHORT = ["--budget", "3s", "--max-pairs", "20"]

# PROBLEMS stands for the folder of `write_problems`.
COMMANDS: dict[str, list[str]] = {
    "compare": ["compare", *_SHORT, "sleep 0.01", "sleep 0.02"],
    "tune": ["tune", *_SHORT, "--param", "S=0.01,0.02,0.03", "--", "sleep", "{S}"],
    "scale": ["scale", *_SHORT, "--threads", "1,2", "--", "sleep", "0.01"],
    "gate": ["gate", *_SHORT, "--", "sleep", "0.01", ":::", "sleep", "0.02"],
    "pin": ["pin", *_SHORT, "--", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"],
    "climb": ["climb", "_template", "--size", "quick", "--budget", "2s"],
    "probe": ["probe", "--quick", "--refresh"],
    "doctor": ["doctor"],
    "list": ["list", "--campaigns"],
    "report": ["report"],
    "solve tsp": ["solve", "tsp", "PROBLEMS/cities.tsp", "--time", "2s", "--out", "PROBLEMS/out.tour"],
    "solve network": ["solve", "network", "PROBLEMS/network", "--time", "2s"],
    "solve ft": ["solve", "ft", "--class", "S"],
    "solve conv": ["solve", "conv", "PROBLEMS/layers.conf"],
}

_NODES = "node_id,x_coord,y_coord,node_type,handling_cost,dwell_h\nP,0,0,depot,,\nH,50,10,hub,2,4\nK,100,0,customer,,\n"
_LINKS = (
    "link_id,from_node_id,to_node_id,directed,length,free_speed,toll,capacity_t,indirect,surcharge\n"
    "a,P,H,true,50,80,,60,,\nb,H,K,true,50,80,,60,,\nf,P,K,true,120,90,,,true,30\n"
)
_DEMAND = "demand_id,month,from_node_id,to_node_id,tonnes\nd1,1,P,K,20\n"


def write_problems(folder: Path) -> None:
    """Write a tour's cities, a network and a list of layers."""
    draw = random.Random(1)
    cities = "".join(f"{place} {draw.random() * 1e6:.0f} {draw.random() * 1e6:.0f}\n" for place in range(1, 2001))
    (folder / "cities.tsp").write_text(
        f"NAME: cities\nTYPE: TSP\nDIMENSION: 2000\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{cities}EOF\n",
        encoding="ascii",
    )
    network = folder / "network"
    network.mkdir()
    for name, text in (("node", _NODES), ("link", _LINKS), ("demand", _DEMAND)):
        (network / f"{name}.csv").write_text(text, encoding="ascii")
    (folder / "layers.conf").write_text("2\n32 32 32 32 1\n64 16 16 64 1\n", encoding="ascii")
