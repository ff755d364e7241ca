"""A store on a PostgreSQL server: what SQLite keeps it keeps too, for many at a time, and a restart loses nothing."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from growing_store import Growing, contents
from postgres_server import PASSWORD, PostgresServer, running_server, why_not
from store_writers import write_at_once, written

from rooftop.cli.app import main
from rooftop.errors import Misuse, StoreError
from rooftop.store.campaign_store import CampaignStore
from rooftop.store.database import newest_revision, open_database, opened_database
from rooftop.store.place import Server
from rooftop.store.protocol import Store
from rooftop.store.rows import Row, insert, select
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, FileRow, RoofRow, SampleRow, SessionRow
from rooftop.store.sync import Synchronized, synchronized

pytestmark = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))


@pytest.fixture(scope="module", name="server")
def server_fixture() -> Iterator[PostgresServer]:
    with running_server() as server:
        yield server


@pytest.fixture(name="place")
def place_fixture(server: PostgresServer) -> Server:
    return server.new_store()


@pytest.fixture(name="store")
def store_fixture(place: Server) -> Iterator[Store]:
    with opened_database(place) as store:
        yield store


@pytest.mark.parametrize("kind", [CampaignRow, SessionRow, CaseRow, ArmRow, SampleRow, FileRow, RoofRow])
def test_rows_are_those_of_the_migrations(store: Store, kind: type[Row]) -> None:
    asked = "SELECT column_name FROM information_schema.columns WHERE table_name = ?"
    assert {name for (name,) in store.execute(asked, [kind.table])} == set(get_type_hints(kind)) - {"table"}


def test_many_open_a_new_store_at_once(place: Server) -> None:
    failed: list[BaseException] = []

    def opened() -> None:
        try:
            open_database(place).close()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=opened) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_new_store_is_opened_by_one_connection_at_a_time(place: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    connect = psycopg.connect
    made: list[psycopg.Connection[Any]] = []

    def alone(*words: Any, **how: Any) -> psycopg.Connection[Any]:
        assert all(one.closed for one in made)
        made.append(connect(*words, **how))
        return made[-1]

    monkeypatch.setattr(psycopg, "connect", alone)
    for expected in (3, 4):  # asked, migrated, opened; opened again
        with opened_database(place) as store:
            assert select(store, CampaignRow, "") == []
        assert len(made) == expected


def test_a_store_of_a_newer_version_is_refused(place: Server) -> None:
    with opened_database(place) as store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="9999") as refused:
        open_database(place)
    assert PASSWORD not in str(refused.value)
    assert newest_revision() != "9999"


def test_a_campaign_goes_there_and_back(store: Store, tmp_path: Path) -> None:
    with opened_database(tmp_path / "a.sqlite") as source, opened_database(tmp_path / "b.sqlite") as back:
        campaign = Growing(source, "first", cases=2)
        for grow in (campaign.measure, campaign.look, campaign.fail, campaign.finish_case, campaign.end):
            grow()
            campaign.keep_file("digest")
            assert synchronized(source, store).refused == ()
            assert contents(store) == contents(source)
        campaign.resume(store)
        campaign.measure()
        campaign.keep_file(None)
        campaign.finish()
        assert synchronized(source, store) == Synchronized(unchanged=1)
        synchronized(store, back)
        assert contents(back) == contents(store)
        assert synchronized(back, store) == Synchronized(unchanged=1)
        assert synchronized(store, source).grown == 1
        assert contents(source) == contents(store)


def test_what_is_no_ordinary_text_or_number_is_kept(store: Store, tmp_path: Path) -> None:
    row = CampaignRow("first", "2026-01-01T00:00:00Z", "0", {"x": [float("inf"), "\0", "\ud800", "é%?"]}, {}, {})
    case = CaseRow("first", 1, "100 % ?", "", "'; DROP TABLE sample; --", {}, float("-inf"), stopped="a\0b")
    with opened_database(tmp_path / "a.sqlite") as source:
        for one in (row, case):
            insert(source, one)
        assert synchronized(source, store).new == 1
        assert synchronized(source, store) == Synchronized(unchanged=1)
    assert select(store, CampaignRow, "") == [row]
    (kept,) = select(store, CaseRow, "")
    assert (kept.name, kept.experiment, kept.nominal, kept.stopped) == (case.name, case.experiment, case.nominal, "a�b")


def test_two_copies_at_once_make_one(place: Server, tmp_path: Path) -> None:
    with opened_database(tmp_path / "a.sqlite") as source:
        for number in range(5):
            Growing(source, f"campaign {number}").measure(20)
        failed: list[BaseException] = []

        def copied() -> None:
            try:
                with opened_database(tmp_path / "a.sqlite") as own, opened_database(place) as there:
                    synchronized(own, there)
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=copied) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        with opened_database(place) as there:
            assert contents(there) == contents(source)


def test_a_session_that_waits_for_a_copy_sees_its_mark(place: Server) -> None:
    """It has read the campaign when it was whole, and is added when the first part of a newer state is there."""
    with opened_database(place) as copy, opened_database(place) as store, opened_database(place) as watch:
        Growing(store, "first").measure()
        (row,) = select(store, CampaignRow, "")
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        with ThreadPoolExecutor(1) as pool:
            with copy.transaction():
                copy.claim("first")
                begun = pool.submit(CampaignStore, store, row, {})
                while watch.execute(waiting).fetchone() == (0,) and not begun.done():
                    time.sleep(0.01)
                copy.execute("UPDATE campaign SET copying = 'mark'")
            with pytest.raises(Misuse, match="was copied in part only"):
                begun.result()
        assert len(select(watch, SessionRow, "")) == 1


def test_many_processes_write_at_once(place: Server) -> None:
    assert write_at_once(place.url, 8, 20) == []
    with opened_database(place) as store:
        found = written(store, 8, 20)
        assert found.right
        assert found.stored == 800


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_restart_in_the_middle_loses_and_doubles_nothing(place: Server, server: PostgresServer, how: str) -> None:
    with opened_database(place) as store:
        campaign = Growing(store, "first")
        ended = threading.Event()

        def restarting() -> None:
            while not ended.is_set():
                server.restart(how)
                time.sleep(0.3)

        thread = threading.Thread(target=restarting)
        thread.start()
        try:
            for _ in range(60):
                campaign.measure(10)
        finally:
            ended.set()
            thread.join()
        found = [row.elapsed_ns for row in select(store, SampleRow, "ORDER BY id")]
        assert found == [1e7 + number for number in range(1, 601)]


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_store_is_opened_while_its_server_is_restarted(server: PostgresServer, how: str) -> None:
    places = [server.new_store() for _ in range(3)]
    ended = threading.Event()

    def restarting() -> None:
        while not ended.wait(0.2):
            server.restart(how)

    thread = threading.Thread(target=restarting)
    thread.start()
    try:
        for _ in range(6):
            for place in places:
                with opened_database(place) as store:
                    assert select(store, SampleRow, "") == []
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize(
    ("error", "told", "may"),
    [
        ("OperationalError", "connection to server failed: No such file or directory", True),
        ("OperationalError", "connection to server failed: FATAL:  the database system is starting up", True),
        ("OperationalError", "FATAL:  the database system is not yet accepting connections", True),
        ("OperationalError", "connection to server failed: FATAL:  password authentication failed", False),
        ("AdminShutdown", "FATAL:  terminating connection due to administrator command", True),
        ("InsufficientPrivilege", "permission denied for schema public", False),
    ],
)
def test_a_server_that_refuses_is_not_waited_for(error: str, told: str, may: bool) -> None:
    import psycopg

    from rooftop.store.postgres import may_come_back

    assert may_come_back(getattr(psycopg.errors, error)(told)) == may


@pytest.mark.parametrize("by_libpq", [False, True])
@pytest.mark.parametrize("sent", [False, True])
def test_a_commit_without_an_answer_is_neither_lost_nor_repeated(
    store: Store, monkeypatch: pytest.MonkeyPatch, sent: bool, by_libpq: bool
) -> None:
    import psycopg

    campaign = Growing(store, "first")
    execute = psycopg.Connection.execute
    lost: list[bool] = []

    def losing(connection: psycopg.Connection, statement: str, *values: Any) -> Any:
        if statement == "COMMIT":
            if sent:
                execute(connection, statement)
                with connection.pipeline() as sending:
                    sending.sync()
            lost.append(True)
            monkeypatch.setattr(psycopg.Connection, "execute", execute)
            if not by_libpq:  # psycopg noticed it first
                raise psycopg.OperationalError("the connection is lost")
            connection.close()
        return execute(connection, statement, *values)

    for step in (campaign.measure, campaign.look, campaign.fail, lambda: campaign.resume(store)):
        monkeypatch.setattr(psycopg.Connection, "execute", losing)
        step()
    assert len(lost) == 4
    assert [row.elapsed_ns for row in select(store, SampleRow, "ORDER BY id")] == [1e7 + 1, 1e7 + 2, 1e7 + 3]
    assert [len(select(store, kind, "")) for kind in (ArmRow, RoofRow, SessionRow)] == [2, 1, 2]


@pytest.mark.usefixtures("scratch")
def test_a_whole_comparison_is_kept_there(place: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--json", "--max-pairs", "6", "--budget", "5s", "true", "true ''"]
    assert main(["compare", "--store", place.url, *words]) == 0
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert not (tmp_path / "home" / "store.sqlite").exists()
    assert main(["report", document["campaign"], "--store", place.url]) == 0
    assert main(["list", "--campaigns", "--json", "--store", place.url]) == 0
    listed = capsys.readouterr()
    assert document["campaign"] in listed.out
    assert main(["sync", place.url, str(tmp_path / "copy.sqlite")]) == 0
    copied = capsys.readouterr()
    with opened_database(place) as store, opened_database(tmp_path / "copy.sqlite") as copy:
        assert contents(copy) == contents(store)
    words = [text for seen in (told, listed, copied) for text in (seen.out, seen.err)]
    for file in tmp_path.rglob("*"):
        words += [file.read_bytes().decode("latin-1")] if file.is_file() else []
    assert not any(PASSWORD in text for text in words)
