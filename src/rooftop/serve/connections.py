"""How connections are served: few at a time, none for long without a request, and logs that no client can write to.

uvicorn counts idle connections too. Whoever opened them all and sent nothing, or read no answer, would keep everybody
else out.
"""

from __future__ import annotations

import asyncio
import logging

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from rooftop.text.visible import visible

MOST_REQUESTS = 64  # at a time
_REQUEST_S = 10.0  # until the first request is whole
_ANSWER_S = 300.0  # until the answer to a request is taken; to make one takes at most a quarter


class BoundedConnection(H11Protocol):
    """A connection that ends when it takes too long, and makes room for another while it has no request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self._made_s = self.loop.time()
        self._end = self.loop.call_later(_REQUEST_S, transport.abort)
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._end.cancel()
            self._end = self.loop.call_later(_ANSWER_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._end.cancel()
        super().connection_lost(exc)

    @property
    def _waits(self) -> bool:
        """Whether no request is under way. What was answered may not have been read."""
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self) -> None:
        """End the oldest connection without a request if there are as many as are served."""
        if self.limit_concurrency is None or len(self.connections) < self.limit_concurrency:
            return
        waiting = [one for one in self.connections if isinstance(one, BoundedConnection) and one._waits]
        oldest = min(waiting, key=lambda one: one._made_s)
        if oldest is not self:
            oldest.transport.abort()
            self.connections.discard(oldest)


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
