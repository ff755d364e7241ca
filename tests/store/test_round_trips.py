"""A sample takes one round trip to a PostgreSQL server, counted by a program between both."""

from __future__ import annotations

import select
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from growing_store import Growing
from postgres_server import PASSWORD, USER, PostgresServer, running_server, why_not

from rooftop.errors import StoreError
from rooftop.store.database import opened_database
from rooftop.store.place import Server
from rooftop.store.reserved_numbers import ReservedNumbers
from rooftop.store.rows import select as rows_of
from rooftop.store.schema import SampleRow

_SOCKET = ".s.PGSQL.5432"


class Between:
    """Passes on what one client and the server say. `trips`: how often the client spoke after the server did."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self._ends = {client: server, server: client}
        self._client = client
        self._last: socket.socket = server
        self.trips = 0

    def run(self) -> None:
        while True:
            for one in select.select(list(self._ends), [], [])[0]:
                said = one.recv(1 << 16)
                if not said:
                    for end in self._ends:
                        end.close()
                    return
                self.trips += one is self._client and self._last is not self._client
                self._last = one
                self._ends[one].sendall(said)


@contextmanager
def between(server: PostgresServer) -> Iterator[tuple[Path, list[Between]]]:
    """Yield the folder of a socket that leads to the server, and those who pass on."""
    folder = Path(tempfile.mkdtemp(prefix="rooftop-trips-", dir=server.folder.parent))
    passing: list[Between] = []
    threads: list[threading.Thread] = []

    def accepting(listener: socket.socket) -> None:
        while True:
            try:
                client = listener.accept()[0]
            except OSError:
                return
            onward = socket.socket(socket.AF_UNIX)
            onward.connect(str(server.folder / _SOCKET))
            passing.append(Between(client, onward))
            threads.append(threading.Thread(target=passing[-1].run))
            threads[-1].start()

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / _SOCKET))
        listener.listen()
        thread = threading.Thread(target=accepting, args=(listener,))
        thread.start()
        try:
            yield folder, passing
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for one in threads:
                one.join()
            shutil.rmtree(folder)


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_a_sample_takes_one_round_trip() -> None:
    with running_server() as server:
        database = server.new_store().url.partition("?")[0].rpartition("/")[2]
        with between(server) as (folder, passing):
            place = Server(f"postgresql://{USER}:{PASSWORD}@/{database}?host={folder}")
            with opened_database(place) as store:
                campaign = Growing(store, "first")
                campaign.measure(1)  # its arms
                before = passing[-1].trips
                campaign.measure(128)
                # One more for the block, and those that draw numbers: of 1, 2, 4 … 64 rows.
                assert passing[-1].trips - before <= 128 + 1 + 8
                assert len(rows_of(store, SampleRow, "")) == 129


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_a_change_within_a_change_is_refused() -> None:
    with running_server() as server, opened_database(server.new_store()) as store:
        with pytest.raises(StoreError, match="a transaction is open already"):
            store.written(lambda: store.written(lambda: None))
        assert store.written(lambda: store.execute("SELECT 1").fetchone()) == (1,)


def test_each_number_is_drawn_and_given_once() -> None:
    drawn: list[tuple[str, int]] = []
    next_one = iter(range(1000))

    def draw(table: str, count: int) -> list[int]:
        drawn.append((table, count))
        return [next(next_one) for _ in range(count)]

    numbers = ReservedNumbers(draw)
    assert [numbers.next("sample") for _ in range(200)] == list(range(200))
    assert [count for _, count in drawn] == [1, 2, 4, 8, 16, 32, 64, 64, 64]
    assert numbers.next("arm") == 255
    numbers.forget()
    assert numbers.next("sample") == 256
