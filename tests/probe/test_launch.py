"""A probe that crashes, hangs, floods or prints garbage is a line of missing, never an error."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rooftop.probe.launch import find_probes, run_probe

MakeProbe = Callable[[str, str], Path]


def test_a_good_probe_gives_its_figures_and_gets_its_options(make_probe: MakeProbe, good: str) -> None:
    figures = run_probe(make_probe("fma_peak", good), ["--quick", "--threads", "2"], 20)
    assert figures.missing == []
    assert figures.roofs[0].detail == {"options": "--quick --threads 2"}


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("sys.stderr.write('no such\\nregister'); sys.exit(7)", "x: exited with code 7; it said: no such register"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "x: was killed by SIGSEGV"),
        ("print('<html>')", "x: printed an invalid line: '<html>' is not JSON"),
        ("pass", "x: printed nothing"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n')", "x: printed an invalid line"),
        ("\nwhile True: print('y' * 65536)", "x: printed more than 4 MiB"),
    ],
)
def test_a_probe_that_fails_is_told(make_probe: MakeProbe, program: str, said: str) -> None:
    missing = run_probe(make_probe("x", program), [], 20).missing
    assert any(line.startswith(said) for line in missing), missing


def test_figures_before_a_crash_are_kept(make_probe: MakeProbe, good: str) -> None:
    figures = run_probe(make_probe("fma_peak", good + "\nsys.stdout.flush()\nimport os\nos.abort()"), [], 20)
    assert len(figures.roofs) == 1
    assert figures.missing == ["fma_peak: was killed by SIGABRT"]


def test_a_hang_ends_and_takes_its_children_along(make_probe: MakeProbe, place: Path) -> None:
    note = place / "child"
    program = (
        "import os, time\n"
        "child = os.fork()\n"
        f"child == 0 or open({str(note)!r}, 'w').write(str(child))\n"
        "time.sleep(600)\n"
    )
    figures = run_probe(make_probe("slow", program), [], 5)
    assert figures.missing == ["slow: was still running after 5 s"]
    child = int(note.read_text())
    for _ in range(1200):
        state = Path(f"/proc/{child}/stat")
        if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            break
        time.sleep(0.05)
    else:
        pytest.fail("the probe's child is still running")


def test_what_cannot_be_started_is_told(place: Path) -> None:
    path = place / "build" / "probes" / "broken"
    path.write_bytes(b"\x7fELF no executable")
    path.chmod(0o755)
    assert run_probe(path, [], 5).missing[0].startswith("broken: cannot be started")


def test_probes_are_found_by_folder(make_probe: MakeProbe, place: Path, good: str) -> None:
    make_probe("b", good)
    make_probe("a", good)
    (place / "build" / "probes" / "notes.txt").write_text("not executable")
    (place / "build" / "probes" / "CMakeFiles").mkdir()
    assert [file.name for file in find_probes(place / "build" / "probes")] == ["a", "b"]
    assert find_probes(place / "nowhere") == []
