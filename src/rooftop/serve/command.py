"""Show the store in a browser: campaigns, machines, histories, jobs. It is only read."""

from __future__ import annotations

import contextlib
import socket
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.settings import Settings
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import messages, say
from rooftop.terminal.stored import StoreCommand

GROUP = YOUR_PROGRAMS
NAME = "serve"

_WAITING = 64  # connections that are not accepted yet


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(NAME, cls=StoreCommand, help=__doc__, rich_help_panel=GROUP)
    def command(
        host: Annotated[
            str,
            typer.Option(help="Address to listen at. Any but one of this machine wants --token-file or --public."),
        ] = "127.0.0.1",
        port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at; 0: one that is free.")] = 8000,
        token_file: Annotated[
            Path | None,
            typer.Option("--token-file", metavar="FILE", help="Show nothing to whoever lacks the token in this file."),
        ] = None,
        public: Annotated[bool, typer.Option("--public", help="Let everybody read who reaches the address.")] = False,
        name: Annotated[
            list[str] | None,
            typer.Option("--name", metavar="NAME", help="Answer under this name too, as behind a proxy. Repeatable."),
        ] = None,
        show: Annotated[bool, typer.Option("--open", help="Open the site in the browser.")] = False,
    ) -> None:
        _require_packages()
        from rooftop.serve.guard import is_of_this_machine, names_of, read_token

        if token_file is not None and public:
            raise Misuse("--token-file and --public are both given, expected one of them")
        token = read_token(token_file) if token_file is not None else None
        with _listening(host, port) as listener:
            address, own_port = listener.getsockname()[:2]
            if not is_of_this_machine(address) and token is None and not public:
                raise Misuse(
                    f"--host {host} can be reached by others, who could read every campaign: give --token-file FILE, "
                    "or --public if they may"
                )
            names = names_of(host, address, name or [])
            url = f"http://{'localhost' if is_of_this_machine(address) else host or socket.gethostname()}:{own_port}/"
            say(messages(), f"{url}  (Ctrl-C ends it)")
            if show and not webbrowser.open(url):
                say(messages(), "No browser could be started: open the address by hand.")
            _serve(listener, names, token)


def _require_packages() -> None:
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise Misuse(f"serve needs starlette and uvicorn: pip install 'rooftop[serve]' ({error})") from error


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises Misuse."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise Misuse(f"--host {host} is no address of this machine: {error}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_WAITING)
    except OSError as error:
        listener.close()
        raise Misuse(f"--host {host} --port {port}: {error.strerror or error}; --port 0 takes a free one") from error
    return listener


def _serve(listener: socket.socket, names: list[str], token: str | None) -> None:
    """Serve until an interrupt."""
    import uvicorn

    from rooftop.serve.app import application
    from rooftop.serve.connections import configuration, log_visibly
    from rooftop.serve.place import Site

    log_visibly()
    config = configuration(application(Site(Settings()), names, token))
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
