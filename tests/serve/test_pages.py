"""Every address: its page, the same as JSON, and one line for what cannot be answered."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from served_site import Served
from served_store import HOSTILE

from rooftop.serve.asked import BadQuery, read_query
from rooftop.serve.campaigns import Asked

OF_ARM = {"experiment": "compare", "size": "commands", "case": "commands"}
ADDRESSES = {
    "/campaigns": "",
    "/machines": "",
    "/history": "",
    "/history/arm": urlencode({**OF_ARM, "arm": "./new --grid 64"}),
    "/history/gate": "benchmark=solve",
    "/sides": "",
    "/sides/machines": urlencode({"a": "a" * 16, "b": "b" * 16}),
    "/sides/revisions": urlencode({"a": f"{2:040x}", "b": f"{20:040x}"}),
    "/jobs": "",
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_address_has_a_page_and_a_document(server: Served, address: str) -> None:
    page = server.ask(f"{address}?{ADDRESSES[address]}")
    assert (page.code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    document = server.ask(f"{address}.json?{ADDRESSES[address]}")
    assert (document.code, document.headers["content-type"]) == (200, "application/json")
    assert document.content["schema"].startswith("rooftop/")
    assert server.ask(address, "HEAD").body == b""


def test_the_root_leads_to_the_list(server: Served) -> None:
    found = server.ask("/")
    assert (found.code, found.headers["location"]) == (307, "/campaigns")


def test_campaigns_are_paged_the_newest_first(server: Served) -> None:
    pages = [server.ask(f"/campaigns.json?page={page}").content for page in (1, 2, 3)]
    assert [len(one["campaigns"]) for one in pages] == [50, 4, 0]
    started = [one["started"] for page in pages for one in page["campaigns"]]
    assert started == sorted(started, reverse=True)
    assert pages[0]["pages"] == 2
    assert "Page 1 of 2." in server.ask("/campaigns").text


def ids(server: Served, **asked: str) -> list[str]:
    return [one["id"] for one in server.ask(f"/campaigns.json?{urlencode(asked)}").content["campaigns"]]


def test_campaigns_are_chosen_by_kind_machine_and_text(server: Served) -> None:
    assert len(ids(server, kind="gate")) == 25
    assert len(ids(server, kind="climb")) == 5  # one says nothing of its kind, as the oldest
    assert len(ids(server, machine="b" * 16)) == 2
    assert len(ids(server, text="--GRID")) == 16
    assert len(ids(server, text="--grid", kind="gate")) == 0
    assert len(ids(server, text=HOSTILE, kind="compare")) == 2
    assert ids(server, text="%") == ids(server, text="00{{")  # it stands for itself, and so does _
    assert ids(server, text="_passwd") == []
    assert ids(server, kind="' OR 1 = 1 --") == []


def test_histories_tell_where_the_level_changed(server: Served) -> None:
    (gates,) = server.ask("/history/gate.json?benchmark=solve").content["series"]
    (change,) = gates["change_points"]
    assert change["first"] == f"{16:040x}"
    assert change["ratio"] == pytest.approx(0.8, rel=0.01)
    assert len(gates["points"]) == 24
    (arm,) = server.ask(f"/history/arm.json?{ADDRESSES['/history/arm']}").content["series"]
    (change,) = arm["change_points"]
    assert change["time_ratio"] == pytest.approx(0.75, rel=0.02)
    assert change["first"] == arm["points"][9]["campaign"]
    page = server.ask("/history/gate?benchmark=solve").text
    assert "from 00000000000f" not in page  # the beginning of a commit, not its end
    assert "times the speed" in page


def test_all_that_is_listed_leads_to_a_history(server: Served) -> None:
    found = server.ask("/history.json").content["histories"]
    assert {one["experiment"] for one in found} == {"compare", "gate", "winograd"}
    for one in found:
        assert server.ask(one["address"]).code == 200, one


def test_two_machines_stand_side_by_side(server: Served) -> None:
    found = server.ask(f"/sides/machines.json?{ADDRESSES['/sides/machines']}").content
    assert [one["roofs"][0]["value"] for one in found["machines"]] == [4e11, 1e11]
    assert {one["arm"] for one in found["measured"]} == {"10-naive", "40-simd"}


def test_two_revisions_stand_side_by_side(server: Served) -> None:
    found = server.ask(f"/sides/revisions.json?{ADDRESSES['/sides/revisions']}").content
    (one,) = found["benchmarks"]
    assert (one["benchmark"], one["a"], one["b"]) == ("solve", f"{2:040x}", f"{20:040x}")
    assert one["speed_ratio"] == pytest.approx(0.8, rel=0.01)
    assert server.ask("/sides/revisions.json?a=0000&b=0000").content["benchmarks"] == []  # many begin so


REFUSED = {
    "/campaigns?page=0": (400, "'page' is '0'"),
    "/campaigns?page=1e9": (400, "'page'"),
    "/campaigns?page=99999999999999999999": (400, "'page'"),
    "/campaigns?order=id": (400, "'order' is not known here"),
    "/campaigns?kind=a&kind=b": (400, "'kind' is given more than once"),
    f"/campaigns?text={'x' * 300}": (400, "'text'"),
    "/history/arm?experiment=a": (400, "'size' is not given"),
    "/history/gate": (400, "'benchmark' is not given"),
    "/history/gate?benchmark=none": (404, "no gate has measured 'none'"),
    "/sides/machines?a=1&b=2": (404, "no campaign ran on a machine '1'"),
    "/campaigns/none": (404, "there is no campaign 'none'"),
    "/nothing": (404, "there is no '/nothing"),
    "/campaigns/..%2F..%2Fetc%2Fpasswd": (404, "there is no"),
    "/../../etc/passwd": (404, "there is no"),
    "/campaigns/%00": (404, "there is no campaign"),
    "/campaigns/%ff": (404, "there is no campaign"),
    "/campaigns?text=%00": (200, ""),
    "/history?text=%25%25+%25+_": (200, ""),
    f"/campaigns?text={'x' * 9000}": (414, "too long"),
}


@pytest.mark.parametrize("target", REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_answered_is_told_in_one_line(server: Served, target: str) -> None:
    code, message = REFUSED[target]
    path, _, query = target.partition("?")
    page, document = server.ask(target), server.ask(f"{path}.json?{query}")
    assert page.code == code, page.text[-500:]
    assert "Traceback" not in page.text
    if code in (400, 404):
        assert document.code == code
        assert message in document.content["error"]
        assert "\n" not in document.content["error"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(server: Served, method: str) -> None:
    assert server.ask("/campaigns", method).code == 405


@given(st.lists(st.tuples(st.sampled_from(["page", "kind", "text", "machine", "x"]) | st.text(), st.text())))
def test_any_query_is_read_or_refused(items: list[tuple[str, str]]) -> None:
    try:
        found = read_query(Asked, items)
    except BadQuery as error:
        assert "\n" not in str(error).strip() or "\n" in repr(items)
    else:
        assert found.page >= 1


@pytest.mark.parametrize(
    "target", ["/campaigns", "/machines", "/history", f"/campaigns?text={quote(HOSTILE)}", "/sides"]
)
def test_hostile_texts_are_shown_as_text(server: Served, target: str) -> None:
    text = server.ask(target).text
    assert "&lt;script&gt;alert" in text
    for attack in ("<script>alert", "<img", "\x1b", "\u202e", "49}"):
        assert attack not in text
    links = re.findall(r'href="(/[^"]*)"', text)
    assert links
    assert not [one for one in links if "/.." in one or one.startswith("//")]


def test_every_answer_has_the_headers_that_keep_it_to_itself(server: Served) -> None:
    for target in ("/campaigns", "/campaigns.json", "/nothing", "/campaigns?page=x", "/"):
        headers = server.ask(target, headers={"Origin": "http://evil.example"}).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert "'unsafe-eval'" not in policy
        assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil.example", "[::1"])
def test_it_answers_under_its_own_names_only(server: Served, host: str) -> None:
    assert server.ask("/campaigns", headers={"Host": host}).code == 400
    assert server.ask("/campaigns.json", headers={"Host": f"localhost:{server.port}"}).code == 200
