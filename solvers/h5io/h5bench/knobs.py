"""Settings of an h5bench file that have no effect here, each with the reason.

Unsupported settings that would change the work are refused when the configuration is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rooftop.solvers.h5io.h5bench.configuration import UNUSED, Configuration

_Counts = tuple[tuple[str, ...], Callable[[Configuration], bool], str]
#: Keys, when they have an effect, and the reason if they have none.
_KEYS: tuple[_Counts, ...] = (
    (("STRIDE_SIZE",), lambda c: c.strided or c.corner == "CS", "the pattern has no stride"),
    (("BLOCK_CNT",), lambda c: c.strided, "the pattern has no stride"),
    (("STRIDE_SIZE_2",), lambda c: c.corner == "CS", "it applies to READ_OPTION=CS only"),
    (("BLOCK_SIZE",), lambda c: c.strided or c.corner is not None, "the pattern has no blocks"),
    (("BLOCK_SIZE_2",), lambda c: c.corner is not None, "it applies to READ_OPTION=LDC, RDC, PRL and CS only"),
    (
        ("TO_READ_NUM_PARTICLES",),
        lambda c: not c.write and c.read_option == "PARTIAL",
        "it applies to READ_OPTION=PARTIAL only",
    ),
    (("READ_OPTION",), lambda c: not c.creates, "it does not apply to writes of new files"),
    (("COMPRESS",), lambda c: c.creates, "the file exists, compressed or not"),
    (("CHUNK_DIM_1",), lambda c: c.creates and c.compress, "it applies to writes with COMPRESS=YES only"),
    (
        ("CHUNK_DIM_2",),
        lambda c: c.creates and c.compress and c.num_dims > 1,
        "it applies to COMPRESS=YES with NUM_DIMS=2 or 3 only",
    ),
    (
        ("CHUNK_DIM_3",),
        lambda c: c.creates and c.compress and c.num_dims > 2,
        "it applies to COMPRESS=YES with NUM_DIMS=3 only",
    ),
    (("ALIGN_THRESHOLD", "ALIGN_LEN"), lambda c: c.align, "ALIGN is not YES"),
    (("COLLECTIVE_DATA", "COLLECTIVE_METADATA", "ALIGN"), lambda c: not c.file_per_proc, "each rank has its own file"),
    (("IO_MEM_LIMIT",), lambda c: c.mode == "ASYNC", "synchronous steps share their memory"),
    (("STDEV_DIM_1",), lambda c: c.normal, "all ranks have the same number of particles"),
    (("NUM_PARTICLES",), lambda _: False, "DIM_1, DIM_2 and DIM_3 determine the number, as in h5bench"),
)
_PRODUCT_SAID = ("NUM_PARTICLES",)


def _differs(asked: Configuration, key: str) -> bool:
    """Whether the value of a key differs from its default."""
    name = key.lower()
    if key in _PRODUCT_SAID and getattr(asked, name) == asked.particles(1):
        return False
    return name in asked.model_fields_set and getattr(asked, name) != type(asked).model_fields[name].default


def keys_without_effect(keys: Mapping[str, Any], asked: Configuration) -> list[str]:
    """Return a sentence for each key of a benchmark that is set and has no effect."""
    told = [f"{key} has no effect: {why}" for key, why in UNUSED.items() if str(keys.get(key, "")).strip()]
    for names, counts, why in _KEYS:
        told += [f"{key} has no effect: {why}" for key in names if _differs(asked, key) and not counts(asked)]
    if asked.creates and asked.compress and "collective_data" in asked.model_fields_set and not asked.collective_data:
        told.append("COLLECTIVE_DATA=NO has no effect: compressed chunks are written collectively, as in h5bench")
    if not asked.write and asked.read_option == "PARTIAL" and asked.to_read_num_particles == 0:
        told.append("READ_OPTION=PARTIAL without TO_READ_NUM_PARTICLES reads all, as in h5bench")
    return told


def _names(value: object, where: str) -> list[str]:
    """Return the dotted names of all settings, such as file-system.lustre.stripe-size."""
    if not isinstance(value, Mapping):
        return [where]
    return [name for key, one in value.items() for name in _names(one, f"{where}.{key}")]


def file_system_without_effect(settings: Mapping[str, Any]) -> list[str]:
    """Return a sentence about settings of the file system, which the user has to make."""
    names = _names(settings, "file-system")
    why = "set them on the folder beforehand, for Lustre with lfs setstripe"
    return [f"{', '.join(names)}: no effect here; {why}"] if names else []


def connector_without_effect(settings: Mapping[str, Any]) -> list[str]:
    """Return a sentence about settings of a VOL connector, which is not loaded."""
    names = _names(settings, "vol")
    return [f"{', '.join(names)}: no effect here; MODE=ASYNC needs no connector"] if names else []


#: Options of mpirun for ranks that share a machine, which are used in any case.
_AS_STARTED = {"--allow-run-as-root", "--oversubscribe"}


def launch_without_effect(command: str, options: str) -> list[str]:
    """Return a sentence about a launcher and its options, of which only the number of ranks is used."""
    rest = re.sub(r"(?:^|\s)(?:-np|-n|--ntasks)[ =]*\d+", " ", options).split()
    names = [f"mpi.configuration's {' '.join(rest)}"] if set(rest) - _AS_STARTED else []
    if command.split()[:1] not in ([], ["mpirun"], ["mpiexec"]):
        names.insert(0, f"mpi.command {command}")
    return [f"{' and '.join(names)}: no effect here; ranks are started by mpirun, on this machine"] if names else []


def unknown_without_effect(names: Iterable[str]) -> list[str]:
    """Return a sentence about keys that h5bench does not have."""
    return [f"{name} has no effect: h5bench's workflows have no such key" for name in names]
