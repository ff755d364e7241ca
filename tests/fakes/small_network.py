"""A transport network small enough to know all about, as files to write and to spoil."""

from __future__ import annotations

from pathlib import Path

TABLES = {
    "node": (
        "node_id,x_coord,y_coord,node_type,handling_cost,dwell_h\n"
        "P,0,0,depot,,\n"
        "H,50,10,hub,2,4\n"
        "J,50,-40,,,\n"
        "K,100,0,customer,,\n"
        "L,110,-30,customer,,\n"
    ),
    "link": (
        "link_id,from_node_id,to_node_id,directed,length,free_speed,toll,capacity_t,indirect,surcharge\n"
        "a,P,H,true,50,80,,60,,\n"
        "b,H,K,true,50,80,,60,,\n"
        "c,P,J,true,70,50,5,,,\n"
        "d,J,K,true,70,50,,,,\n"
        "e,K,L,false,32,60,,40,,\n"
        "f,P,L,true,120,90,,,true,30\n"
    ),
    "demand": (
        "demand_id,month,from_node_id,to_node_id,tonnes\nd1,1,P,K,20\nd2,1,P,L,12.5\nd3,2,P,K,8.125\nd4,2,P,L,30\n"
    ),
}


def write_tables(folder: Path, **changed: str) -> Path:
    """Write the tables, some of them as they are given."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (TABLES | changed).items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder
