"""The topology as a tree and as a picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from synthetic_climb import HOSTILE
from synthetic_machine import machine, topology_xml

from rooftop.report.topology import Node, count, folded, from_caches, from_xml, svg


def test_xml_gives_packages_memory_caches_and_cores() -> None:
    tree = from_xml(topology_xml(packages=2, cores=4, threads=2))
    assert [count(tree, kind) for kind in ("package", "memory", "cache", "core", "thread")] == [2, 2, 18, 8, 16]
    assert "Made-up(R) Processor 8480" in tree.children[0].label


def test_caches_alone_give_a_tree() -> None:
    tree = from_caches(
        machine(
            cores=8,
            threads_per_core=2,
            caches=[
                {"level": "L1", "bytes": 32768, "shared_by": 2},
                {"level": "L2", "bytes": 1048576, "shared_by": 2},
                {"level": "L3", "bytes": 33554432, "shared_by": 8},
            ],
        )
    )
    assert [count(tree, kind) for kind in ("memory", "cache", "core", "thread")] == [1, 18, 8, 16]


@pytest.mark.parametrize(
    "xml", ["", "<topology", "<topology/>", "not xml", "<topology><object type='Bridge'/></topology>"]
)
def test_unreadable_xml_is_said_so(xml: str) -> None:
    with pytest.raises(ValueError, match="topology"):
        from_xml(xml)


def test_many_alike_are_drawn_once() -> None:
    tree = folded(from_xml(topology_xml(packages=2, cores=56, threads=2)))
    picture = svg(tree, "two packages")
    assert "56 × L2" in picture
    assert picture.count("<rect") < 30


def _rectangles(picture: str) -> list[tuple[float, float, float, float]]:
    root = ElementTree.fromstring(picture)
    return [
        (x, y, x + float(box.get("width", 0)), y + float(box.get("height", 0)))
        for box in root.iter("rect")
        for x, y in [(float(box.get("x", 0)), float(box.get("y", 0)))]
    ]


def test_boxes_lie_apart_or_within_each_other_and_inside_the_picture() -> None:
    for tree in (from_xml(topology_xml(2, 3, 2)), from_caches(machine()), Node("machine", "Machine")):
        picture = svg(tree, "a machine")
        boxes = _rectangles(picture)
        _, _, right, bottom = map(float, str(ElementTree.fromstring(picture).get("viewBox")).split())
        for a in boxes:
            assert a[0] >= 0 and a[1] >= 0 and a[2] <= right and a[3] <= bottom
            for b in boxes:
                overlap = min(a[2], b[2]) - max(a[0], b[0]) > 0.01 and min(a[3], b[3]) - max(a[1], b[1]) > 0.01
                within = (a[0] >= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] <= b[3]) or (
                    b[0] >= a[0] and b[1] >= a[1] and b[2] <= a[2] and b[3] <= a[3]
                )
                assert not overlap or within


def test_names_in_the_picture_are_text() -> None:
    root = ElementTree.fromstring(svg(Node("machine", HOSTILE), HOSTILE))
    assert [element.text for element in root.iter("text")] == [HOSTILE]
