"""``rooftop probe --device``: what is asked of the probe, what is kept for each file system, and how it is shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.documents import DeviceDocument
from rooftop.errors import Misuse
from rooftop.machine import cores_now
from rooftop.machine.file_system import file_system_of
from rooftop.probe import device_document, known_device_roofs, refresh_device_roofs
from rooftop.probe.device import FOLDER
from rooftop.probe.launch import find_probes, run_probe
from rooftop.settings import Settings

Runs = Callable[[str], list[str]]
PROBES = find_probes(Settings().build_folder / FOLDER)
built = pytest.mark.skipif(not PROBES, reason=f"no probes built in {Settings().build_folder / FOLDER}")

# Two looks at three figures, as the probe prints them.
LOOKS = """
for read, random in ((8e8, 9000.0), (1e9, 8000.0)):
    for metric, level, value, unit in (("file_read", "page cache", 10 * read, "byte/s"),
                                       ("file_read", "device", read, "byte/s"),
                                       ("file_random_read_direct", "device", random, "reads/s")):
        more = {"cache_dropped_by": "posix_fadvise"} if (metric, level) == ("file_read", "device") else {}
        print(json.dumps({"protocol": 1, "probe": "device", "metric": metric, "level": level, "value": value,
                          "unit": unit, "threads": 2, "bytes": 134217728, **more}))
"""


@pytest.fixture
def probe(place: Path) -> Path:
    """Write a fake probe that notes its options in a file."""
    path = place / "build" / FOLDER / "device"
    path.parent.mkdir(parents=True)
    note = f"open({str(place / 'device.runs')!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n"
    path.write_text(f"#!{sys.executable} -I\nimport json, sys\n{note}{LOOKS}", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_best_look_of_each_figure_is_kept_for_the_file_system(probe: Path, runs: Runs, tmp_path: Path) -> None:
    first = device_document(tmp_path, quick=True)
    inside = tmp_path / "inside"
    inside.mkdir()
    again = device_document(inside, quick=True)
    assert runs("device") == [f"--folder {tmp_path} --quick --threads {cores_now()}"]
    assert (first.cached, again.cached) == (False, True)
    assert again.roofs == first.roofs
    name = file_system_of(tmp_path).name
    assert first.file_system.name == name
    assert {roof.detail["file_system"] for roof in first.roofs} == {name}
    assert [(roof.metric, roof.level, roof.value) for roof in first.roofs] == [
        ("file_read", "page cache", 1e10),
        ("file_read", "device", 1e9),
        ("file_random_read_direct", "device", 9000.0),
    ]
    assert known_device_roofs(first.machine) == first.roofs
    assert known_device_roofs("another") == []
    device_document(tmp_path, quick=True, refresh=True)
    assert len(runs("device")) == 2


def test_within_a_campaign_it_is_brief_and_nothing_is_kept(
    probe: Path, runs: Runs, place: Path, tmp_path: Path
) -> None:
    found = refresh_device_roofs(tmp_path / "to be made", 1)
    assert runs("device") == [f"--brief --folder {tmp_path} --threads 1"]
    assert len(found) == 3
    assert not (place / "home").exists()


def test_misuse(probe: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Misuse, match="no such folder"):
        device_document(tmp_path / "absent")
    assert main(["probe", "--device", str(tmp_path / "absent")]) == 2
    assert main(["probe", "--device", str(tmp_path), "--threads", "0"]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 2


def test_the_document_and_the_table(probe: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--device", str(tmp_path), "--quick", "--json"]) == 0
    document = DeviceDocument.model_validate(json.loads(capfd.readouterr().out))
    assert document.schema_ == "rooftop/probe-device/1"
    assert main(["probe", "--device", str(tmp_path), "--quick"]) == 0
    out, err = capfd.readouterr()
    assert document.file_system.name in out
    assert "read from the device, cache dropped" in out and "1.00\u202fGB/s" in out
    assert "read 4 KiB at random from the device, O_DIRECT" in out and "9\u202f000\u202freads/s" in out
    assert "to the device" not in out
    assert "the cache was dropped by posix_fadvise" in err


def test_a_probe_that_fails_leaves_its_reason_and_exit_code_3(
    probe: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    probe.write_text(f"#!{sys.executable} -I\nimport sys\nsys.exit('no space')\n")
    assert main(["probe", "--device", str(tmp_path)]) == 3
    assert "no space" in capfd.readouterr().err


@built
@pytest.mark.parametrize("options", [[], ["--folder"], ["--threads", "0"], ["--folder", ".", "--fast"]])
def test_wrong_options_are_one_line_and_exit_code_2(options: list[str]) -> None:
    done = subprocess.run([PROBES[0], *options], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "expected" in done.stderr


@built
def test_a_folder_that_is_not_there_is_one_line() -> None:
    done = subprocess.run([PROBES[0], "--folder", "/absent"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert "/absent" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@built
def test_the_probe_gives_named_figures_and_leaves_no_file(tmp_path: Path) -> None:
    threads = len(os.sched_getaffinity(0))
    figures = run_probe(PROBES[0], ["--brief", "--folder", str(tmp_path), "--threads", str(threads)], 120)
    assert list(tmp_path.iterdir()) == []
    assert not figures.failed, figures.missing
    assert figures.roofs or figures.missing
    for roof in figures.roofs:
        assert roof.metric.removesuffix("_direct") in ("file_read", "file_random_read")
        assert (roof.level, roof.threads) == ("device", threads)
        assert roof.unit == ("reads/s" if "random" in roof.metric else "byte/s")
        assert roof.value > 0


@pytest.mark.case("commands.I8.device")
def test_a_device_is_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--device", "/dev/null"]) == 2
    told = capsys.readouterr().err
    assert "/dev/null is neither a folder nor a regular file" in told and told.count("\n") == 1
