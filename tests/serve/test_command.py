"""``rooftop serve``: where it listens, to whom it answers, and how it ends."""

from __future__ import annotations

import base64
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from served_site import LOCAL, served

from rooftop.cli.app import main
from rooftop.serve.app import application
from rooftop.serve.guard import names_of
from rooftop.serve.place import Site

TOKEN = "0123456789abcdef0123"


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["serve", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("host", ["0.0.0.0", ""])
def test_others_are_let_in_only_when_that_is_said(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, "--host", host, "--port", "0")
    assert "can be reached by others, who could read every campaign: give --token-file FILE, or --public" in told


@pytest.mark.usefixtures("scratch")
def test_a_token_must_be_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token"
    assert "No such file" in refused(capsys, "--token-file", str(file))
    file.write_text(TOKEN, encoding="ascii")
    file.chmod(0o644)
    assert "can be read by others: chmod 600 it" in refused(capsys, "--token-file", str(file))
    file.chmod(0o600)
    assert "expected one of them" in refused(capsys, "--token-file", str(file), "--public")
    for short in ("", "secret", "two words are no token", "é" * 20):
        file.write_text(short, encoding="utf-8")
        assert f"holds {len(short)} characters, expected one word" in refused(capsys, "--token-file", str(file))


@pytest.mark.usefixtures("scratch")
def test_what_it_cannot_listen_at_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"--port {port}: Address already in use" in refused(capsys, "--port", str(port))
    assert "is no address of this machine" in refused(capsys, "--host", "no.such.host.invalid")


def test_without_the_token_nothing_is_shown(site: Site) -> None:
    def basic(user: str, password: str) -> str:
        return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"

    with served(application(site, LOCAL, TOKEN)) as server:
        wrong = [
            "",
            "Bearer",
            "Bearer x",
            f"Bearer {TOKEN}0",
            f"Bearer {TOKEN[:-1]}",
            f"Token {TOKEN}",
            "Basic",
            "Basic ?",
        ]
        for said in [*wrong, basic(TOKEN, ""), basic("a", "b"), "Bearer \xe9"]:
            for target in ("/", "/campaigns", "/campaigns.json", "/campaigns/x", "/nothing", "/jobs.json"):
                found = server.ask(target, headers={"Authorization": said})
                assert (found.code, found.body) == (401, b"a token is needed\n")
                assert found.headers["www-authenticate"].startswith("Basic ")
        for said in (f"Bearer {TOKEN}", f"bearer {TOKEN}", basic("anybody", TOKEN)):
            assert server.ask("/campaigns.json", headers={"Authorization": said}).code == 200
        assert (
            server.ask("/campaigns", headers={"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}).code == 400
        )


def test_its_names_are_its_own() -> None:
    assert names_of("127.0.0.1", "127.0.0.1", ["Bench.example"]) == ["localhost", "127.0.0.1", "[::1]", "bench.example"]
    others = names_of("0.0.0.0", "0.0.0.0", [])
    assert socket.gethostname().lower() in others
    assert "0.0.0.0" not in others
    assert "*" not in others


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("name", ["*", "*.example", "a*", "", "bench:8000", "http://bench", "a b"])
def test_a_pattern_is_no_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, "--port", "0", "--name", name)
    assert f"--name {name!r} is no name of a host: expected letters, digits" in told


def test_it_serves_until_an_interrupt(site: Site) -> None:
    words = [sys.executable, "-m", "rooftop", "serve", "--port", "0"]
    path = os.pathsep.join(filter(None, sys.path))
    environment = os.environ | {"ROOFTOP_HOME": str(site.settings.home_folder), "PYTHONPATH": path}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.match(r"http://localhost:(\d+)/", process.stderr.readline())
        assert found is not None
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/campaigns.json") as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
        assert process.wait() == 0
