"""Tables as osm2gmns, pandas and spreadsheets write them: what they say is read, and what they lack is remarked."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from any_input import examples
from hypothesis import given
from hypothesis import strategies as st
from small_network import TABLES, write_tables

from rooftop.cli.app import main
from rooftop.errors import MISUSE, Misuse, NotBuilt
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network import run as network_run
from rooftop.solvers.network.document import NetworkDocument
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import Network, read_network


@pytest.fixture(autouse=True)
def young_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a search counts from the start of its process, which here is pytest's."""
    monkeypatch.setattr(network_run, "elapsed_s", lambda: 0.5)


def solved(capsys: pytest.CaptureFixture[str], folder: Path) -> tuple[NetworkDocument, str]:
    try:
        network_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    code = main(["solve", "network", str(folder), "--iterations", "50", "--threads", "1", "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return NetworkDocument.model_validate_json(captured.out), captured.err


def same(one: Network, other: Network) -> bool:
    return (one.nodes, one.links, one.demands, one.vehicle) == (other.nodes, other.links, other.demands, other.vehicle)


@pytest.mark.case("solvers.E4")
def test_a_link_of_length_zero_costs_its_toll_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    links = TABLES["link"].replace("c,P,J,true,70,50,5", "c,P,J,true,0,50,5").replace("d,J,K,true,70", "d,J,K,true,0.0")
    folder = write_tables(tmp_path / "town", link=links)
    model = make_model(read_network([folder]))
    assert model.per_vehicle[:, 2:4].tolist() == [[5, 0], [0, 0], [0, 0]]
    assert not model.per_kg[:, 2:4].any()
    document, err = solved(capsys, folder)
    assert (document.valid, err) == (True, "")
    assert document.chosen is not None
    assert document.chosen.figures.cost > 0


@pytest.mark.case("solvers.E4")
def test_a_network_of_lengths_zero_has_a_plan(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    links = re.sub(r"(true|false),\d+,", r"\1,0,", TABLES["link"])
    document, _ = solved(capsys, write_tables(tmp_path / "town", link=links))
    assert document.chosen is not None
    assert document.chosen.figures.co2e == 0
    assert 0 < document.chosen.load_factor <= 1


@pytest.mark.case("solvers.E4.speed")
def test_a_missing_free_speed_is_taken_and_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    links = TABLES["link"].replace("50,80,,60", "50,,,60")  # two of six
    folder = write_tables(tmp_path / "town", link=links, config="long_length,speed\nmi,mph\n")
    network = read_network([folder])
    assert [link.free_speed for link in network.links[:2]] == [60, 60]
    assert network.links[2].free_speed == pytest.approx(50 * 1.609344)
    remark = f"{folder / 'link.csv'}: 2 of 6 links have no free_speed; assumed 60 km/h"
    assert network.remarks == (remark,)
    assert solved(capsys, folder)[1] == f"remark: {remark}\n"


@pytest.mark.case("solvers.E4.speed")
@pytest.mark.parametrize("column", ["facility_type", "link_type_name"])
def test_the_type_of_a_road_tells_its_speed(tmp_path: Path, column: str) -> None:
    rows = [line.split(",") for line in TABLES["link"].splitlines()]
    for row in rows[1:-1]:
        row[5] = ""
    roads = [column, "motorway", "Motorway_link", "residential", "", "railway", "trunk"]  # the last has a speed
    text = "".join(",".join([*row, road]) + "\n" for row, road in zip(rows, roads, strict=True))
    network = read_network([write_tables(tmp_path, link=text)])
    assert [link.free_speed for link in network.links] == [120, 120, 30, 60, 60, 90]
    taken = "120 km/h (2 motorway), 30 km/h (1 residential), 60 km/h (2 others)"
    assert network.remarks == (f"{tmp_path / 'link.csv'}: 5 of 6 links have no free_speed; assumed {taken}",)


@pytest.mark.case("solvers.E4.loops")
def test_links_that_lead_nowhere_are_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    loops = "x,H,H,true,5,50,,,,\ny,K,K,false,5,50,,,,\n"
    folder = write_tables(tmp_path / "town", link=TABLES["link"] + loops)
    network = read_network([folder])
    assert same(network, read_network([write_tables(tmp_path / "plain")]))
    remark = f"{folder / 'link.csv'}: line 8: link 'x' ends at its start; 2 of 8 links are such loops and are ignored"
    assert network.remarks == (remark,)
    document, err = solved(capsys, folder)
    assert (document.links, err) == (6, f"remark: {remark}\n")


@pytest.mark.case("solvers.E4.floats")
def test_whole_numbers_as_pandas_writes_them(tmp_path: Path) -> None:
    numbers = {"P": "1", "H": "2", "J": "3", "K": "4", "L": "5"}

    def renamed(floats: set[str]) -> dict[str, str]:
        tables = {}
        for name, text in TABLES.items():
            suffix = ".0" if name in floats else ""
            tables[name] = re.sub(r"\b[PHJKL]\b", lambda match: numbers[match[0]] + suffix, text)  # noqa: B023
        return tables

    plain = read_network([write_tables(tmp_path / "plain", **renamed(set()))])
    for i, floats in enumerate(({"node"}, {"link"}, {"demand", "link"}, {"node", "link", "demand"})):
        assert same(plain, read_network([write_tables(tmp_path / str(i), **renamed(floats))]))
    flags = TABLES["link"].replace(",true,30", ",1.0,30")
    for true, false in (("1.0", "0.0"), ("TRUE", "FALSE"), ("True", "False"), ("1", "0"), ("t", "f")):
        text = flags.replace("true", true).replace("false", false)
        demands = re.sub(r"(d\d,\d)", r"\1.0", TABLES["demand"])
        assert same(
            read_network([write_tables(tmp_path / "flags")]),
            read_network([write_tables(tmp_path / true, link=text, demand=demands)]),
        )


@pytest.mark.case("solvers.E4.floats")
def test_an_id_that_is_there_as_both(tmp_path: Path) -> None:
    nodes = TABLES["node"] + "7,0,0,,,\n7.0,0,0,,,\n"
    with pytest.raises(Misuse, match="node_id '7' appears a second time"):
        read_network([write_tables(tmp_path, node=nodes)])
    kept = ["1.10", "1.00", "v1.0", "1.0.0", "1.", ".0"]
    nodes = TABLES["node"] + "".join(f"{name},0,0,,,\n" for name in kept)
    assert [node.node_id for node in read_network([write_tables(tmp_path, node=nodes)]).nodes[5:]] == kept


@pytest.mark.case("solvers.E4.latin1")
def test_tables_in_latin_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def named(text: str) -> str:
        return re.sub(r"\bK\b", "Köln–Süd", text)

    tables = {name: named(text) for name, text in TABLES.items()}
    folder = write_tables(tmp_path / "town", **tables)
    expected = read_network([folder])
    for name, text in tables.items():
        (folder / f"{name}.csv").write_bytes(text.encode("cp1252"))
    network = read_network([folder])
    assert same(network, expected)
    assert network.nodes[3].node_id == "Köln–Süd"
    lines = {"node": 5, "link": 3, "demand": 2}
    assert network.remarks == tuple(
        f"{folder / name}.csv: line {line} is not UTF-8; the table is read as Latin-1" for name, line in lines.items()
    )
    assert solved(capsys, folder)[1].count("read as Latin-1\n") == 3


@pytest.mark.case("solvers.E4.names")
@pytest.mark.parametrize("change", [str.capitalize, str.upper, str.title])
def test_names_of_files_in_upper_case(tmp_path: Path, change: object) -> None:
    assert callable(change)
    folder = write_tables(tmp_path / "town", config="long_length\nmi\n")
    expected = read_network([folder])
    names = [f"{name}.csv" for name in ("node", "link", "demand", "config")]
    files = [(folder / name).rename(folder / change(name)) for name in names]
    (folder / "README.txt").write_text("", encoding="utf-8")
    assert same(read_network([folder]), expected)
    assert same(read_network(files), expected)
    wider = "".join(f"{line},x\n" for line in TABLES["node"].splitlines()).replace("dwell_h,x", "dwell_h,zone_id")
    files[0].write_text(wider, encoding="utf-8")
    assert read_network([folder]).remarks == ()  # GMNS's columns are known by the table's name


@pytest.mark.case("solvers.E4.names")
def test_two_files_of_one_name_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "town")
    (folder / "Node.csv").write_text(TABLES["node"], encoding="utf-8")
    code = main(["solve", "network", str(folder)])
    captured = capsys.readouterr()
    assert (code, captured.out, captured.err.count("\n")) == (MISUSE, "", 1)
    assert f"node.csv: the table is already given by {folder / 'Node.csv'}; expected one of them" in captured.err


@given(
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]),
    floats=st.booleans(),
    loops=st.integers(0, 3),
    zero=st.booleans(),
    speeds=st.booleans(),
    file=st.sampled_from([str.lower, str.upper, str.capitalize]),
)
@examples(40)
def test_any_of_it_together_is_a_network(
    tmp_path_factory: pytest.TempPathFactory,
    encoding: str,
    floats: bool,
    loops: int,
    zero: bool,
    speeds: bool,
    file: object,
) -> None:
    assert callable(file)
    links = TABLES["link"] + "".join(f"x{i},H,H,true,1,50,,,,\n" for i in range(loops))
    links = links.replace("50,80,,60", "0,80,,60") if zero else links
    links = links if speeds else links.replace(",80,", ",,")
    folder = tmp_path_factory.mktemp("any")
    for name, text in (TABLES | {"link": links}).items():
        names = re.sub(r"\bP\b", "7.0" if floats else "7", text) if name == "demand" else re.sub(r"\bP\b", "7", text)
        content = re.sub(r"\bJ\b", "Jülich", names).encode(encoding)
        (folder / file(f"{name}.csv")).write_bytes(content)
    network = read_network([folder])
    model = make_model(network)
    assert (len(network.links), len(model.tail)) == (6, 7)
    assert np.all(np.isfinite(model.per_vehicle)) and np.all(model.per_vehicle >= 0)
    said = " ".join(network.remarks)
    assert ("such loops" in said) == (loops > 0)
    assert ("60 km/h" in said) == (not speeds)
    assert ("Latin-1" in said) == (encoding == "cp1252")
