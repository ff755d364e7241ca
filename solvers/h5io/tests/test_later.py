"""Asynchronous reads and writes."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

ROOT = Path(__file__).parents[3]
LAYOUTS: dict[str, dict[str, Any]] = {
    "contiguous": {},
    "chunked": {"chunks": (7, 20)},
    "deflated": {"chunks": (7, 20), "filters": ("shuffle", "deflate:1")},
}
VALUES = np.arange(60 * 50, dtype="<f4").reshape(60, 50)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.h5"
    with h5io.OutputFile(path) as file:
        for name, layout in LAYOUTS.items():
            file.dataset(name, VALUES.shape, VALUES.dtype, **layout).write(VALUES)
    return path


@st.composite
def slices(draw: st.DrawFn, extent: int) -> Any:
    if draw(st.booleans()):
        start, stop = (draw(st.none() | st.integers(-extent - 1, extent + 1)) for _ in range(2))
        return slice(start, stop, draw(st.integers(1, 4)))
    return draw(st.integers(-extent, extent - 1))


@given(st.data())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_later_is_what_now_is(sample: Path, data: st.DataObject) -> None:
    with h5io.File(sample) as file:
        asked = []
        for _ in range(data.draw(st.integers(1, 8))):
            x = file[data.draw(st.sampled_from(tuple(LAYOUTS)))]
            index = tuple(data.draw(slices(extent)) for extent in x.shape)
            by_library = data.draw(st.booleans())
            request = x.read_later(index, threads=data.draw(st.integers(0, 3)), by_library=by_library)
            asked.append((x, index, by_library, request))
    for x, index, by_library, request in asked:
        expected, report = x.read_reported(index, by_library=by_library)
        np.testing.assert_array_equal(request.wait(), expected)
        np.testing.assert_array_equal(expected, VALUES[index])
        assert request.report.way == report.way
        assert request.done()


@given(st.data())
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_last_of_writes_that_overlap_stays(tmp_path: Path, data: st.DataObject) -> None:
    path, expected = tmp_path / "written.h5", VALUES.copy()
    layout = LAYOUTS[data.draw(st.sampled_from(tuple(LAYOUTS)))]
    with h5io.OutputFile(path, replace=True) as file:
        x = file.dataset("x", VALUES.shape, VALUES.dtype, **layout)
        requests = [x.write_later(VALUES)]
        for number in range(data.draw(st.integers(0, 6))):
            index = tuple(data.draw(slices(extent)) for extent in VALUES.shape)
            requests.append(x.write_later(np.float32(-number), index, threads=data.draw(st.integers(0, 3))))
            expected[index] = -number
        if data.draw(st.booleans()):
            assert next(request.wait().selected_bytes for request in requests) == VALUES.nbytes
    np.testing.assert_array_equal(h5io.File(path)["x"][...], expected)


def test_results_go_where_they_are_wanted(sample: Path) -> None:
    x = h5io.File(sample)["deflated"]
    out = np.zeros((60, 10), "<f4")
    request = x.read_later(np.s_[:, ::5], out)
    assert request.wait() is out
    np.testing.assert_array_equal(out, VALUES[:, ::5])
    assert request.report.calls == 27
    assert "done" in repr(request)
    with pytest.raises(h5io.H5ArgumentError, match=r"^out is float32"):
        x.read_later(np.s_[:, 0], out)
    with pytest.raises(h5io.H5ArgumentError, match="index 0 is 60"):
        x.read_later(60)
    with pytest.raises(h5io.H5ArgumentError, match="threads is -1"):
        x.read_later(threads=-1)


def test_what_nobody_waits_for_is_done_all_the_same(sample: Path) -> None:
    out = np.zeros(VALUES.shape, "<f4")
    h5io.File(sample)["deflated"].read_later(out=out)
    gc.collect()
    np.testing.assert_array_equal(out, VALUES)


def test_errors_come_out_of_wait(sample: Path) -> None:
    x = h5io.File(sample)["contiguous"]
    sound = x.read_later(0)
    np.testing.assert_array_equal(sound.wait(), VALUES[0])
    os.truncate(sample, 2000)
    cut = x.read_later()
    for _ in range(2):
        with pytest.raises(h5io.H5FileError, match="is cut short: it has 2000 bytes"):
            cut.wait()
    assert cut.done()
    np.testing.assert_array_equal(sound.wait(), VALUES[0])


def test_an_error_of_a_write_that_nobody_waited_for_is_raised_by_close(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    file = h5io.OutputFile(tmp_path / "long.h5")
    x = file.dataset("x", (1 << 20,), "<i4")
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, before[1]))
        x.write_later(np.ones(1 << 20, "<i4"))
        gc.collect()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    with pytest.raises(h5io.H5FileError, match="cannot be written"):
        file.close()


def test_requests_are_cancelled(sample: Path) -> None:
    x = h5io.File(sample)["deflated"]
    requests = [x.read_later() for _ in range(200)]
    for request in reversed(requests):  # in reverse: a later request is done only after the earlier ones
        request.cancel()
    ended = []
    for request in requests:
        try:
            np.testing.assert_array_equal(request.wait(), VALUES)
            ended.append(True)
        except h5io.H5Cancelled as error:
            assert "asked to stop" in str(error)
            ended.append(False)
    assert ended == sorted(ended, reverse=True)


def test_a_signal_ends_waiting(tmp_path: Path) -> None:
    path = tmp_path / "many.h5"
    values = np.zeros((1000, 1000), "<f4")
    with h5io.OutputFile(path) as file:
        file.dataset("x", values.shape, "<f4", chunks=(1, 1000), filters=("deflate:1",)).write(values)
    x = h5io.File(path)["x"]
    requests = [x.read_later(out=values) for _ in range(300)]

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1)).start()
            requests[-1].wait()
            time.sleep(60)  # if all were read before the signal
    finally:
        signal.signal(signal.SIGUSR1, handler)
    for request in requests:
        request.cancel()


def test_blocks_are_the_dataset(sample: Path) -> None:
    for name in LAYOUTS:
        x = h5io.File(sample)[name]
        for rows in (1, 7, 60, 100):
            for ahead in (0, 1, 4):
                for reuse in (False, True):
                    seen = [block.copy() for block in x.blocks(rows, ahead=ahead, reuse=reuse)]
                    assert [len(block) for block in seen[:-1]] == [rows] * (len(seen) - 1)
                    np.testing.assert_array_equal(np.concatenate(seen), VALUES)
        np.testing.assert_array_equal(np.concatenate(list(x.blocks())), VALUES)


def test_a_dataset_is_iterated_over_by_rows(sample: Path, tmp_path: Path) -> None:
    for name in LAYOUTS:
        x = h5io.File(sample)[name]
        rows = list(x)
        assert len(x) == len(rows) == 60
        np.testing.assert_array_equal(rows, VALUES)
        assert all(row.base is None for row in rows), "a row that is kept keeps no block"
    with h5io.OutputFile(tmp_path / "odd.h5") as file:
        file.dataset("line", (7,), "<i2")[...] = np.arange(7)
        file.dataset("empty", (0, 3), "<f4")
        file.dataset("single", (), "<f4")
    odd = h5io.File(tmp_path / "odd.h5")
    assert list(odd["line"]) == list(range(7))
    assert list(odd["empty"]) == []
    for of in (len, iter, list):
        with pytest.raises(TypeError, match="dataset single has no dimensions"):
            of(odd["single"])


def test_numpy_takes_a_dataset_whole(sample: Path) -> None:
    x = h5io.File(sample)["deflated"]
    assert np.mean(x) == VALUES.mean()
    found = np.asarray(x, "<f8")
    assert found.dtype == "<f8"
    np.testing.assert_array_equal(found, VALUES)
    with pytest.raises(ValueError, match="an array of it is a copy"):
        x.__array__(copy=False)


def test_texts_of_variable_length_are_iterated_over(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    texts = [b"", b"one", b"four " * 100]
    with h5py.File(tmp_path / "texts.h5", "w") as file:
        file["x"] = np.array(texts, object)
    assert [row[()] for row in h5io.File(tmp_path / "texts.h5")["x"]] == texts


def test_blocks_are_arrays_of_their_own_unless_they_are_reused(sample: Path) -> None:
    x = h5io.File(sample)["contiguous"]
    np.testing.assert_array_equal(np.concatenate(list(x.blocks(7))), VALUES)
    places = [block.ctypes.data for block in x.blocks(7, ahead=2, reuse=True)]
    assert len(set(places)) == 3


def test_blocks_that_nobody_wants_any_more_are_cancelled(sample: Path) -> None:
    for block in h5io.File(sample)["deflated"].blocks(7, ahead=3):
        np.testing.assert_array_equal(block, VALUES[:7])
        break


def test_blocks_cut_no_chunk(tmp_path: Path) -> None:
    with h5io.OutputFile(tmp_path / "wide.h5") as file:
        file.dataset("x", (9, 1 << 20), "<f4", chunks=(2, 1 << 20))
        file.dataset("single", (), "<f4")
        file.dataset("empty", (0, 3), "<f4")
    wide = h5io.File(tmp_path / "wide.h5")
    assert [len(block) for block in wide["x"].blocks()] == [2, 2, 2, 2, 1]
    assert list(wide["empty"].blocks()) == []
    for words, says in (({"rows": 0}, "rows is 0"), ({"ahead": -1}, "ahead is -1"), ({"reuse": 1}, "reuse is 1")):
        with pytest.raises(h5io.H5ArgumentError, match=says):
            wide["x"].blocks(**words)  # type: ignore[arg-type]
    with pytest.raises(h5io.H5ArgumentError, match="the dataset has no dimensions"):
        wide["single"].blocks(1)


def test_what_is_prefetched_is_told(sample: Path) -> None:
    file = h5io.File(sample)
    assert file["contiguous"].prefetch(np.s_[10:20]).wait().file_bytes == 10 * 50 * 4
    report = file["deflated"].prefetch(np.s_[:8]).wait()
    assert (report.way, report.calls) == ("chunks", 6)


AT_EXIT = """
import sys
import numpy as np
from rooftop.solvers import h5io
file = h5io.OutputFile(sys.argv[1], replace=True)
x = file.dataset("x", (200, 1000), "<f4", chunks=(1, 1000), filters=("deflate:1",))
values = np.ones((200, 1000), "<f4")
requests = [x.write_later(values) for _ in range(5)]
reader = h5io.File(sys.argv[2])["deflated"]
reads = [reader.read_later() for _ in range(50)]
if len(sys.argv) > 3:
    import os
    pid = os.fork()
    if pid == 0:
        assert (reader.read_later().wait() == reader[...]).all()
        try:
            reads[-1].wait()
        except h5io.H5ArgumentError:
            pass
        sys.exit()
    assert os.waitpid(pid, 0)[1] == 0
print("end")
"""


@pytest.mark.parametrize("forks", [False, True])
def test_the_interpreter_ends_with_requests_under_way(sample: Path, tmp_path: Path, forks: bool) -> None:
    words = [sys.executable, "-W", "ignore", "-c", AT_EXIT, str(tmp_path / "end.h5"), str(sample)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [*words, *(["fork"] if forks else [])],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_the_page_s_program_works(tmp_path: Path) -> None:
    page = (ROOT / "solvers" / "h5io" / "README.md").read_text(encoding="utf-8")
    section = page.partition("\n## While the program computes\n")[2].partition("\n## ")[0]
    [program] = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
