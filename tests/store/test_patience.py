"""How long a connection to a server waits for an answer, unless the user's URL says it."""

from __future__ import annotations

from typing import Any

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")

from rooftop.store.place import Server  # noqa: E402
from rooftop.store.postgres import PostgresStore, migration_engine, patience  # noqa: E402

ALL = {"connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"}


def test_what_a_url_says_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(patience("postgresql://me@there/team")) == ALL
    said = "postgresql://me@there/team?connect_timeout=60&keepalives_idle=7"
    assert set(patience(said)) == ALL - {"connect_timeout", "keepalives_idle"}
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "60")
    assert set(patience("postgresql://me@there/team")) == ALL - {"connect_timeout"}


def test_every_connection_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def connect(url: str, **how: Any) -> None:
        asked.append(how)
        raise psycopg.OperationalError("not there")

    monkeypatch.setattr(psycopg, "connect", connect)
    with pytest.raises(psycopg.OperationalError):
        PostgresStore(Server("postgresql://me@there/team"))
    with pytest.raises(Exception, match="not there"):
        migration_engine(Server("postgresql://me@there/team"))[0].connect()
    assert [set(how) >= ALL for how in asked] == [True, True]
    assert [how["autocommit"] for how in asked] == [True, False]
