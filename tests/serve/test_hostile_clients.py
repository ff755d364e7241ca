"""Clients that want to keep others out, to read what is not the store's, or to write to the server's terminal."""

from __future__ import annotations

import io
import logging
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from served_site import LOCAL, Served, served
from served_store import HOSTILE
from served_store import Served as Store

from rooftop.serve import connections
from rooftop.serve.app import application
from rooftop.serve.campaign import Drawings
from rooftop.serve.connections import MOST_REQUESTS, VisibleFormatter
from rooftop.serve.place import Site
from rooftop.store.database import opened_database

_SOON_S = 30.0  # for a busy machine; what is waited for takes a few tenths


def connected(server: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=_SOON_S)


def said(server: Served, request: bytes) -> bytes:
    """Return the answer to a request as it is written here."""
    with connected(server) as one:
        one.sendall(request)
        return one.recv(1 << 16)


@contextmanager
def held(server: Served, count: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """Hold so many connections open, each of which has said the beginning of a request."""
    with ExitStack() as stack:
        found = [stack.enter_context(connected(server)) for _ in range(count)]
        for one in found:
            one.sendall(said)
        yield found


@pytest.mark.parametrize("beginning", [b"", b"GET /campaigns HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
def test_idle_connections_keep_nobody_out(server: Served, beginning: bytes) -> None:
    with held(server, 2 * MOST_REQUESTS, beginning):
        for _ in range(3):
            assert server.ask("/jobs.json").code == 200


def ends(one: socket.socket) -> bool:
    """Whether the server ends a connection."""
    try:
        while one.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def test_a_request_that_comes_slowly_is_ended(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_REQUEST_S", 0.2)
    with held(server, 3, b"GET /campaigns HTTP/1.1\r\n") as found:
        for one in found:
            assert ends(one)


REQUESTS = {
    "no name": (b"GET /campaigns HTTP/1.0\r\n\r\n", 400),
    "two names": (b"GET /campaigns HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
    "a name in the target": (b"GET http://evil.example/campaigns HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "a name with a user": (b"GET /campaigns HTTP/1.1\r\nHost: localhost:80@evil.example\r\n\r\n", 400),
    "a name that another server told": (
        b"GET /campaigns/ HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: evil.example\r\n\r\n",
        307,
    ),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "an escape sequence": (b"GET /\x1b[2J HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "a path encoded twice": (b"GET /campaigns/%252e%252e%252fetc%252fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "a path up": (b"GET /campaigns/../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "a path of backslashes": (b"GET /campaigns/..%5c..%5cetc%5cpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "a path that begins another": (b"GET //evil.example/%2f.. HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "a body that never comes": (
        b"GET /jobs.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n",
        200,
    ),
    "two lengths": (
        b"GET /jobs.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        400,
    ),
    "an upgrade": (
        b"GET /jobs.json HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        200,
    ),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_requests_that_no_browser_sends_are_answered_or_refused(server: Served, name: str) -> None:
    request, code = REQUESTS[name]
    answer = said(server, request)
    assert answer.startswith(f"HTTP/1.1 {code} ".encode())
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert b"evil" not in head
    assert b"root:x:" not in answer
    assert server.ask("/jobs.json").code == 200


def test_a_header_without_end_is_refused(server: Served) -> None:
    with connected(server) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * (1 << 16))
        assert ends(one)


@pytest.mark.parametrize("target", ["/campaigns", "/history", "/machines", "/sides/machines", "/history/arm"])
def test_queries_without_end_are_refused(server: Served, target: str) -> None:
    assert server.ask(f"{target}?{'&'.join(f'a{number}=b' for number in range(800))}").code == 400
    assert server.ask(f"{target}?{'a=b&' * 3000}").code == 414


def test_an_id_that_no_process_takes_is_not_there(own_site: Site) -> None:
    names = ["a\0b", "-c", "--", HOSTILE, "x" * 300, "é"]
    with opened_database(own_site.settings.home_folder / "store.sqlite") as store:
        for name in names:
            Store(store).comparison(["a", "b"], [0.1, 0.2], name=name)
    with served(application(own_site, LOCAL)) as server:
        for address in ("a%00b", "x" * 300, "%C3%A9"):
            found = server.ask(f"/campaigns/{address}.json")
            assert (found.code, "there is no campaign" in found.content["error"]) == (404, True)
        for address in ("-c", "--"):
            assert server.ask(f"/campaigns/{address}.json").code in (200, 422)


def test_a_link_among_the_documents_shows_no_file_of_elsewhere(own_site: Site, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"campaign": "climbed", "secret": "rathersecret"}', encoding="utf-8")
    with opened_database(own_site.settings.home_folder / "store.sqlite") as store:
        Store(store).climb({"10-naive": 0.2}, name="climbed")
    folder = own_site.settings.campaigns_folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "climbed.json").symlink_to(secret)
    found = Drawings(own_site).of("climbed")
    assert b"rathersecret" not in found.page + found.document
    assert "rathersecret" not in found.trouble


def test_every_text_of_a_store_is_shown_as_text(own_site: Site) -> None:
    with opened_database(own_site.settings.home_folder / "store.sqlite") as store:
        written = Store(store)
        for number in range(10):
            written.gate(number, 1.0 if number < 5 else 0.7)
            written.comparison([HOSTILE, f"{HOSTILE} 2"], [0.05, 0.04])
        columns = ("case.size", "case.stopped", "arm.reason", "arm.stage", "campaign.rooftop", "campaign.finished")
        for table, _, column in (one.partition(".") for one in columns):
            store.execute(f'UPDATE "{table}" SET {column} = ?', [HOSTILE])
    with served(application(own_site, LOCAL)) as server:
        listed = server.ask("/campaigns.json").content["campaigns"]
        histories = server.ask("/history.json").content["histories"]
        addresses = ["/campaigns", "/history", "/machines", "/sides", "/jobs"]
        addresses += [one["address"] for one in histories] + [f"/campaigns/{one['id']}" for one in listed[:2]]
        assert len(addresses) > 6
        for address in addresses:
            text = server.ask(address).text
            for attack in ("<script>alert", "<img src", "\x1b", "\u202e"):
                assert attack not in text, address


def test_the_log_spells_out_what_a_terminal_obeys() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(VisibleFormatter("%(levelname)s: %(message)s"))
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "an %s", (HOSTILE,), sys.exc_info())
    handler.handle(record)
    assert "\\x1b[2J" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()
    assert "\u202e" not in stream.getvalue()
    assert "Traceback" in stream.getvalue()
