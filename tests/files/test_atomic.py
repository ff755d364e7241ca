"""Files are written whole, and only where their names say."""

from __future__ import annotations

from pathlib import Path

from rooftop.files.atomic import write_whole


def test_a_planted_link_is_not_written_through(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("kept", encoding="utf-8")
    (tmp_path / ".page.html.partial").symlink_to(secret)
    write_whole(tmp_path / "page.html", "a page")
    assert secret.read_text(encoding="utf-8") == "kept"
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "a page"
    assert not (tmp_path / "page.html").is_symlink()
