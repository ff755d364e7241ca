"""How long `rooftop serve` takes for pages of a store."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import psutil

from benchmarks.form import ROOT
from benchmarks.stores.opened import Opened
from rooftop.serve.arms import ArmName
from rooftop.serve.history import address_of
from rooftop.store.protocol import Store

_NOWHERE = "in no campaign"  # a text that all are searched for


def addresses(store: Store) -> dict[str, str]:
    """Return what is asked for, in words."""
    (newest,) = store.execute("SELECT id FROM campaign ORDER BY started DESC LIMIT 1").fetchone()
    (gate,) = store.execute("SELECT name FROM \"case\" WHERE experiment = 'gate' LIMIT 1").fetchone()
    statement = """
    SELECT "case".experiment, size, "case".name, arm.name FROM "case" JOIN arm ON arm.case_id = "case".id
    WHERE experiment = 'compare' AND role = 'command' LIMIT 1
    """
    arm = ArmName(*store.execute(statement).fetchone())
    (count,) = store.execute("SELECT count(*) FROM campaign").fetchone()
    return {
        "the newest campaigns": "/campaigns",
        "the oldest campaigns": f"/campaigns?{urlencode({'page': -(-count // 50)})}",
        "campaigns by a text": f"/campaigns?{urlencode({'text': _NOWHERE})}",
        "the newest campaign": f"/campaigns/{newest}",
        "the machines": "/machines",
        "what has a history": "/history",
        "the history of a gate": address_of(ArmName("gate", "", gate, "")),
        "the history of a command": address_of(arm),
        "sides to choose": "/sides",
        "jobs": "/jobs",
    }


def served_pages(store: Store, place: str, home: Path) -> list[Opened]:
    """Time each page, from a server that has just been started."""
    asked = addresses(store)
    with _server(place, home) as (process, url):
        return [_page(words, process, url + address) for words, address in asked.items()]


def _page(words: str, process: psutil.Process, url: str) -> Opened:
    first_s, _ = _asked(process, url)
    again_s, cpu_s = _asked(process, url)
    return Opened(f"page: {words}", first_s, again_s, cpu_s)


def _asked(process: psutil.Process, url: str) -> tuple[float, float]:
    """Ask for a page; return the seconds of wall and of the server's processor time."""
    before, began_s = _cpu_s(process), time.monotonic()
    with urllib.request.urlopen(url, timeout=300) as reply:
        reply.read()
    return time.monotonic() - began_s, _cpu_s(process) - before


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)


@contextmanager
def _server(place: str, home: Path) -> Iterator[tuple[psutil.Process, str]]:
    environment = os.environ | {"ROOFTOP_HOME": str(home), "ROOFTOP_STORE": place}
    words = [str(ROOT / "rooftop"), "serve", "--port", "0"]
    with subprocess.Popen(words, env=environment, cwd=home, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://localhost:\d+", said := process.stderr.readline())
            if found is None:
                raise RuntimeError(f"rooftop serve: {said}{process.stderr.read()}")
            yield psutil.Process(process.pid), found[0]
        finally:
            process.send_signal(signal.SIGINT)
