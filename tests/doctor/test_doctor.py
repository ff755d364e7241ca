"""The doctor: every check answers, missing things have a cost and a remedy, and only required ones fail."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.doctor import Check, Found, Remedy, Surroundings, examine, find_checks
from rooftop.doctor.examine import DoctorDocument
from rooftop.machine.file_system import DROP_CACHES, FileSystem
from rooftop.machine.system_files import SystemFiles
from rooftop.settings import SOURCES, Settings

CHECKS = {check.name: check for check in find_checks()}


@dataclass
class Fake(Surroundings):
    """A system with these programs (and what they say first), libraries, headers and packages, and nothing else."""

    programs: dict[str, str] = field(default_factory=dict)
    libraries: set[str] = field(default_factory=set)
    headers: set[str] = field(default_factory=set)
    packages: dict[str, str] = field(default_factory=dict)
    root: bool = False

    @property
    def is_root(self) -> bool:
        return self.root

    def which(self, program: str) -> str | None:
        return f"/usr/bin/{program}" if program in self.programs else None

    def first_line(self, *command: str) -> str | None:
        return self.programs.get(command[0])

    def library(self, stem: str) -> str | None:
        return f"/usr/lib/{stem}.1" if stem in self.libraries else None

    def header(self, name: str) -> str | None:
        return f"/usr/include/{name}" if name in self.headers else None

    def python_package(self, name: str) -> str | None:
        return self.packages.get(name)


@pytest.fixture
def bare(tmp_path: Path) -> Fake:
    """A system on which nothing is installed but apt-get."""
    return Fake(files=SystemFiles(tmp_path), programs={"apt-get": "apt 2.6"})


def test_checks_are_found_by_folder_and_names_are_unique() -> None:
    found = find_checks()
    assert len({check.name for check in found}) == len(found)
    wanted = {"C++20 compiler", "CMake", "Open MPI", "MPICH", "parallel HDF5", "hwloc", "OpenBLAS", "oneDNN", "SMT"}
    assert wanted <= CHECKS.keys()


def test_on_a_bare_system_all_that_is_missing_has_a_cost_and_a_way_out(bare: Fake) -> None:
    document = examine(bare)
    assert not document.healthy
    for item in document.items:
        if item.status != "ok":
            assert item.costs
            assert item.command or item.remark, item.name
        else:
            assert item.costs is None
            assert item.command is None


def test_only_what_is_required_makes_it_unhealthy(bare: Fake) -> None:
    needed = [check for check in CHECKS.values() if check.required]
    assert {"C++20 compiler", "CMake", "Ninja", "nlohmann JSON"} <= {check.name for check in needed}
    bare.programs |= {"g++": "g++ (Debian) 12.2.0", "cmake": "cmake version 3.25.1", "ninja": "1.11"}
    bare.headers = {"nlohmann/json.hpp"}
    assert examine(bare).healthy


@pytest.mark.parametrize(
    ("name", "programs", "status"),
    [
        ("C++20 compiler", {"g++": "g++ (GCC) 11.4.0"}, "missing"),
        ("C++20 compiler", {"g++": "g++ (GCC) 11.4.0", "clang++-16": "clang version 16.0.6"}, "ok"),
        ("C++20 compiler", {"g++": "nonsense"}, "missing"),
        ("CMake", {"cmake": "cmake version 3.22.1"}, "missing"),
        ("CMake", {"cmake": "cmake version 4.0.2"}, "ok"),
        ("Open MPI", {"mpirun.openmpi": "mpirun (Open MPI) 4.1.4"}, "limited"),
        ("Open MPI", {"mpirun.openmpi": "mpirun (Open MPI) 4.1.4", "mpicxx.openmpi": "g++"}, "ok"),
        ("Open MPI", {"mpirun": "mpirun (Open MPI) 5.0.3", "mpicxx": "g++"}, "ok"),
        ("Open MPI", {"mpirun": "HYDRA build details:", "mpicxx": "g++"}, "missing"),
        ("Open MPI", {"mpirun": "Intel(R) MPI Library for Linux* OS, Version 2021.11", "mpicxx": "g++"}, "missing"),
        ("MPICH", {"mpirun": "HYDRA build details:"}, "limited"),
        ("MPICH", {"mpiexec.hydra": "HYDRA build details:", "mpicxx": "g++"}, "ok"),
        ("parallel HDF5", {"h5cc": "gcc"}, "limited"),
        ("parallel HDF5", {"h5pcc.mpich": "gcc"}, "ok"),
        ("Chromium", {"google-chrome": "Google Chrome 120"}, "ok"),
    ],
)
def test_programs_are_judged_by_name_and_version(bare: Fake, name: str, programs: dict[str, str], status: str) -> None:
    bare.programs |= programs
    assert CHECKS[name].look(bare).status == status


def test_a_library_without_its_header_is_limited(bare: Fake) -> None:
    bare.libraries = {"libdnnl.so"}
    assert CHECKS["oneDNN"].look(bare).status == "limited"
    bare.headers = {"dnnl.hpp"}
    assert CHECKS["oneDNN"].look(bare).status == "ok"


@pytest.mark.parametrize(
    ("name", "file", "text", "status"),
    [
        ("transparent huge pages", "sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]", "limited"),
        ("transparent huge pages", "sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never", "ok"),
        ("SMT", "sys/devices/system/cpu/smt/active", "1", "limited"),
        ("SMT", "sys/devices/system/cpu/smt/active", "0", "ok"),
        ("steal", "proc/stat", "cpu 10 0 10 70 0 0 0 20 0 0", "limited"),
        ("steal", "proc/stat", "cpu 100 0 100 700 0 0 0 0 0 0", "ok"),
    ],
)
def test_the_systems_files_are_judged(bare: Fake, name: str, file: str, text: str, status: str) -> None:
    path = bare.files.root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert CHECKS[name].look(bare).status == status


def test_a_quota_below_the_processors_is_limited(bare: Fake) -> None:
    for name, text in {
        "proc/self/cgroup": "0::/\n",
        "proc/self/mountinfo": "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
        "sys/fs/cgroup/cpu.max": "50000 100000\n",
    }.items():
        path = bare.files.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = CHECKS["cgroup CPU quota"].look(bare)
    assert found.status == "limited"
    assert "0.5 processors" in found.evidence


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        ("ext4 /dev/vda", "ok", "free"),
        ("tmpfs tmpfs", "limited", "nothing is ever read from a device"),
        ("nfs4 server:/home", "limited", "has a cache, too"),
        ("overlay overlay", "limited", "another file system"),
    ],
)
def test_the_file_system_of_temporary_files_is_judged(
    bare: Fake, kind: str, status: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, source = kind.split()
    roomy = FileSystem(name, source, "/", bytes=1 << 40, free_bytes=1 << 39)
    monkeypatch.setattr("rooftop.doctor.checks.files.file_system_of", lambda path, files: roomy)
    found = CHECKS["temporary files"].look(bare)
    assert (found.status, words in found.evidence) == (status, True)
    crowded = FileSystem("ext4", "/dev/vda", "/", bytes=1 << 40, free_bytes=1 << 20)
    monkeypatch.setattr("rooftop.doctor.checks.files.file_system_of", lambda path, files: crowded)
    assert CHECKS["temporary files"].look(bare).status == "limited"


@pytest.mark.parametrize("name", ["psycopg", "pyarrow", "psij-python", "statsmodels"])
def test_packages_of_single_commands_are_looked_for(bare: Fake, name: str) -> None:
    assert CHECKS[name].look(bare).status == "missing"
    bare.packages = {name: "3.2"}
    assert CHECKS[name].look(bare) == Found("ok", f"{name} 3.2 in {bare.python}")


def test_root_drops_the_page_cache_where_its_file_can_be_written(bare: Fake) -> None:
    assert CHECKS["page cache"].look(bare).status == "limited"
    path = bare.files.path(DROP_CACHES)
    path.parent.mkdir(parents=True)
    path.write_text("")
    assert CHECKS["page cache"].look(bare).status == "limited"
    bare.root = True
    assert CHECKS["page cache"].look(bare).status == "ok"


def test_what_the_system_refuses_is_told_with_its_reason(bare: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.doctor.checks.files.refuses_direct", lambda folder: "Invalid argument")
    monkeypatch.setattr("rooftop.doctor.checks.files.refuses_io_uring", lambda: "Operation not permitted")
    path = bare.files.path("/proc/sys/kernel/io_uring_disabled")
    path.parent.mkdir(parents=True)
    path.write_text("2\n")
    direct, io_uring = CHECKS["O_DIRECT"].look(bare), CHECKS["io_uring"].look(bare)
    assert (direct.status, io_uring.status) == ("missing", "missing")
    assert direct.evidence.endswith("does not take it: Invalid argument")
    assert io_uring.evidence == "refused: Operation not permitted; kernel.io_uring_disabled is 2"


@pytest.mark.parametrize(
    ("files", "status", "evidence"),
    [
        ([], "missing", "nothing built in {}"),
        (["build.json"], "limited", "{} has no drivers and no probes"),
        (["build.json", "probes/timer", "solvers/fft/librooftop_fft.so"], "limited", "{} has no drivers"),
        (["build.json", "experiments/ft/driver"], "limited", "{} has no probes"),
        (["build.json", "experiments/ft/driver", "probes/timer"], "ok", "{}"),
        (["build.json", "experiments/labs/false_sharing/driver", "probes/timer"], "ok", "{}"),
    ],
)
@pytest.mark.parametrize("installed", [False, True])
def test_drivers_and_probes_are_looked_for(
    bare: Fake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[str],
    status: str,
    evidence: str,
    installed: bool,
) -> None:
    """An installed package has probes and no drivers; `rooftop build` compiles them."""
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    if installed:
        monkeypatch.setattr("rooftop.doctor.checks.build.own_tree", lambda: SOURCES)
    bare.settings = Settings(build=tmp_path)
    (item,) = examine(bare, [CHECKS["drivers and probes"]]).items
    assert (item.status, item.evidence) == (status, evidence.format(tmp_path))
    assert item.command == (None if status == "ok" else "rooftop build" if installed else "make climb")


def test_a_check_that_fails_is_an_answer(bare: Fake) -> None:
    def look(here: Surroundings) -> Found:
        raise RuntimeError("no\nluck")

    item = examine(bare, [Check("x", "build", "all", look, Remedy(remark="none"))]).items[0]
    assert (item.status, item.evidence) == ("missing", "the check failed: RuntimeError: no luck")


@pytest.mark.parametrize(
    ("remedy", "root", "command", "needs_root"),
    [
        (Remedy(debian=("a", "b")), False, "sudo apt-get install a b", True),
        (Remedy(debian=("a",)), True, "apt-get install a", True),
        (Remedy(command="echo 1 | tee /x", root=True), False, "sudo sh -c 'echo 1 | tee /x'", True),
        (Remedy(command="make climb"), False, "make climb", False),
        (Remedy(remark="buy another"), False, None, False),
    ],
)
def test_the_command_is_for_the_user_who_asks(
    bare: Fake, remedy: Remedy, root: bool, command: str | None, needs_root: bool
) -> None:
    bare.root = root
    assert remedy.text(bare) == command
    assert remedy.needs_root is needs_root


def test_pip_is_that_of_the_running_python(bare: Fake) -> None:
    assert Remedy(pypi=("onnxruntime",)).text(bare) == f"{bare.python} -m pip install onnxruntime"


def test_without_apt_the_packages_are_named(bare: Fake) -> None:
    bare.programs = {}
    text = Remedy(debian=("g++",)).text(bare)
    assert text is not None
    assert "Debian calls: g++" in text


def test_the_command_prints_a_document_or_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    code = main(["doctor", "--json"])
    document = DoctorDocument.model_validate(json.loads(capfd.readouterr().out))
    assert code == (0 if document.healthy else 1)
    sick = examine(Fake(files=SystemFiles(tmp_path)))
    monkeypatch.setattr("rooftop.doctor.examine", lambda: sick)
    assert main(["doctor"]) == 1
    out = capfd.readouterr().out
    assert "C++20 compiler" in out
    assert "required" in out
