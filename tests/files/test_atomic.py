"""Files are written whole, and only where their names say."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from rooftop.files.atomic import write_whole


def test_a_planted_link_is_not_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret"
    secret.write_text("kept", encoding="utf-8")
    monkeypatch.setattr("rooftop.files.atomic.secrets.token_hex", lambda _: "guessed")
    (tmp_path / ".page.html.guessed.partial").symlink_to(secret)
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "page.html", "a page")
    monkeypatch.undo()
    write_whole(tmp_path / "page.html", "a page")
    assert secret.read_text(encoding="utf-8") == "kept"
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "a page"
    assert not (tmp_path / "page.html").is_symlink()


def test_many_write_one_file_at_once_and_each_writes_it_whole(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    failed: list[OSError] = []
    torn: list[str] = []

    def write(letter: str) -> None:
        for _ in range(50):
            try:
                write_whole(file, letter * 100_000)
            except OSError as error:
                failed.append(error)
            text = file.read_text(encoding="utf-8")
            if len(text) != 100_000 or len(set(text)) != 1:
                torn.append(text[:10])

    threads = [threading.Thread(target=write, args=(letter,)) for letter in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failed, torn) == ([], [])
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]
