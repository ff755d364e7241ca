"""What can be told of the report without a browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean, median

import pytest
from synthetic_climb import ALL, HOSTILE, realistic

from rooftop import report
from rooftop.report.ladder import gain
from rooftop.report.palette import SHADES, light_to_dark
from rooftop.report.sections import discover


class _Elements(HTMLParser):
    """Collects the elements and the text of executable scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def _elements(path: Path) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Elements()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser.elements


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_loaded_from_anywhere(reports: dict[str, Path], name: str) -> None:
    for tag, attributes in _elements(reports[name]):
        for attribute in ("src", "href", "action", "srcset", "poster", "data"):
            target = attributes.get(attribute)
            assert target is None or target.startswith("#") or target == "data:,", (tag, attribute, target)


@pytest.mark.parametrize("name", ALL)
def test_names_are_text_and_ids_are_unique(reports: dict[str, Path], name: str) -> None:
    elements = _elements(reports[name])
    assert (
        sum(tag == "script" for tag, _ in elements)
        == sum(tag == "script" for tag, _ in _elements(reports["realistic"]))
        + len([0 for e in ALL[name]().experiments if e.cases])
        - 2
    )
    assert not any(tag == "img" for tag, _ in elements)
    identifiers = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    assert HOSTILE not in reports[name].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ALL)
def test_every_link_within_the_page_leads_somewhere(reports: dict[str, Path], name: str) -> None:
    elements = _elements(reports[name])
    identifiers = {attributes["id"] for _, attributes in elements if "id" in attributes}
    targets = {str(attributes["href"])[1:] for tag, attributes in elements if tag == "a"}
    labels = {str(attributes["aria-labelledby"]) for _, attributes in elements if "aria-labelledby" in attributes}
    assert targets | labels <= identifiers


def test_headline_says_the_figures_in_plain_words(reports: dict[str, Path]) -> None:
    text = re.sub(
        r"\s+", " ", re.sub(r"<[^>]+>", "", reports["realistic"].read_text(encoding="utf-8").split("</section>")[0])
    )
    assert "99-solver runs at 502 GFLOP/s over all 6 cases, 41 % of its roof (compute)" in text
    assert "times 10-naive, the first rung (on 5 of 6 cases)" in text
    assert "faster on 5, slower on 1 of 6 cases" in text
    assert "1 wrong, 1 failed, 8 skipped" in text


def test_an_empty_campaign_has_a_report(tmp_path: Path) -> None:
    path = tmp_path / "new" / "empty.html"
    report.write(realistic().model_copy(update={"experiments": [], "doubts": []}), path)
    assert "The campaign has no experiments." in path.read_text(encoding="utf-8")


def test_a_failed_write_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")

    def fail(*_: object) -> str:
        raise RuntimeError("cannot draw")

    monkeypatch.setattr("rooftop.report.frame.render", fail)
    with pytest.raises(RuntimeError, match="cannot draw"):
        report.write(realistic(), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_sections_are_found_by_their_files() -> None:
    modules = discover()
    folder = Path(report.__file__).parent / "sections"
    assert len(modules) == len([path for path in folder.glob("*.py") if path.stem != "__init__"])
    assert [module.ORDER for module in modules] == sorted(module.ORDER for module in modules)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("role", ["ink", "muted", "rung", "peer", "roof", "bandwidth", "alarm"])
def test_text_stands_out_from_the_paper(role: str, theme: str) -> None:
    paper, ink = (_luminance(getattr(SHADES[name], theme)) for name in ("paper", role))
    assert (max(paper, ink) + 0.05) / (min(paper, ink) + 0.05) >= 4.5  # WCAG 2.2, 1.4.3


def test_a_light_colour_has_one_dark_partner() -> None:
    assert len(light_to_dark()) == len(SHADES)


def test_a_gain_follows_the_rule_of_the_totals() -> None:
    experiment = realistic().experiments[0]
    names = [rung.name for rung in experiment.cases[1].rungs[:2]]
    for rule, middle in (("sum of work / sum of mean times", fmean), ("sum of work / sum of median times", median)):
        ruled = experiment.model_copy(update={"totals": [{"name": names[0], "rule": rule}]})
        times = [
            [
                middle(rung.samples_s)
                for case in ruled.cases
                if case.rungs[0].outcome == "ok"
                for rung in case.rungs
                if rung.name == name
            ]
            for name in names
        ]
        found = gain(ruled, names[1], names[0])
        assert found is not None
        assert found.ratio == pytest.approx(sum(times[0]) / sum(times[1]))
        assert found.scope == "on 5 of 6 cases"
