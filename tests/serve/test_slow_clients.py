"""Clients that take an answer slowly are served to its end; those that take nothing of it are not."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import Mock

import pytest
from served_site import Served, served
from starlette.types import Receive, Scope, Send

from rooftop.serve import connections
from rooftop.serve.connections import BoundedConnection

BODY = bytes(16 << 20)  # more than the system's buffers hold
ROOM = 8  # connections at a time
_SOON_S = 30.0  # for a busy machine; what is waited for takes a few tenths


async def pages(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a large page, or with a small one."""
    body = BODY if scope["path"] == "/large" else b"small"
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Yield a server of few connections."""
    monkeypatch.setattr(connections, "MOST_REQUESTS", ROOM)
    with served(pages) as server:
        yield server


def connected(server: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=_SOON_S)


@contextmanager
def slow(server: Served) -> Iterator[socket.socket]:
    """Yield a connection on which the first byte of a large page has come."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.settimeout(_SOON_S)
        one.connect(("127.0.0.1", server.port))
        one.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert one.recv(1) == b"H"
        yield one


def read_to_the_end(one: socket.socket) -> int:
    """Return how many bytes come until the server ends the connection."""
    found = 0
    try:
        while more := one.recv(1 << 20):
            found += len(more)
    except ConnectionResetError:
        pass
    return found


class Recorded:
    """A loop and a transport whose clock the test sets, and whose client takes what the test says."""

    def __init__(self, untaken: int) -> None:
        self.now_s, self.untaken, self.aborted = 0.0, untaken, False
        self.due: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now_s

    def call_later(self, delay_s: float, call: Callable[[], None]) -> asyncio.Handle:
        self.due.append((self.now_s + delay_s, call))
        return Mock(spec=asyncio.Handle)

    def get_write_buffer_size(self) -> int:
        return self.untaken

    def get_extra_info(self, name: str) -> None:
        return None

    def abort(self) -> None:
        self.aborted = True

    def go_on(self, taken: int) -> None:
        """Let the client take so many bytes until the connection looks for them."""
        self.untaken -= taken
        ((self.now_s, call),) = self.due
        self.due.clear()
        call()


def answered(untaken: int) -> Recorded:
    """Return what a connection is watched by whose answer has just been made."""
    recorded = Recorded(untaken)
    one: Any = object.__new__(BoundedConnection)
    one.loop = one.transport = recorded
    one._bound_silence()
    return recorded


def test_a_download_takes_as_long_as_it_needs() -> None:
    recorded = answered(untaken=100_000)
    for _ in range(99):
        recorded.go_on(taken=1000)
    assert recorded.now_s > 3600
    recorded.go_on(taken=1000)
    assert (recorded.untaken, recorded.aborted) == (0, False)


def test_a_connection_without_another_request_is_ended() -> None:
    recorded = answered(untaken=0)
    recorded.go_on(taken=0)
    assert (recorded.due, recorded.aborted) == ([], True)


def test_a_download_is_ended_when_nothing_more_is_taken() -> None:
    recorded = answered(untaken=100_000)
    recorded.go_on(taken=1)
    assert not recorded.aborted
    recorded.go_on(taken=0)
    assert (recorded.due, recorded.aborted) == ([], True)


def test_what_the_system_has_not_sent_is_not_taken() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        transport = Mock(get_write_buffer_size=lambda: 5, get_extra_info=lambda name: ours)
        before = connections.untaken_bytes(transport)
        ours.sendall(b"x" * 100)
        assert (before, connections.untaken_bytes(transport) >= 105) == (5, True)
        ours.close()
        assert connections.untaken_bytes(transport) == 5


def test_an_answer_of_which_nothing_is_read_is_ended(crowded: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_SILENCE_S", 0.05)
    ended: list[str] = []
    lost = BoundedConnection.connection_lost

    def recorded(connection: BoundedConnection, error: Exception | None) -> None:
        ended.append(connection.scope["path"])
        lost(connection, error)

    monkeypatch.setattr(BoundedConnection, "connection_lost", recorded)
    with slow(crowded) as one:
        while "/large" not in ended:
            assert crowded.ask("/").code == 200
        assert read_to_the_end(one) < len(BODY)


def test_idle_connections_cut_off_no_answer(crowded: Served) -> None:
    with slow(crowded) as one, ExitStack() as idle:
        for _ in range(3 * ROOM):
            idle.enter_context(connected(crowded))
        assert crowded.ask("/").body == b"small"
        assert read_to_the_end(one) > len(BODY)


def test_answers_that_nobody_reads_keep_nobody_out(crowded: Served) -> None:
    with ExitStack() as unread:
        for _ in range(3 * ROOM):
            unread.enter_context(slow(crowded))
        assert crowded.ask("/").body == b"small"
