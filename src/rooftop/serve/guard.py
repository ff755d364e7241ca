"""What stands before every address: headers, a token, and the names under which the server answers."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import socket
from collections.abc import Sequence
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rooftop.errors import Misuse

SHORTEST_TOKEN = 16
_LONGEST_TOKEN = 4096
LONGEST_TARGET = 8192  # bytes of a path with its query
_OTHERS = 0o077
_NAME = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")
# Of pages that a browser is not to keep, to frame, to guess the type of, or to tell others about.
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def page_policy(stated: str) -> str:
    """Return the policy of a page that states one itself: a header can say what a page cannot."""
    return f"{stated}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"


class Guard:
    """Adds headers to every answer, and refuses addresses that are too long."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI wants it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", _POLICY)
            await send(message)

        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_TARGET:
            await PlainTextResponse("the address is too long\n", 414)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)


class TokenGuard:
    """Lets in whoever knows the token: as Bearer, or as the password that a browser asks for."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI wants it."""
        if scope["type"] != "http" or hmac.compare_digest(_said(Headers(scope=scope)), self._token):
            await self._app(scope, receive, send)
            return
        challenge = {"WWW-Authenticate": 'Basic realm="rooftop: the token is the password", charset="UTF-8"'}
        await PlainTextResponse("a token is needed\n", 401, challenge)(scope, receive, send)


def _said(headers: Headers) -> bytes:
    """Return the token that a request brings; empty without one."""
    scheme, _, said = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return said.strip().encode("latin-1")
    if scheme.lower() != "basic":
        return b""
    try:
        return base64.b64decode(said, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return b""


def read_token(file: Path) -> str:
    """Return the token that a file holds. Raises Misuse where others may read it, or it can be guessed."""
    try:
        if file.stat().st_mode & _OTHERS:
            raise Misuse(f"--token-file {file} can be read by others: chmod 600 it")
        with file.open(encoding="utf-8") as opened:
            token = opened.read(_LONGEST_TOKEN).strip()
    except UnicodeDecodeError as error:
        raise Misuse(f"--token-file {file} is not UTF-8, expected one line of text") from error
    except OSError as error:
        raise Misuse(f"--token-file {file}: {error.strerror or error}") from error
    if len(token) < SHORTEST_TOKEN or len(token.split()) != 1 or not token.isascii():
        raise Misuse(
            f"--token-file {file} holds {len(token)} characters, expected one word of at least {SHORTEST_TOKEN}, in "
            "ASCII: 'openssl rand -hex 16' makes one"
        )
    return token


def is_of_this_machine(address: str) -> bool:
    """Whether only programs of this machine reach an address."""
    return address == "::1" or address.startswith("127.")


def names_of(host: str, address: str, more: Sequence[str]) -> list[str]:
    """Return the names under which the server is asked. Raises Misuse for one that no host has, such as a pattern.

    A page of elsewhere whose name is made to lead here (DNS rebinding) asks under that name, and is refused.
    """
    for one in more:
        if _NAME.fullmatch(one) is None:
            raise Misuse(f"--name {one!r} is no name of a host: expected letters, digits, dots and hyphens, no port")
    local = ["localhost", "127.0.0.1", "[::1]"]
    own = [] if is_of_this_machine(address) else [socket.gethostname(), socket.getfqdn(), *_addresses()]
    named = [_bracketed(one) for one in (host, address) if one not in ("", "0.0.0.0", "::")]
    return list(dict.fromkeys(one.lower() for one in (*local, *named, *own, *more)))


def _addresses() -> list[str]:
    """Return the addresses of this machine."""
    import psutil

    families = (socket.AF_INET, socket.AF_INET6)
    found = [one.address for addresses in psutil.net_if_addrs().values() for one in addresses if one.family in families]
    return [_bracketed(one.partition("%")[0]) for one in found]


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address and not address.startswith("[") else address
