"""Reading a transport network's tables: what they say is read, and what makes no sense is told in one line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_network import TABLES, write_tables

from rooftop.errors import Misuse
from rooftop.solvers.network.capacity import month_beyond_capacity
from rooftop.solvers.network.emissions import fuel_l_per_km
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.network.vehicle import Vehicle


def test_tables_are_read(tmp_path: Path) -> None:
    network = read_network([write_tables(tmp_path / "town", config="long_length,speed\nmi,m/s\n")])
    assert (network.name, len(network.nodes), len(network.links), len(network.demands)) == ("town", 5, 6, 4)
    assert network.links[0].length == pytest.approx(50 * 1.609344)
    assert network.links[0].free_speed == pytest.approx(80 * 3.6)
    assert network.demands[2].tonnes == Decimal("8.125")
    model = make_model(network)
    assert (len(model.tail), model.months, list(model.kg)) == (7, (1, 2), [20000, 12500, 8125, 30000])


def test_files_are_told_by_their_names(tmp_path: Path) -> None:
    folder = write_tables(tmp_path, vehicle="payload_t,curb_t\n12.5,5.5\n")
    network = read_network([folder / f"{name}.csv" for name in ("vehicle", "demand", "link", "node")])
    assert network.vehicle.payload_kg == 12_500


def test_fuel_is_that_of_a_lorry_of_40_tonnes() -> None:
    vehicle = Vehicle()
    assert fuel_l_per_km(vehicle, 0, 80) == pytest.approx(0.26, abs=0.005)
    assert fuel_l_per_km(vehicle, 26, 80) == pytest.approx(0.38, abs=0.005)
    # The most economical speed lies between crawling and racing.
    assert fuel_l_per_km(vehicle, 10, 60) < min(fuel_l_per_km(vehicle, 10, 15), fuel_l_per_km(vehicle, 10, 110))


BAD = [
    ("node", "", "empty"),
    ("node", "node_id,node_type\n", "no row"),
    ("node", TABLES["node"] + "P,1,1,depot,,\n", "'P' appears a second time"),
    ("node", TABLES["node"].replace("customer", "shop"), "node_type is 'shop'"),
    ("node", TABLES["node"].replace("50,10,hub", "nan,10,hub"), "x_coord is 'nan'"),
    ("node", TABLES["node"].replace("hub,2,4", ",2,4"), "not a hub"),
    ("node", TABLES["node"].replace("x_coord", "node_id"), "'node_id' appears twice"),
    ("node", "id\nP\n", "'node_id' is missing"),
    ("link", TABLES["link"].replace("50,80,,60", "50,80,,-60"), "capacity_t is '-60'"),
    ("link", TABLES["link"].replace("50,80,,60", "50,80,,nan"), "capacity_t is 'nan'"),
    ("link", TABLES["link"].replace("50,80,,60", "fifty,80,,60"), "length is 'fifty'"),
    ("link", TABLES["link"].replace("50,80,,60", "50,0,,60"), "free_speed is '0'"),
    ("link", TABLES["link"].replace("50,80,,60", "1e400,80,,60"), "length is '1e400'"),
    ("link", TABLES["link"].replace("b,H,K", "a,H,K"), "'a' appears a second time"),
    ("link", TABLES["link"].replace("b,H,K", "b,H,Z"), "to_node_id is 'Z'"),
    ("link", TABLES["link"].replace("50,80,,60", "-0.5,80,,60"), "length is '-0.5'"),
    ("link", TABLES["link"].replace("b,H,K,true", "b,H,K,2.0"), "directed is '2'"),
    ("link", TABLES["link"].splitlines()[0] + "\na,H,H,true,50,80,,,,\n", "all links end at their start"),
    ("link", TABLES["link"].replace("true,30\n", ",30\n"), "not indirect"),
    ("link", TABLES["link"].replace("b,H,K,true", "b,H,K,maybe"), "directed is 'maybe'"),
    ("link", TABLES["link"][:-20], "cells; expected 10"),
    ("link", TABLES["link"] + 'g,"P,H', "not a CSV table"),
    ("demand", TABLES["demand"].replace("d2,1,P,L,12.5", "d1,1,P,L,12.5"), "'d1' appears a second time"),
    ("demand", TABLES["demand"].replace("P,L,12.5", "P,Z,12.5"), "to_node_id is 'Z'"),
    ("demand", TABLES["demand"].replace("P,L,12.5", "P,H,12.5"), "a hub; expected a customer"),
    ("demand", TABLES["demand"].replace("P,L,12.5", "J,L,12.5"), "a node without a type; expected a depot"),
    ("demand", TABLES["demand"].replace("12.5", "0"), "tonnes is '0'"),
    ("demand", TABLES["demand"].replace("12.5", "12.5005"), "tonnes is '12.5005'"),
    ("demand", TABLES["demand"].replace("12.5", "inf"), "tonnes is 'inf'"),
    ("demand", TABLES["demand"].replace("d2,1", "d2,0"), "month is '0'"),
    ("demand", TABLES["demand"].replace("d2,1", "d2,1.5"), "month is '1.5'"),
    ("vehicle", "payload_t\n0\n", "payload_t is '0'"),
    ("vehicle", "payload_t\n10\n12\n", "a second row"),
    ("config", "long_length\nfurlong\n", "long_length is 'furlong'"),
]


@pytest.mark.parametrize(("table", "text", "says"), BAD)
def test_what_makes_no_sense_is_one_line(tmp_path: Path, table: str, text: str, says: str) -> None:
    with pytest.raises(Misuse) as told:
        read_network([write_tables(tmp_path, **{table: text})])
    assert says in str(told.value)
    assert "\n" not in str(told.value)
    assert f"{table}.csv" in str(told.value)


def spoiled(tmp_path: Path, **tables: str) -> str:
    with pytest.raises(Misuse) as told:
        read_network([write_tables(tmp_path, **tables)])
    assert "\n" not in str(told.value)
    return str(told.value)


@pytest.mark.case("solvers.D1")
@pytest.mark.parametrize(("delimiter", "called"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_another_delimiter_is_named(tmp_path: Path, delimiter: str, called: str) -> None:
    said = spoiled(tmp_path, node=TABLES["node"].replace(",", delimiter))
    assert "node.csv: the column 'node_id' is missing: columns 'node_id', 'x_coord', 'y_coord'" in said
    assert said.endswith(f"are separated by {called}; expected commas")


@pytest.mark.case("solvers.D1")
def test_a_column_that_is_missing_is_told_with_those_that_are_there(tmp_path: Path) -> None:
    header, _, rows = TABLES["link"].partition("\n")
    said = spoiled(tmp_path, link=f"{header.upper()}\n{rows}")
    assert "link.csv: the column 'link_id' is missing: the columns are 'LINK_ID', 'FROM_NODE_ID'" in said
    assert said.endswith("expected names in lower case")
    said = spoiled(tmp_path, link=TABLES["link"].replace("length", "len"))
    assert "link.csv: the column 'length' is missing: the columns are 'link_id'," in said
    assert said.endswith("expected 'length' among them")
    many = ",".join(f"c{i}" for i in range(50))
    assert "and 30 more" in spoiled(tmp_path, demand=f"{many}\n{many}\n")


@pytest.mark.case("solvers.B5")
@pytest.mark.parametrize(("table", "text"), [("vehicle", "payload,curb\n12,5\n"), ("config", "long_lenght\nmi\n")])
def test_a_table_of_which_nothing_is_read(tmp_path: Path, table: str, text: str) -> None:
    said = spoiled(tmp_path, **{table: text})
    assert f"{table}.csv: unknown columns '{text.partition(',')[0].partition(chr(10))[0]}'" in said
    assert "expected some of '" in said


@pytest.mark.case("solvers.B5.some")
def test_columns_that_are_not_read_are_remarked(tmp_path: Path) -> None:
    changed = {
        "vehicle": "payload_t,curb\n12.5,5\n",
        "link": TABLES["link"]
        .replace("capacity_t", "capacity")
        .replace("indirect", "Indirect")
        .replace("true,30", ","),
        "node": TABLES["node"].replace("dwell_h", "colour"),
        "config": "long_length,currency\nkm,EUR\n",
    }
    network = read_network([write_tables(tmp_path, **changed)])
    remarks = [remark.partition(".csv: ignored columns: ") for remark in network.remarks]
    assert [(Path(file).name, said) for file, _, said in remarks] == [
        ("node", "'colour'"),
        ("link", "'capacity' (did you mean 'capacity_t'?), 'Indirect' (did you mean 'indirect'?)"),
        ("vehicle", "'curb' (did you mean 'curb_t'?)"),
    ]
    assert network.vehicle.payload_kg == 12_500


def test_columns_of_gmns_are_left_unread_without_a_word(tmp_path: Path) -> None:
    wider = "".join(f"{line},x\n" for line in TABLES["node"].replace("dwell_h", "dwell_h,zone_id").splitlines())
    assert wider.startswith("node_id,x_coord,y_coord,node_type,handling_cost,dwell_h,zone_id,x\n")
    text = wider.replace(",zone_id,x\n", ",zone_id\n")
    assert read_network([write_tables(tmp_path, node=text)]).remarks == ()


@pytest.mark.case("solvers.B5.payload")
def test_a_payload_is_not_cut_down_to_kilograms(tmp_path: Path) -> None:
    said = spoiled(tmp_path, vehicle="payload_t\n0.0015\n")
    assert "payload_t is '0.0015'" in said
    assert "whole kilograms" in said
    assert [Vehicle(payload_t=t).payload_kg for t in (0.001, 26.001, 1e6, 0.29)] == [1, 26_001, 10**9, 290]


def test_a_customer_out_of_reach(tmp_path: Path) -> None:
    links = "".join(line for line in TABLES["link"].splitlines(keepends=True) if line[0] not in "ef")
    with pytest.raises(Misuse, match="'d2': no path"):
        make_model(read_network([write_tables(tmp_path, link=links)]))


def test_a_shipment_that_fits_no_path(tmp_path: Path) -> None:
    links = TABLES["link"].replace("120,90,,,true", "120,90,,25,true").replace("32,60,,40", "32,60,,29.999")
    with pytest.raises(Misuse, match=r"'d4': the shipment is 30 t, but the widest path carries 29\.999 t"):
        make_model(read_network([write_tables(tmp_path, link=links)]))


@pytest.mark.case("solvers.A6.capacity")
def test_demands_beyond_the_capacities_are_proven(tmp_path: Path) -> None:
    narrow = TABLES["link"].replace("70,50,5,,", "70,50,5,4,").replace("120,90,,,", "120,90,,12.5,")
    fits = narrow.replace("50,80,,60", "50,80,,26")
    # 42.5 t can leave the depot in a month.
    demands = "demand_id,month,from_node_id,to_node_id,tonnes\nx,1,P,K,10\ny,3,P,K,20\nz,3,P,L,20\nw,3,P,K,3\n"
    model = make_model(read_network([write_tables(tmp_path, link=fits, demand=demands)]))
    assert month_beyond_capacity(model, 60) == 3
    assert month_beyond_capacity(model, 0) is None  # no time for a proof
    model = make_model(read_network([write_tables(tmp_path, link=fits, demand=demands.replace("w,3,P,K,3\n", ""))]))
    assert month_beyond_capacity(model, 60) is None


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "n")
    with pytest.raises(Misuse, match=r"node\.csv is missing"):
        read_network([folder / "link.csv"])
    with pytest.raises(Misuse, match="not a table of a network"):
        read_network([folder, tmp_path / "roads.csv"])
    with pytest.raises(Misuse, match="already"):
        read_network([folder, folder / "link.csv"])
    (folder / "link.csv").write_bytes(b"link_id\n\x81\n")
    with pytest.raises(Misuse, match="not a CSV table in UTF-8 or Latin-1"):
        read_network([folder])
    (folder / "link.csv").write_bytes(TABLES["link"].encode("utf-16"))
    with pytest.raises(Misuse, match="null bytes, as UTF-16 does; expected a CSV table in UTF-8"):
        read_network([folder])


@settings(max_examples=150, deadline=None)
@given(
    table=st.sampled_from(sorted(TABLES)),
    at=st.floats(0, 1),
    cut=st.integers(0, 12),
    put=st.text(alphabet='0123456789.,-"\n\x00 PHKtruenaxé', max_size=6),
)
def test_a_spoilt_file_is_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, table: str, at: float, cut: int, put: str
) -> None:
    """Whatever is done to a table, it is a network with finite figures or one line."""
    text = TABLES[table]
    place = int(at * len(text))
    folder = write_tables(tmp_path_factory.mktemp("spoilt"), **{table: text[:place] + put + text[place + cut :]})
    try:
        model = make_model(read_network([folder]))
    except Misuse as told:
        assert "\n" not in str(told)
    else:
        assert np.all(np.isfinite(model.per_vehicle)) and np.all(model.per_vehicle >= 0)
        assert np.all(model.kg > 0) and np.all(model.capacity_kg >= 0)
