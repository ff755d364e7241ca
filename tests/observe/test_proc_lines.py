"""Lines of /proc, as the kernel writes them and as nobody should."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.machine.processor import format_cpu_list
from rooftop.observe.proc_lines import (
    has_hdf5,
    has_openmp,
    parse_cpu_times,
    parse_migrations,
    parse_schedstat,
    parse_stat,
    parse_status,
    rank_of,
    variables,
)

NAMES = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=15)
NUMBERS = st.integers(0, 2**63 - 1)


@given(NAMES, st.sampled_from("RSDTZ"), st.lists(NUMBERS, min_size=49, max_size=49), st.integers(0, 4095))
def test_stat_whatever_the_thread_is_called(comm: str, state: str, numbers: list[int], cpu: int) -> None:
    numbers[35] = cpu  # the 39th field: the 36th after the state
    line = f"12 ({comm}) {state} {' '.join(map(str, numbers))}\n"
    stat = parse_stat(line)
    assert (stat.comm, stat.state, stat.cpu) == (comm, state, cpu)
    assert (stat.ticks, stat.started) == (numbers[10] + numbers[11], numbers[18])


@pytest.mark.parametrize("comm", ["a b", "(sd-pam)", "tmux: server) R 1 (", ")", ""])
def test_stat_with_names_that_exist(comm: str) -> None:
    line = f"7 ({comm}) S " + " ".join(str(number) for number in range(4, 53))
    stat = parse_stat(line)
    assert (stat.comm, stat.ticks, stat.started, stat.cpu) == (comm, 14 + 15, 22, 39)


def test_stat_of_this_process() -> None:
    stat = parse_stat(Path("/proc/self/stat").read_text(encoding="utf-8"))
    assert stat.cpu in range(os.cpu_count() or 1)
    assert stat.state == "R"


@given(st.text(max_size=80))
def test_any_text_is_read_or_a_value_error(text: str) -> None:
    for parse in (parse_stat, parse_schedstat, parse_status, parse_cpu_times):
        with contextlib.suppress(ValueError):
            parse(text)
    parse_migrations(text)
    has_openmp(text)
    has_hdf5(text)
    rank_of(variables(text.encode()), {})


@given(NUMBERS, NUMBERS)
def test_schedstat(run_ns: int, wait_ns: int) -> None:
    assert parse_schedstat(f"{run_ns} {wait_ns} 3\n") == (run_ns, wait_ns)


@given(st.sets(st.integers(0, 300), min_size=1), NUMBERS, NUMBERS)
def test_status(cpus: set[int], voluntary: int, involuntary: int) -> None:
    status = parse_status(
        f"Name:\ta: b\nCpus_allowed_list:\t{format_cpu_list(cpus)}\n"
        f"voluntary_ctxt_switches:\t{voluntary}\nnonvoluntary_ctxt_switches:\t{involuntary}\n"
    )
    assert (status.allowed, status.voluntary, status.involuntary) == (frozenset(cpus), voluntary, involuntary)


def test_migrations() -> None:
    text = "cat (12, #threads: 1)\n-----\nse.sum_exec_runtime : 1.5\nse.nr_migrations     :       42\n"
    assert parse_migrations(text) == 42
    assert parse_migrations("") is None


def test_cpu_times_skip_cpus_that_are_off() -> None:
    text = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 4 5 6 7 8 1 0\ncpu2 1 0 0 9 0 0 0 0 0 0\nintr 1\n"
    assert parse_cpu_times(text) == {0: (9, 36), 2: (9, 10)}


def test_ranks_of_three_launchers() -> None:
    assert rank_of({"OMPI_COMM_WORLD_RANK": "3", "PMI_RANK": "1"}, {}) == ("openmpi", 3)
    assert rank_of({"PMI_RANK": "1"}, {}) == ("mpich", 1)
    assert rank_of({"SLURM_PROCID": "2", "SLURM_STEP_ID": "0"}, {}) == ("srun", 2)
    assert rank_of({"PMI_RANK": "x"}, {}) is None


def test_a_job_script_is_no_rank() -> None:
    script = {"SLURM_PROCID": "0"}
    assert rank_of(script, script) is None
    assert rank_of({"SLURM_PROCID": "0", "SLURM_STEP_ID": "0"}, script) == ("srun", 0)


def test_variables() -> None:
    assert variables(b"A=1\0B=x=y\0broken\0\xff=2\0") == {"A": "1", "B": "x=y", "\ufffd": "2"}


def test_openmp_by_its_library() -> None:
    assert has_openmp("7f 00 /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n")
    assert not has_openmp("7f 00 /usr/lib/x86_64-linux-gnu/libc.so.6\n")
    assert has_hdf5("7f 00 /x/h5py.libs/libhdf5-9e18f0c6.so.320.0.0\n")
    assert not has_hdf5("7f 00 /usr/lib/x86_64-linux-gnu/libc.so.6\n")
