"""packages/install, with a package system made for the test."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

INSTALL = Path(__file__).resolve().parents[2] / "packages" / "install"
DPKG_QUERY = """#!/bin/sh
# Knows the packages of the file `installed` beside it.
sed 's/$/ installed/' "$(dirname "$0")/installed"
"""
APT_GET = """#!/bin/sh
here=$(dirname "$0")
echo "apt-get $*" >> "$here/asked"
case "$*" in *install*not-to-be-had*) exit 100 ;; esac
for word in "$@"; do echo "$word" >> "$here/installed"; done
"""
ID = """#!/bin/sh
cat "$(dirname "$0")/user"
"""


class System:
    """A tree with a list of packages, and commands that only pretend."""

    def __init__(self, folder: Path) -> None:
        self.commands = folder / "commands"
        self.commands.mkdir()
        for name, text in {"dpkg-query": DPKG_QUERY, "apt-get": APT_GET, "id": ID}.items():
            (self.commands / name).write_text(text, encoding="utf-8")
            (self.commands / name).chmod(0o755)
        (self.commands / "sudo").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (self.commands / "sudo").chmod(0o755)
        packages = folder / "packages"
        packages.mkdir()
        (packages / "install").write_bytes(INSTALL.read_bytes())
        for name in ("debian", "ubuntu", "ubuntu-22.04"):
            (packages / f"{name}.txt").write_text(
                "# A comment.\n[required]\ncompiler  # compiles\n\n[optional]\nnot-to-be-had # peer\n[test]\ntester\n",
                encoding="utf-8",
            )
        self.script = packages / "install"
        self.installed("compiler")
        self.user(0)

    def installed(self, *names: str) -> None:
        (self.commands / "installed").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")

    def user(self, number: int) -> None:
        (self.commands / "user").write_text(f"{number}\n", encoding="utf-8")

    def run(self, *groups: str) -> subprocess.CompletedProcess[str]:
        (self.commands / "asked").write_text("", encoding="utf-8")
        path = f"{self.commands}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", str(self.script), *groups],
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        return done

    def asked(self) -> str:
        return (self.commands / "asked").read_text(encoding="utf-8")


@pytest.fixture(name="system")
def system_fixture(tmp_path: Path) -> System:
    release = Path("/etc/os-release").read_text(encoding="utf-8") if Path("/etc/os-release").is_file() else ""
    if "debian" not in release and "ubuntu" not in release:
        pytest.skip("the script reads /etc/os-release, and this is neither Debian nor Ubuntu")
    return System(tmp_path)


def test_nothing_missing_asks_for_nothing(system: System) -> None:
    assert system.run("required").stderr == ""
    assert system.asked() == ""


def test_root_installs_what_is_missing(system: System) -> None:
    system.run("required", "test")
    assert "install --no-install-recommends tester" in system.asked()
    assert system.run("required", "test").stderr == ""


def test_user_is_told_in_one_line(system: System) -> None:
    system.user(1000)
    done = system.run("required", "test")
    assert done.stderr.splitlines() == [
        "packages: missing: tester; going on with what is there. To install: sudo apt-get install tester"
    ]
    assert system.asked() == ""


def test_one_that_cannot_be_had_does_not_keep_the_others(system: System) -> None:
    done = system.run("required", "optional", "test")
    assert "could not be installed: not-to-be-had" in done.stderr
    assert "tester" in (system.commands / "installed").read_text(encoding="utf-8")
    # The second time it is named, and not asked for again.
    done = system.run("required", "optional", "test")
    assert "not-to-be-had" in done.stderr
    assert system.asked() == ""
