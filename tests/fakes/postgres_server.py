"""A PostgreSQL server of a test's own, started without systemd and by a user without rights."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from left_behind import in_any_end

from rooftop.store.place import Server

USER, PASSWORD = "bench", "rathersecret"
_DEBIAN = Path("/usr/lib/postgresql")
_NAME = "rooftop-postgres-"
_LONGEST = 60  # of a folder: the path of a socket has at most 107 bytes
_MAY_ENTER = 0o001


def why_not() -> str | None:
    """Return why no server can be started here; None where one can."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed: pip install 'rooftop[team]'"
    if _programs() is None:
        return "PostgreSQL's server is not installed: apt-get install postgresql"
    if _scratch() is None:
        return "no folder for temporary files has a short path that every user may enter: set TMPDIR"
    return None


def _scratch() -> Path | None:
    """Return a folder in which the server can have its own, and its socket."""
    folders = [Path(name).resolve() for name in (tempfile.gettempdir(), "/tmp", "/var/tmp")]
    fitting = [one for one in folders if one.is_dir() and os.access(one, os.W_OK) and len(str(one)) <= _LONGEST]
    if os.geteuid() == 0:  # the server is another user then
        fitting = [one for one in fitting if all(each.stat().st_mode & _MAY_ENTER for each in (one, *one.parents))]
    return next(iter(fitting), None)


def _programs() -> Path | None:
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(_DEBIAN.glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "pg_ctl").exists()), None)


@dataclass
class PostgresServer:
    """A running server. It listens in its folder, so that no other program can have taken its port."""

    folder: Path
    _databases: int = 0

    def url(self, database: str) -> str:
        """Return where a database is."""
        return f"postgresql://{USER}:{PASSWORD}@/{database}?host={self.folder}"

    def new_store(self) -> Server:
        """Return the place of an empty database."""
        self._databases += 1
        name = f"store{self._databases}"
        self.ask(f"CREATE DATABASE {name}", "postgres")
        return Server(self.url(name))

    def ask(self, statement: str, database: str) -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)

    def restart(self, how: str = "immediate") -> None:
        """Stop the server, `immediate` as a crash does, and start it again."""
        self.control("-m", how, "restart")

    def control(self, *words: str) -> None:
        options = f"-F -c listen_addresses= -k {self.folder} -c max_connections=100"
        _run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, *words)


def _user() -> str | None:
    return "nobody" if os.geteuid() == 0 else None  # the server refuses to run as root


def _program(name: str) -> str:
    programs = _programs()
    assert programs is not None
    return str(programs / name)


def _run(program: str, *words: str | Path) -> None:
    subprocess.run([_program(program), *words], user=_user(), check=True, stdout=subprocess.DEVNULL, cwd="/")


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """Start a server for a block."""
    folder = Path(tempfile.mkdtemp(prefix=_NAME, dir=_scratch()))
    try:
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        if os.geteuid() == 0:
            for one in (folder, folder / "password"):
                shutil.chown(one, "nobody")
        words = ("-U", USER, "--auth=scram-sha-256", f"--pwfile={folder / 'password'}", "--no-sync", "--encoding=UTF8")
        _run("initdb", "-D", folder / "data", *words, "--locale=C.UTF-8")
        server = PostgresServer(folder)
        stop = shlex.join([_program("pg_ctl"), "-D", str(folder / "data"), "-m", "immediate", "stop"])
        with in_any_end("sh", "-c", f"{stop}; rm -r {shlex.quote(str(folder))}", user=_user()):
            server.control("start")
            try:
                yield server
            finally:
                server.control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
