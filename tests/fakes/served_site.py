"""A site that is served in a thread of the tests' process, and what asks it."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Server

from rooftop.serve.connections import configuration


@dataclass(frozen=True)
class Reply:
    """What came back; names of headers are in small letters."""

    code: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def content(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Served:
    """A running server."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, target: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> Reply:
        """Ask for a target as it is written here."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            connection.request(method, target, headers=dict(headers or {}))
            reply = connection.getresponse()
            return Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())
        finally:
            connection.close()


@contextmanager
def served(application: ASGIApp) -> Iterator[Served]:
    """Serve an application on a free port of this machine."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(configuration(application, logging.CRITICAL))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield Served(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


LOCAL: Sequence[str] = ("127.0.0.1", "localhost")
