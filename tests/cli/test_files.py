"""Files beside what a command prints: written first, whole, and never those of an earlier run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from rooftop.cli.app import main
from rooftop.compare import command as compare
from rooftop.errors import Busy, Misuse
from rooftop.files.atomic import write_whole
from rooftop.scale import command as scale
from rooftop.terminal.output_files import Files
from rooftop.tune import command as tune

pytestmark = pytest.mark.usefixtures("scratch")


def wrote(path: Path, text: str = "old") -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.case("commands.E1.export")
@pytest.mark.parametrize(
    ("error", "stays"),
    [(Misuse("no"), True), (Busy("no"), True), (ValueError("no"), False), (KeyboardInterrupt(), False)],
)
def test_older_file_goes_where_a_run_fails_that_has_begun(error: BaseException, stays: bool, tmp_path: Path) -> None:
    old, other = wrote(tmp_path / "old"), wrote(tmp_path / "other")
    with pytest.raises(type(error)), Files(old, other, None, tmp_path / "none") as files:
        files.write("--other", other, lambda: "new")
        raise error
    assert old.exists() == stays
    assert other.read_text(encoding="utf-8") == "new"


@pytest.mark.case("commands.E2.failing")
def test_file_that_cannot_be_written_is_told_at_the_end(tmp_path: Path) -> None:
    written = tmp_path / "b"
    with pytest.raises(Misuse, match=r"--a: .*/file/a cannot be written: "), Files() as files:
        wrote(tmp_path / "file")
        files.write("--a", tmp_path / "file" / "a", lambda: "a")
        files.write("--b", written, lambda: "b")
        assert written.read_text(encoding="utf-8") == "b"
        files.require_written()


@pytest.mark.case("commands.E2.link")
def test_links_and_what_is_no_regular_file_stay_what_they_are(tmp_path: Path) -> None:
    target, link = wrote(tmp_path / "target"), tmp_path / "link"
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    null = tmp_path / "null"
    null.symlink_to("/dev/null")
    write_whole(null, "new")
    assert null.readlink() == Path("/dev/null")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link", "null", "target"]


def ended(**more: Any) -> Any:
    """Return what stands for a campaign that has ended."""

    def end(*_: object, **__: object) -> Any:
        return SimpleNamespace(
            document=SimpleNamespace(campaign="c", **more), interrupted=False, failure=None, beside=None
        )

    return end


def fail(*_: object) -> NoReturn:
    raise BrokenPipeError


def write(_: object, path: Path) -> None:
    wrote(path, "new")


@pytest.mark.case("commands.E2", "commands.E2.tune", "commands.E2.scale")
def test_files_are_written_before_anything_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, script = wrote(tmp_path / "file"), wrote(tmp_path / "script")
    monkeypatch.setattr("rooftop.campaign.run.run_campaign", ended(commands=[]))
    monkeypatch.setattr(compare, "print_comparison", fail)
    main(["compare", "--export", f"hyperfine:{file}", "true", "true"])
    assert '"results"' in file.read_text(encoding="utf-8")
    monkeypatch.setattr("rooftop.campaign.run.run_campaign", ended(best=None, default=SimpleNamespace(sbatch="#!")))
    monkeypatch.setattr(tune, "print_tuning", fail)
    monkeypatch.setattr("rooftop.tune.run.KIND", SimpleNamespace(name="tune", write_page=write))
    main(["tune", "--threads", "1,2", "--picture", str(file), "--sbatch", str(script), "--", "true"])
    assert (file.read_text(encoding="utf-8"), script.read_text(encoding="utf-8")) == ("new", "#!")
    wrote(file)
    monkeypatch.setattr("rooftop.campaign.run.run_campaign", ended())
    monkeypatch.setattr(scale, "_print", fail)
    monkeypatch.setattr("rooftop.scale.run.KIND", SimpleNamespace(name="scale", write_page=write))
    main(["scale", "--threads", "1,2", "--picture", str(file), "--", "true"])
    assert file.read_text(encoding="utf-8") == "new"
