"""The report in a real browser: it draws, stays silent, asks the network for nothing, and fits the screen."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from chromium import Scheme, draw_all, opened
from playwright.sync_api import Browser, expect
from synthetic_climb import ALL

from rooftop.documents import ClimbDocument

WIDTHS = (1280, 390)
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


# every combination for the report as it usually is; the odd ones once wide and once narrow
LOOKS = [("realistic", width, scheme) for width in WIDTHS for scheme in SCHEMES]
LOOKS += [(name, *look) for name in ALL if name != "realistic" for look in ((1280, "light"), (390, "dark"))]


@pytest.mark.parametrize(("name", "width", "scheme"), LOOKS)
def test_draws_in_silence_without_the_network_and_fits(
    browser: Browser, reports: dict[str, Path], name: str, width: int, scheme: Scheme
) -> None:
    with opened(browser, reports[name], width, scheme) as (page, seen):
        count = draw_all(page)
        assert count > 0 or name == "barren"
        for at in range(count):
            figure = page.locator(".view:not([hidden]) .plot").nth(at)
            assert figure.locator(".trace, .scatterlayer path.point").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert dark == ("rgb(21, 23, 26)" if scheme == "dark" else "rgb(252, 252, 250)")
        assert seen.messages == []
        assert seen.requests == [reports[name].as_uri()]


def test_every_case_can_be_shown(browser: Browser, reports: dict[str, Path]) -> None:
    with opened(browser, reports["realistic"]) as (page, seen):
        for option in page.locator("#experiment-0-select option").all():
            page.select_option("#experiment-0-select", option.get_attribute("value"))
            assert draw_all(page) >= 2
            view = page.locator(".view[data-of=experiment-0]:not([hidden])")
            assert view.count() == 1
            assert (option.text_content() or "") in (view.locator("h3").first.text_content() or "")
        assert seen.messages == []


def test_a_case_can_be_chosen_in_the_table_by_keyboard(browser: Browser, reports: dict[str, Path]) -> None:
    with opened(browser, reports["realistic"]) as (page, _):
        page.locator("a[data-show='case-3']").focus()
        page.keyboard.press("Enter")
        assert page.locator("#experiment-0-select").input_value() == "case-3"
        assert page.locator(".view[data-of=experiment-0][data-view=case-3]").is_visible()


def test_wrong_failed_and_skipped_rungs_are_named_with_their_reasons(
    browser: Browser, reports: dict[str, Path]
) -> None:
    with opened(browser, reports["realistic"]) as (page, _):
        page.select_option("#experiment-0-select", "case-3")
        draw_all(page)
        view = page.locator(".view[data-of=experiment-0][data-view=case-3]")
        words = view.locator(".plot.staircase .annotation-text").all_text_contents()
        assert {"wrong", "skipped"} <= set(words)
        assert "differs by 0.31 of the largest value" in view.inner_text()
        assert "more than this case's share of the budget" in view.inner_text()
        page.select_option("#experiment-0-select", "case-5")
        assert "killed by signal 11" in page.locator(".view[data-of=experiment-0][data-view=case-5]").inner_text()


def test_the_switch_turns_page_and_figures_dark(browser: Browser, reports: dict[str, Path]) -> None:
    with opened(browser, reports["realistic"]) as (page, seen):
        draw_all(page)
        bar = page.locator(".plot.staircase .bars path").nth(1)  # the first is hatched
        expect(bar).to_have_css("fill", "rgb(0, 103, 165)")
        page.locator("#theme").focus()
        page.keyboard.press("Enter")
        expect(bar).to_have_css("fill", "rgb(92, 179, 234)")
        assert page.locator("#theme").get_attribute("aria-pressed") == "true"
        assert seen.messages == []


def test_the_samples_download_holds_every_sample(browser: Browser, reports: dict[str, Path]) -> None:
    for name in ("realistic", "hostile", "barren"):
        document = ALL[name]()
        with opened(browser, reports[name]) as (page, _):
            with page.expect_download() as download:
                page.click("a[data-download=samples]")
            path = download.value.path()
            assert download.value.suggested_filename == f"{document.campaign}-samples.csv"
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        nothing: list[float | None] = [None]
        wanted = [
            (experiment.name, f"'{case.case}" if case.case.startswith("=") else case.case, rung.name, sample)
            for experiment in document.experiments
            for case in experiment.cases
            for rung in case.rungs
            for sample in (rung.samples_s or nothing)  # no cell begins a formula
        ]
        found = [
            (
                row["experiment"],
                row["case"],
                row["rung"],
                float(row["seconds_per_run"]) if row["seconds_per_run"] else None,
            )
            for row in rows
        ]
        assert found == wanted


def test_the_other_downloads_are_the_results_and_the_document(browser: Browser, reports: dict[str, Path]) -> None:
    document = ALL["hostile"]()
    with opened(browser, reports["hostile"]) as (page, _):
        with page.expect_download() as download:
            page.click("a[data-download=document]")
        again = ClimbDocument.model_validate_json(download.value.path().read_text(encoding="utf-8"))
        with page.expect_download() as download:
            page.click("a[data-download=results]")
        rows = list(csv.DictReader(download.value.path().read_text(encoding="utf-8").splitlines(keepends=True)))
    assert json.loads(again.model_dump_json()) == json.loads(document.model_dump_json())
    assert len(rows) == sum(len(case.rungs) for experiment in document.experiments for case in experiment.cases)


def test_the_raw_figures_sort_by_number_both_ways_with_the_absent_last(
    browser: Browser, reports: dict[str, Path]
) -> None:
    with opened(browser, reports["realistic"]) as (page, _):
        heading = page.locator("table.raw thead button", has_text="Median")
        values = "Array.from(document.querySelectorAll('table.raw tbody tr'), (row) => row.cells[5].dataset.value)"
        for sign, state in ((1, "ascending"), (-1, "descending")):
            heading.press("Enter")
            column = page.evaluate(values)
            present = [float(value) for value in column if value]
            assert present == sorted(present, reverse=sign < 0)
            assert all(value == "" for value in column[len(present) :])
            assert page.locator("table.raw th[aria-sort]").get_attribute("aria-sort") == state


def test_on_paper_the_page_is_light_and_nothing_is_cut_off(browser: Browser, reports: dict[str, Path]) -> None:
    with opened(browser, reports["realistic"], scheme="dark") as (page, seen):
        draw_all(page)
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(252, 252, 250)"
        assert page.locator(".scroll.tall").evaluate("(box) => getComputedStyle(box).maxHeight") == "none"
        assert seen.messages == []


def test_reads_without_scripts(browser: Browser, reports: dict[str, Path]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(reports["realistic"].as_uri())
    assert page.locator(".view[data-view=case-3]").is_visible()
    context.close()
