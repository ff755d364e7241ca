"""Every setting in h5bench's own samples takes effect, or is named in a remark."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rooftop.errors import Misuse
from rooftop.solvers.h5io.h5bench.workflow import Workflow, read_workflow

SAMPLES = tomllib.loads(Path(__file__).with_name("h5bench_samples.toml").read_text(encoding="utf-8"))
#: What a key takes for its value to be one that can be.
NEEDED: dict[str, dict[str, str]] = {
    "NUM_DIMS": {"DIM_1": "64", "DIM_2": "1", "DIM_3": "1"},
    "DIM_2": {"NUM_DIMS": "2"},
    "DIM_3": {"NUM_DIMS": "3"},
    "STRIDE_SIZE": {"FILE_PATTERN": "STRIDED", "BLOCK_SIZE": "2", "BLOCK_CNT": "2", "DIM_1": "64"},
    "BLOCK_SIZE": {"FILE_PATTERN": "STRIDED", "STRIDE_SIZE": "4", "BLOCK_CNT": "2", "DIM_1": "64"},
    "BLOCK_CNT": {"FILE_PATTERN": "STRIDED", "STRIDE_SIZE": "2", "BLOCK_SIZE": "2", "DIM_1": "4 M"},
    "STRIDED": {"STRIDE_SIZE": "2", "BLOCK_SIZE": "2", "BLOCK_CNT": "2"},
    "LDC": {"NUM_DIMS": "2", "DIM_1": "6", "DIM_2": "6", "BLOCK_SIZE": "1", "BLOCK_SIZE_2": "1"},
}
NEEDED["RDC"] = NEEDED["PRL"] = NEEDED["LDC"]
NEEDED["CS"] = NEEDED["LDC"] | {"STRIDE_SIZE": "4", "STRIDE_SIZE_2": "3"}
NEEDED["ALIGN"] = {"ALIGN_LEN": "4 K"}
NEEDED["ALIGN_LEN"] = NEEDED["ALIGN_THRESHOLD"] = {"ALIGN": "YES"}
#: What cannot be left out has another value.
OTHERWISE = {"STDEV_DIM_1": "7", "STRIDE_SIZE": "5", "BLOCK_SIZE": "3", "BLOCK_CNT": "3", "COMPRESS": "YES"}

CASES = [
    (mode, key, value) for mode, keys in SAMPLES["patterns"].items() for key, values in keys.items() for value in values
]


def workflow(folder: Path, *benchmarks: tuple[str, dict[str, str]], **settings: Any) -> Workflow:
    """Return the workflow of a JSON file."""
    entries = [{"benchmark": name, "file": "test.h5", "configuration": keys} for name, keys in benchmarks]
    text = json.dumps({"mpi": {"command": "mpirun"}, "benchmarks": entries, **settings})
    (folder / "setup.json").write_text(text, encoding="utf-8")
    return read_workflow(folder / "setup.json")


@pytest.mark.case("solvers.H11")
@pytest.mark.parametrize(("mode", "key", "value"), CASES)
def test_each_key_is_honoured_or_told(tmp_path: Path, mode: str, key: str, value: str) -> None:
    """A key changes the arguments of the ranks, has its default value, or is named in a remark."""
    base = {"TIMESTEPS": "3", "DIM_1": "64"}
    if mode == "write-unlimited":
        base["COMPRESS"] = "YES"
    if value != "1" or key == "BLOCK_SIZE":
        base |= NEEDED.get(key, {}) | NEEDED.get(value, {})
    if key == "NUM_DIMS":
        base |= {f"DIM_{one}": "2" for one in range(2, int(value) + 1)}
    if mode == "read" and base.get("FILE_PATTERN") == "STRIDED":
        base["READ_OPTION"] = "STRIDED"
    with_it = workflow(tmp_path, (mode, base | {key: value}))
    asked = with_it.benchmarks[0].configuration
    if any(key in remark for remark in with_it.remarks):
        return
    field = type(asked).model_fields[key.lower()]
    if getattr(asked, key.lower()) == field.default:
        return
    if key == "CSV_FILE":
        assert asked.csv_file == value
        return
    left_out = {key, "DIM_2", "DIM_3"} if key == "NUM_DIMS" else {key}
    without = {name: one for name, one in base.items() if name not in left_out}
    if mode == "write-unlimited" and key == "COMPRESS":
        with pytest.raises(Misuse, match="COMPRESS is NO, expected YES"):
            workflow(tmp_path, (mode, without))
        return
    found = workflow(tmp_path, (mode, without | ({key: OTHERWISE[key]} if key in OTHERWISE else {})))
    other = found.benchmarks[0].configuration
    assert (asked.words(), asked.shares(3)) != (other.words(), other.shares(3))


@pytest.mark.case("solvers.H11.file-system")
def test_settings_of_a_file_system_and_of_a_connector(tmp_path: Path) -> None:
    """Each is named in a remark; another connector is refused."""
    write = ("write", {"MODE": "ASYNC"})
    (file_system,) = workflow(tmp_path, write, **{"file-system": SAMPLES["file-system"]}).remarks
    assert "file-system.lustre.stripe-size, file-system.lustre.stripe-count: no effect here" in file_system
    (connector,) = workflow(tmp_path, write, vol=SAMPLES["vol"]).remarks
    assert connector == "vol.library, vol.path, vol.connector: no effect here; MODE=ASYNC needs no connector"
    assert workflow(tmp_path, write, vol={}, **{"file-system": {}}).remarks == []
    cache = SAMPLES["vol"] | {"connector": "cache_ext config=SSD.cfg;under_vol=512"}
    with pytest.raises(Misuse, match=r"benchmark 1: vol\.connector is 'cache_ext .*expected async, or MODE=SYNC"):
        workflow(tmp_path, write, vol=cache)
    assert "vol.connector" in workflow(tmp_path, ("write", {}), vol=cache).remarks[0]


@pytest.mark.case("solvers.H11.launch")
@pytest.mark.parametrize(("command", "options", "ranks"), SAMPLES["launches"])
def test_launches(tmp_path: Path, command: str, options: str, ranks: int) -> None:
    """The number of ranks is used; other launchers and options are named in a remark."""
    mpi = {"command": command, "ranks": "8", "configuration": options}
    found = workflow(tmp_path, ("write", {}), mpi=mpi)
    assert found.ranks == ranks
    assert [remark.startswith(f"mpi.command {command}") for remark in found.remarks] == [True] * (command == "srun")
    bound = workflow(tmp_path, ("write", {}), mpi={"configuration": "-np 2 --bind-to core"})
    assert bound.remarks[0].startswith("mpi.configuration's --bind-to core: no effect here")


@pytest.mark.case("solvers.H11.programs")
@pytest.mark.parametrize("program", SAMPLES["programs"])
def test_other_programs(tmp_path: Path, program: str) -> None:
    """They are left out, with a remark; a workflow without any other is refused."""
    assert f"benchmark 2, {program}, is left out" in workflow(tmp_path, ("write", {}), (program, {})).remarks[0]
    with pytest.raises(Misuse, match=program):
        workflow(tmp_path, (program, {}))


@pytest.mark.case("solvers.H11.named")
@pytest.mark.parametrize(("mode", "keys", "told"), [
    ("write", {"CHUNK_DIM_1": "8"}, "CHUNK_DIM_1 has no effect: it applies to writes with COMPRESS=YES only"),
    ("write", {"IO_MEM_LIMIT": "1 G"}, "IO_MEM_LIMIT has no effect"),
    ("write", {"ALIGN_LEN": "1 M"}, "ALIGN_LEN has no effect: ALIGN is not YES"),
    ("write", {"STDEV_DIM_1": "3"}, "STDEV_DIM_1 has no effect: all ranks have the same number of particles"),
    ("write", {"COMPRESS": "YES", "COLLECTIVE_DATA": "NO"}, "COLLECTIVE_DATA=NO has no effect"),
    ("write", {"FILE_PER_PROC": "YES", "COLLECTIVE_DATA": "YES"}, "COLLECTIVE_DATA has no effect"),
    ("write", {"NUM_PARTICLES": "5"}, "NUM_PARTICLES has no effect"),
    ("read", {"COMPRESS": "YES"}, "COMPRESS has no effect"),
    ("read", {"TO_READ_NUM_PARTICLES": "1"}, "TO_READ_NUM_PARTICLES has no effect"),
    ("read", {"READ_OPTION": "PARTIAL"}, "READ_OPTION=PARTIAL without TO_READ_NUM_PARTICLES reads all"),
    ("read", {"ENV_METADATA_FILE": "x"}, "ENV_METADATA_FILE has no effect"),
])  # fmt: skip
def test_keys_without_effect(tmp_path: Path, mode: str, keys: dict[str, str], told: str) -> None:
    """A key without effect is named, with the reason."""
    (remark,) = workflow(tmp_path, (mode, {"TIMESTEPS": "1"} | keys)).remarks
    assert remark.startswith(f"benchmark 1, {mode}: {told}")


@pytest.mark.case("solvers.H11.named")
def test_unknown_keys_of_a_workflow(tmp_path: Path) -> None:
    """They are named in a remark; dimensions beyond NUM_DIMS are refused."""
    assert workflow(tmp_path, ("write", {}), colour="red").remarks[0].startswith("colour has no effect")
    with pytest.raises(Misuse, match="DIM_2 is 5 and NUM_DIMS 1, expected DIM_2=1"):
        workflow(tmp_path, ("write", {"DIM_2": "5"}))
