"""The build's own rules, on a tree with one small experiment."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNG = "10-one-sum"

pytestmark = pytest.mark.skipif(
    shutil.which("cmake") is None or shutil.which("ninja") is None, reason="CMake or Ninja is missing"
)


class Tree:
    """A scratch tree that can be configured and built."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.build = folder / "out"
        self.experiment = folder / "experiments" / "_template"
        self._copy("CMakeLists.txt", "cmake", "native", "experiments/_template")

    def _copy(self, *names: str) -> None:
        for name in names:
            source, target = ROOT / name, self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)

    def restore(self) -> None:
        """Take back what a test has changed. What was configured and built stays."""
        for name in ("cmake", "experiments/_template"):
            shutil.rmtree(self.folder / name)
            self._copy(name)

    def configure(self, *options: str, build: str = "out") -> subprocess.CompletedProcess[str]:
        folders = ["-S", str(self.folder), "-B", str(self.folder / build)]
        words = ["cmake", *folders, "-G", "Ninja", "-DROOFTOP_TESTS=OFF", *options]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    def make(self, *targets: str) -> subprocess.CompletedProcess[str]:
        words = ["cmake", "--build", str(self.build), "--target", *targets]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    def built(self, kind: str) -> set[str]:
        return {file.name for file in (self.build / "experiments/_template" / kind).iterdir()}

    def add_rung(self, name: str, text: str) -> Path:
        file = self.experiment / "rungs" / name
        file.write_text(text, encoding="utf-8")
        return file


@pytest.fixture(scope="module", name="shared_tree")
def shared_tree_fixture(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree for all tests: most of what configuring takes is to look at the compilers, which stay the same."""
    return Tree(tmp_path_factory.mktemp("tree"))


@pytest.fixture(name="tree")
def tree_fixture(shared_tree: Tree) -> Iterator[Tree]:
    yield shared_tree
    shared_tree.restore()


def test_records_what_was_built_with(tree: Tree) -> None:
    assert tree.configure().returncode == 0
    record = json.loads((tree.build / "build.json").read_text(encoding="utf-8"))
    assert record["build_type"] == "Release"
    assert record["compiler"] in ("GNU", "Clang")
    assert record["compiler_version"]
    assert "-O3" in record["flags"]
    assert "-march" not in record["flags"]
    assert "-mavx2" in record["isa_flags"]["avx2"]


def test_module_exports_one_symbol(tree: Tree) -> None:
    assert tree.configure().returncode == 0
    assert tree.make(f"_template.rungs.{RUNG}").returncode == 0
    module = tree.build / "experiments/_template/rungs" / f"{RUNG}.so"
    listed = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in listed.splitlines()] == ["rooftop_module"]


def test_unknown_need_is_a_skip_that_names_it(tree: Tree) -> None:
    tree.add_rung("90-wish.cpp", "/// Wish.\n// needs: Perpetuum\n#error must not be compiled\n")
    assert tree.configure().returncode == 0
    assert "90-wish.skipped" in tree.built("rungs")
    reason = (tree.build / "experiments/_template/rungs/90-wish.skipped").read_text(encoding="utf-8")
    assert "Perpetuum" in reason
    assert len(reason.splitlines()) == 1


def test_missing_library_gives_the_reason_of_its_file(tree: Tree) -> None:
    (tree.folder / "cmake/peers/Rare.cmake").write_text(
        'set(rooftop_peer_Rare_skip "Rare is not installed (Debian: librare-dev)")\n', encoding="utf-8"
    )
    rung = tree.add_rung("90-rare.cpp", "/// Rare.\n// needs: Rare\n")
    assert tree.configure().returncode == 0
    skipped = tree.build / "experiments/_template/rungs/90-rare.skipped"
    assert skipped.read_text(encoding="utf-8") == "Rare is not installed (Debian: librare-dev)\n"
    # Once it can be built, or is gone, the note is too.
    rung.unlink()
    assert tree.configure().returncode == 0
    assert not skipped.exists()


def test_other_architectures_are_skipped(tree: Tree) -> None:
    for isa in ("avx2", "neon"):
        tree.add_rung(f"90-wide.{isa}.cpp", "/// Wide.\n")
    assert tree.configure().returncode == 0
    assert len(tree.built("rungs") & {"90-wide.avx2.skipped", "90-wide.neon.skipped"}) >= 1


@pytest.mark.parametrize("name", ["90-fast.sse9.cpp", "90-fast.avx2.v2.cpp"])
def test_unknown_suffix_is_refused(tree: Tree, name: str) -> None:
    tree.add_rung(name, "/// Fast.\n")
    done = tree.configure()
    assert done.returncode != 0
    assert name in done.stderr


def test_rung_that_does_not_compile_fails_the_build(tree: Tree) -> None:
    tree.add_rung("90-slip.cpp", "/// Slip.\nthis is not C++\n")
    assert tree.configure().returncode == 0
    assert tree.make("_template.rungs.90-slip").returncode != 0


def test_module_of_a_removed_rung_is_removed(tree: Tree) -> None:
    source = tree.add_rung("90-brief.cpp", (tree.experiment / f"rungs/{RUNG}.cpp").read_text(encoding="utf-8"))
    assert tree.configure().returncode == 0
    assert tree.make("_template.rungs.90-brief").returncode == 0
    assert "90-brief.so" in tree.built("rungs")
    source.unlink()
    # Not configured by hand: the build notices.
    assert tree.make(f"_template.rungs.{RUNG}").returncode == 0
    assert "90-brief.so" not in tree.built("rungs")


@pytest.mark.skipif(shutil.which("clang++-16") is None, reason="clang++-16 is not installed")
@pytest.mark.parametrize(
    ("sanitizer", "missing", "package"),
    [
        ("thread", "ROOFTOP_ARCHER=OFF", "libomp-16-dev"),
        ("address", "ROOFTOP_SANITIZER_LINKS=OFF", "libclang-rt-16-dev"),
        ("address", "CMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON", "libomp-16-dev"),
    ],
)
def test_a_missing_run_time_library_is_named_with_its_package(
    tree: Tree, sanitizer: str, missing: str, package: str
) -> None:
    words = ["-DCMAKE_C_COMPILER=clang-16", "-DCMAKE_CXX_COMPILER=clang++-16", f"-DROOFTOP_SANITIZE={sanitizer}"]
    done = tree.configure(*words, f"-D{missing}", build=f"out-{missing}")
    assert done.returncode != 0
    assert f"install {package}" in " ".join(done.stderr.split())
