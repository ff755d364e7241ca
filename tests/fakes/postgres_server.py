"""A PostgreSQL server of a test's own, started without systemd and by a user without rights."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rooftop.store.place import Server

USER, PASSWORD = "bench", "rathersecret"
_DEBIAN = Path("/usr/lib/postgresql")


def why_not() -> str | None:
    """Return why no server can be started here; None where one can."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed: pip install 'rooftop[team]'"
    if _programs() is None:
        return "PostgreSQL's server is not installed: apt-get install postgresql"
    return None


def _programs() -> Path | None:
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(_DEBIAN.glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "pg_ctl").exists()), None)


@dataclass
class PostgresServer:
    """A running server."""

    folder: Path
    port: int
    _databases: int = 0

    def new_store(self) -> Server:
        """Return the place of an empty database."""
        self._databases += 1
        name = f"store{self._databases}"
        self.ask(f"CREATE DATABASE {name}", "postgres")
        return Server(f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{name}")

    def ask(self, statement: str, database: str) -> None:
        import psycopg

        where = f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{database}"
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute(statement)

    def restart(self, how: str = "immediate") -> None:
        """Stop the server, `immediate` as a crash does, and start it again."""
        self.control("-m", how, "restart")

    def control(self, *words: str) -> None:
        options = f"-F -p {self.port} -k {self.folder} -c max_connections=100"
        _run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, *words)


def _run(program: str, *words: str | Path) -> None:
    programs = _programs()
    assert programs is not None
    user = "nobody" if os.geteuid() == 0 else None  # the server refuses to run as root
    subprocess.run([programs / program, *words], user=user, check=True, stdout=subprocess.DEVNULL, cwd="/")


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """Start a server for a block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="rooftop-postgres-"))
    try:
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        if os.geteuid() == 0:
            for one in (folder, folder / "password"):
                shutil.chown(one, "nobody")
        words = ("-U", USER, "--auth=scram-sha-256", f"--pwfile={folder / 'password'}", "--no-sync", "--encoding=UTF8")
        _run("initdb", "-D", folder / "data", *words, "--locale=C.UTF-8")
        server = PostgresServer(folder, port)
        server.control("start")
        try:
            yield server
        finally:
            server.control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
