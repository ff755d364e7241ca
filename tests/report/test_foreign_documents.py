"""Climb documents of others: values without meaning are refused on one line, in bounded memory and time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from synthetic_climb import ALL

from rooftop.cli.app import main


def of_machine(**values: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda content: content["machine"].update({"topology_xml": None} | values)


def _works_text(content: dict[str, Any]) -> None:
    content["experiments"][0]["cases"][0]["rungs"][0]["work"] = {"memory_bytes": "x"}


REFUSED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "cores": of_machine(cores=10**9),
    "threads": of_machine(threads_per_core=10**9),
    "cores without threads": of_machine(cores=10**9, threads_per_core=0),
    "both below 0": of_machine(cores=-1, threads_per_core=10**9),
    "caches": of_machine(caches=[{"level": "L1", "bytes": 1, "shared_by": 1}] * 20_000),
    "texts for sizes": of_machine(caches=[{"level": "L1", "bytes": "x", "shared_by": "y"}]),
    "lists for sizes": of_machine(caches=[{"level": {"a": 1}, "bytes": [1]}]),
    "memory": of_machine(memory_bytes=10**4000),
    "work": _works_text,
}
ENTITIES = "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10))
TOPOLOGIES = {
    "deep": "<topology>" + '<object type="Group">' * 20_000 + "</object>" * 20_000 + "</topology>",
    "laughs": f'<!DOCTYPE t [<!ENTITY a0 "aaaaaaaaaa">{ENTITIES}]><topology subtype="&a9;"/>',
    "outside": '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><topology><object type="&x;"/></topology>',
}


def written(tmp_path: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    content = json.loads(ALL["realistic"]().model_dump_json(by_alias=True))
    change(content)
    file = tmp_path / "climb.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("change", REFUSED)
def test_values_without_meaning_are_refused(change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(written(tmp_path, REFUSED[change]))]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "internal error" not in told
    assert not (tmp_path / "climb.html").exists()


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("name", TOPOLOGIES)
def test_a_hostile_topology_is_not_drawn(name: str, tmp_path: Path) -> None:
    file = written(tmp_path, lambda content: content["machine"].update(topology_xml=TOPOLOGIES[name]))
    assert main(["report", str(file)]) == 0
    page = (tmp_path / "climb.html").read_text(encoding="utf-8")
    assert "root:x:0" not in page and len(page) < 20_000_000


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("text", ["", "[" * 200_000, '{"cores": ' + "9" * 6000 + "}", "\0", '"\\ud800"'])
def test_what_is_no_document_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "climb.json"
    file.write_text(text, encoding="utf-8")
    assert main(["report", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
