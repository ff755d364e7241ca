"""How a store is named, and that a password in it is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.cli.app import main
from rooftop.errors import Misuse
from rooftop.settings import Settings, store_at
from rooftop.store.place import Server, is_there, place_of, read_place
from rooftop.text.passwords import without_passwords

# A password that is no part of the rest of the URL.
PASSWORDS = st.text("SECRT%23@:!$&", min_size=6).filter(lambda text: not text.startswith("@"))


def test_files_folders_and_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_place("mine.sqlite") == tmp_path / "mine.sqlite"
    assert read_place(str(tmp_path)) == tmp_path / "store.sqlite"
    assert read_place("sqlite:////some/file.sqlite") == Path("/some/file.sqlite")
    server = read_place("postgres://me@host:1/team")
    assert str(server) == "postgres://me@host:1/team"
    assert is_there(server)
    assert not is_there(tmp_path / "store.sqlite")
    with pytest.raises(Misuse, match=r"a store is mysql://…: expected a file"):
        read_place("mysql://me:secret@host/team")


def test_a_store_is_the_home_s_unless_another_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOFTOP_STORE", raising=False)
    assert place_of(Settings(home=tmp_path)) == tmp_path / "store.sqlite"
    monkeypatch.setenv("ROOFTOP_STORE", "/there.sqlite")
    assert place_of(Settings(home=tmp_path)) == Path("/there.sqlite")
    store_at("/elsewhere.sqlite")
    assert place_of(Settings(home=tmp_path)) == Path("/elsewhere.sqlite")
    store_at(None)
    assert place_of(Settings(home=tmp_path)) == Path("/there.sqlite")


@given(PASSWORDS)
def test_a_password_is_not_shown(password: str) -> None:
    server = Server(f"postgresql://me:{password}@host/team")
    assert str(server) == "postgresql://me@host/team"
    assert server.url not in repr(server)
    assert without_passwords(f"no {server.url}, sorry") == "no postgresql://me:***@host/team, sorry"
    assert password not in server.hidden(f"invalid token {password!s} there")


@pytest.mark.parametrize("password", ["se/cret", "se?cret", "se#cret"])
def test_a_url_that_would_hide_its_password_badly_is_refused(password: str) -> None:
    with pytest.raises(Misuse, match="%2F") as refused:
        read_place(f"postgresql://me:{password}@host/team")
    assert "cret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["postgresql://me:sec%zzret@host/x", "mysql://me:sec%zzret@host/x", "postgresql://host:1/x?password=sec%zzret"],
)
def test_no_message_of_a_command_has_a_password(url: str, scratch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--campaigns", "--store", url]) in (1, 2)
    assert main(["list", url]) == 2
    seen = capsys.readouterr()
    assert "rooftop:" in seen.err
    assert "zzret" not in seen.out + seen.err
