"""The application: addresses, what they show, and how errors are told."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from rooftop.errors import RooftopError
from rooftop.report.figure_page import Lines
from rooftop.report.frame import policy_of
from rooftop.serve import campaigns, history, jobs, machines, sides
from rooftop.serve.asked import Asked, BadQuery, NotThere, read_query
from rooftop.serve.campaign import Crowded, Drawings, Drawn, instead
from rooftop.serve.guard import Guard, TokenGuard, page_policy
from rooftop.serve.place import Site
from rooftop.serve.view import View
from rooftop.store.protocol import Store

_JSON = ".json"


class Shown(NamedTuple):
    """What is shown at an address, and with .json behind it: `show` takes the query, read as `form` says."""

    address: str
    form: type[Asked]
    show: Callable[[Any], View]


def _views(site: Site) -> list[Shown]:
    """Return all addresses that have one query, one page and one document."""

    def of_store(show: Callable[[Site, Store, Any], View]) -> Callable[[Any], View]:
        def opened(asked: Any) -> View:
            with site.opened() as store:
                return show(site, store, asked)

        return opened

    watch = jobs.Watch(site.settings.home_folder)
    return [
        Shown("/campaigns", campaigns.Asked, of_store(campaigns.view)),
        Shown("/machines", machines.Asked, of_store(machines.view)),
        Shown("/history", history.Histories, of_store(history.listed)),
        Shown("/history/arm", history.OfArm, of_store(history.of_arm)),
        Shown("/history/gate", history.OfGate, of_store(history.of_gate)),
        Shown("/sides", sides.Nothing, of_store(sides.start)),
        Shown("/sides/machines", sides.OfMachines, of_store(sides.of_machines)),
        Shown("/sides/revisions", sides.OfRevisions, of_store(sides.of_revisions)),
        Shown("/jobs", sides.Nothing, lambda asked: jobs.view(watch, site)),
    ]


def _finite(value: Any) -> Any:
    """Return a document without numbers that JSON does not have."""
    if isinstance(value, dict):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _page(text: str, code: int = 200) -> Response:
    headers = {"Content-Security-Policy": page_policy(policy_of(text))}
    # A lone surrogate, which a program's output may hold, is no character.
    return Response(text.encode("utf-8", "replace"), code, headers, "text/html; charset=utf-8")


def _document(content: Any, code: int = 200) -> Response:
    return Response(json.dumps(_finite(content), allow_nan=False), code, media_type="application/json")


def _answer(view: View, request: Request, code: int = 200) -> Response:
    address = request.url.path
    return _document(view.content, code) if address.endswith(_JSON) else _page(view.page(address), code)


def _told(request: Request, code: int, message: str) -> Response:
    """Return an error as a page or a document, with one line."""
    content = {"schema": "rooftop/error/1", "error": message}
    return _answer(View("Not shown", "", [Lines("Why", [message])], content), request, code)


def _route(shown: Shown) -> list[Route]:
    def answer(request: Request) -> Response:
        asked = read_query(shown.form, request.query_params.multi_items())
        return _answer(shown.show(asked), request)

    return [Route(shown.address + ending, answer, methods=["GET"]) for ending in (_JSON, "")]


def _of_campaign(site: Site, drawings: Drawings) -> list[Route]:
    def drawn(request: Request) -> Drawn:
        read_query(Asked, request.query_params.multi_items())
        return drawings.of(request.path_params["campaign"])

    def page(request: Request) -> Response:
        found = drawn(request)
        if found.trouble:
            return _answer(instead(site, request.path_params["campaign"], found.trouble), request, 422)
        return _page(found.page.decode("utf-8", "replace"))

    def document(request: Request) -> Response:
        found = drawn(request)
        if found.trouble:
            return _told(request, 422, found.trouble)
        return Response(found.document, media_type="application/json")

    return [
        Route(f"/campaigns/{{campaign}}{_JSON}", document, methods=["GET"]),
        Route("/campaigns/{campaign}", page, methods=["GET"]),
    ]


_CODES: dict[type[Exception], int] = {BadQuery: 400, NotThere: 404, Crowded: 503, RooftopError: 503}


async def _failed(request: Request, error: Exception) -> Response:
    """Return an error that a look at the store has raised, as one line."""
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), 500)
    return await run_in_threadpool(_told, request, code, str(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = f"there is no {request.url.path[:200]!r} here" if error.status_code == 404 else str(error.detail)
    return await run_in_threadpool(_told, request, error.status_code, message)


async def _broken(request: Request, error: Exception) -> Response:
    """Return an error of the site itself; its trace is the server's log's."""
    return await run_in_threadpool(
        _told, request, 500, f"internal error: {type(error).__name__}; the server's log has more"
    )


def application(site: Site, names: Sequence[str], token: str | None = None) -> ASGIApp:
    """Return the application.

    names  under which it is asked; asked under another one it refuses to answer
    token  without which it shows nothing; None: whoever reaches it may read
    """
    routes = [Route("/", lambda request: RedirectResponse("/campaigns"), methods=["GET"])]
    routes += [route for shown in _views(site) for route in _route(shown)]
    routes += _of_campaign(site, Drawings(site))
    handlers: dict[Any, Any] = dict.fromkeys(_CODES, _failed) | {HTTPException: _refused, Exception: _broken}
    guards = [Middleware(TrustedHostMiddleware, allowed_hosts=list(names), www_redirect=False)]
    guards += [Middleware(TokenGuard, token=token)] if token is not None else []
    # Around all of it: what Starlette answers after an error of the site itself passes no middleware.
    return Guard(Starlette(routes=routes, middleware=guards, exception_handlers=handlers))
