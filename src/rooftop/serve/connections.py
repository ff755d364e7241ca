"""How connections are served: few at a time, none for long without a request, and logs that no client can write to.

uvicorn counts idle connections too. Whoever opened them all and sent nothing, or read no answer, would keep everybody
else out.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import sys
import termios
from functools import partial
from math import inf

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from rooftop.text.visible import visible

MOST_REQUESTS = 64  # at a time
_REQUEST_S = 10.0  # until the first request is whole
_ANSWER_S = 300.0  # until the answer to a request is made, which takes at most a quarter
_SILENCE_S = 60.0  # in which some of an answer is taken, however large it is and however slow the client


class BoundedConnection(H11Protocol):
    """A connection that ends when it takes too long, and makes room for another while it has no request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self._active_s = self.loop.time()
        self._end = self.loop.call_later(_REQUEST_S, transport.abort)
        self._make_room()

    def handle_events(self) -> None:
        """Bound, from a request on, how long its answer takes. See uvicorn."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._active_s = self.loop.time()
            self._end.cancel()
            self._end = self.loop.call_later(_ANSWER_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._end.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Bound, once an answer is made, how long nothing of it is taken. See uvicorn."""
        self._end.cancel()
        self._bound_silence()
        super().on_response_complete()

    def _bound_silence(self, before: float = inf) -> None:
        """End the connection if nothing was taken since so many bytes were left, or no request came since none was."""
        left = untaken_bytes(self.transport)
        if left >= before:
            self.transport.abort()
        else:
            self._active_s = self.loop.time()
            self._end = self.loop.call_later(_SILENCE_S, partial(self._bound_silence, left))

    @property
    def _waits(self) -> bool:
        """Whether no request is under way. What was answered may not have been read."""
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self) -> None:
        """End another connection without a request if there are as many as are served: the one that is idle longest.

        Those whose answer is still on its way come last: a slow client is no idle one.
        """
        if self.limit_concurrency is None or len(self.connections) < self.limit_concurrency:
            return
        others = (one for one in self.connections if isinstance(one, BoundedConnection) and one is not self)
        waiting = [one for one in others if one._waits]
        if waiting:
            ended = min(waiting, key=lambda one: (untaken_bytes(one.transport) > 0, one._active_s))
            ended.transport.abort()
            self.connections.discard(ended)


def untaken_bytes(transport: asyncio.Transport) -> int:
    """Return the bytes that a client has not taken yet: those that wait here, and in the system's buffer."""
    buffered = transport.get_write_buffer_size()
    connection = transport.get_extra_info("socket")
    if connection is None or connection.fileno() < 0:
        return buffered
    try:
        outside = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4))
    except OSError:
        return buffered
    return buffered + int.from_bytes(outside, sys.byteorder)


class VisibleFormatter(logging.Formatter):
    """Spells out what a terminal would obey: a trace may quote what a store or a request holds."""

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter."""
        return visible(super().format(record))


def configuration(application: ASGIApp, log_level: int = logging.WARNING) -> uvicorn.Config:
    """Return how the application is served."""
    return uvicorn.Config(
        application,
        http=BoundedConnection,
        limit_concurrency=MOST_REQUESTS,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=3,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        access_log=False,
        log_config=None,
        log_level=log_level,
    )


def log_visibly() -> None:
    """Write warnings of the server and of asyncio to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(VisibleFormatter("%(levelname)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
