"""The list of campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rooftop.campaign.kind import kind_names
from rooftop.report.figure_page import Cell, Field, Form, Lines, Links, Part, Table
from rooftop.report.frame import Link
from rooftop.serve import stored
from rooftop.serve.asked import Paged, Searched, Text
from rooftop.serve.place import Site
from rooftop.serve.stored import Campaign, Condition
from rooftop.serve.view import View, clock, cut, shortened
from rooftop.store.protocol import Store
from rooftop.text.plural import plural
from rooftop.text.quantities import whole

SCHEMA = "rooftop/campaigns/1"
PER_PAGE = 50


class Asked(Searched):
    """Which campaigns."""

    kind: Text = ""
    machine: Text = ""


def _condition(asked: Asked) -> Condition:
    found = Condition()
    if asked.kind:
        found &= stored.of_kind(asked.kind)
    if asked.machine:
        found &= stored.on_machine(asked.machine)
    if asked.text:
        in_request = stored.has_text(stored.in_json(asked.text), "campaign.request")
        found &= stored.has_text(asked.text, "campaign.id") | in_request
    return found


def samples_of(store: Store, names: list[str]) -> dict[str, int]:
    """Return the numbers of samples of campaigns, as far as they have any."""
    if not names:
        return {}
    counted = f"""
    SELECT "case".campaign, count(*) FROM sample
    JOIN arm ON arm.id = sample.arm_id JOIN "case" ON "case".id = arm.case_id
    WHERE "case".campaign IN ({stored.marks(names)}) GROUP BY "case".campaign
    """
    return dict(store.execute(counted, names))


def state_of(campaign: Campaign, under_way: str | None) -> str:
    """Return what a campaign is in, in the words of ``rooftop list``."""
    if campaign.finished is not None:
        return "finished"
    if campaign.in_part:
        return "copied in part"
    return "running" if campaign.id == under_way else "interrupted"


def view(site: Site, store: Store, asked: Asked) -> View:
    """Return a page of the list."""
    condition = _condition(asked)
    (count,) = store.execute(f"SELECT count(*) FROM campaign WHERE {condition.sql}", condition.values).fetchone()
    shown = stored.campaigns(store, condition, (asked.page - 1) * PER_PAGE, PER_PAGE)
    samples, under_way = samples_of(store, [one.id for one in shown]), site.under_way()
    rows = [
        {
            "id": one.id,
            "kind": one.kind,
            "started": one.started,
            "finished": one.finished,
            "state": state_of(one, under_way),
            "samples": samples.get(one.id, 0),
            "subject": one.subject,
            "machine": one.machine,
        }
        for one in shown
    ]
    pages = max(1, -(-count // PER_PAGE))
    content = {"schema": SCHEMA, "page": asked.page, "pages": pages, "count": count, "campaigns": rows}
    return View("Campaigns", f"{plural(count, 'campaign')} in {site.place}", _parts(asked, shown, rows, pages), content)


def _parts(asked: Asked, shown: list[Campaign], rows: Sequence[Mapping[str, object]], pages: int) -> list[Part]:
    kinds = [("", "all"), *((name, name) for name in dict.fromkeys([*kind_names(), *filter(None, [asked.kind])]))]
    form = Form(
        "Choose",
        "/campaigns",
        [Field("text", "Text", asked.text), Field("kind", "Kind", asked.kind, kinds)],
        "Show",
        [("machine", asked.machine)] if asked.machine else [],
        f"Only those of machine {asked.machine} are listed." if asked.machine else "",
    )
    if not shown:
        return [form, Lines("List", ["No campaign is like this."])]
    cells = [
        [
            Cell(cut(one.id), address=one.address),
            Cell(shortened(one.subject)),
            Cell(cut(one.kind)),
            Cell(str(row["state"])),
            Cell(clock(one.started)),
            Cell(whole(int(str(row["samples"]))), float(str(row["samples"]))),
        ]
        for one, row in zip(shown, rows, strict=True)
    ]
    table = Table(
        "List",
        ["campaign", "what", "kind", "state", "started (UTC)", "samples"],
        cells,
        frozenset({5}),
        long=frozenset({1}),
    )
    return [form, table, *paging("/campaigns", asked, pages)]


def paging(address: str, asked: Paged, pages: int) -> list[Part]:
    """Return links to the other pages of a list; nothing where there is one page."""
    if pages <= 1:
        return []
    wanted = {"First": 1, "Newer": asked.page - 1, "Older": asked.page + 1, "Last": pages}
    links = [
        Link(text, address + asked.query(page=page))
        for text, page in wanted.items()
        if 1 <= page <= pages and page != asked.page
    ]
    return [Links("Pages", links, f"Page {asked.page} of {pages}.")]
