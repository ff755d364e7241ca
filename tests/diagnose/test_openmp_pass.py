"""The pass over a real program's OpenMP regions."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.command.line import from_words
from rooftop.command.process import Limits
from rooftop.diagnose.observed import seen
from rooftop.diagnose.passes import Here
from rooftop.driver.replay import ReplayExecutor
from rooftop.observe import openmp
from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
GCC = shutil.which("gcc")
SOURCES = [
    *(ROOT / "native" / "openmp_regions").glob("*.c"),
    *(ROOT / "native" / "preload" / one for one in ("processes.c", "scope.c")),
]
PROGRAM = """
#include <math.h>
#include <stdio.h>
int main(void) {
  double sum = 0;
  for (int step = 0; step < 50; ++step) {
#pragma omp parallel for schedule(runtime) num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 100000; ++i) sum += sqrt(i);
  }
  printf("%g\\n", sum);
}
"""

pytestmark = pytest.mark.skipif(GCC is None or not sys.platform.startswith("linux"), reason="no gcc: install gcc")


@pytest.fixture(name="program")
def program_fixture(tmp_path: Path) -> Path:
    assert GCC is not None
    (tmp_path / "work.c").write_text(PROGRAM)
    words = [GCC, "-O2", "-g", "-fopenmp", "-o", "work", "work.c", "-lm"]
    subprocess.run(words, cwd=tmp_path, check=True)
    return tmp_path / "work"


def here(settings: Settings, build: Path) -> Here:
    bench = Bench(replace(settings, build=build), Place(), Watching(), ReplayExecutor({}))
    return Here(bench, None, "null")


def test_regions_are_named(settings: Settings, program: Path, tmp_path: Path) -> None:
    assert GCC is not None
    made = openmp.library(tmp_path)
    made.parent.mkdir()
    shared = ["-std=gnu11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"]
    subprocess.run([GCC, *shared, "-o", made, *SOURCES, "-pthread", "-ldl"], check=True)
    observed = here(settings, tmp_path).observe(from_words([str(program)]), Limits())
    assert "OpenMP regions" in [one.name for one in observed.passes]
    told = seen(observed).openmp_regions
    assert told is not None
    (region,) = told.regions
    assert region.site.startswith("main (work.c:")
    assert (region.calls, region.threads, region.schedule) == (50, 2.0, "runtime")
    assert region.mean_s <= region.most_s <= region.seconds <= told.elapsed_s


def test_a_library_that_is_not_built_is_missing(settings: Settings, program: Path, tmp_path: Path) -> None:
    observed = here(settings, tmp_path).observe(from_words([str(program)]), Limits())
    assert any("libopenmp_regions.so is not built" in one for one in observed.missing)
    assert seen(observed).openmp_regions is None


def test_programs_without_openmp_have_no_such_pass(settings: Settings, tmp_path: Path) -> None:
    observed = here(settings, tmp_path).observe(from_words(["/bin/true"]), Limits())
    assert not any("OpenMP" in one for one in [*observed.missing, *(made.name for made in observed.passes)])
