"""hdf5_io: reading what is selected of an array in an HDF5 file."""

import math
from collections.abc import Mapping
from typing import Any

from rooftop.ladder.experiment import Case, Experiment, Files
from rooftop.launchers.team import usable_cores

_MI = 1 << 20


def _case(
    name: str,
    rows: int,
    columns: int,
    block: int = 0,
    stride: int = 0,
    chunk: tuple[int, int] = (0, 0),
    filter: str = "none",
    cold: bool = False,
    tuned: Mapping[str, Any] | None = None,
) -> Case:
    """Return a case; without a block, all of the array is read. Useful bytes are counted.

    tuned  what was found for the tuned rung (docs/results/h5-tuning.md); none: its defaults
    """
    block, stride = block or columns, stride or columns
    blocks = (columns - block) // stride + 1
    parameters = {
        "rows": rows,
        "columns": columns,
        "block": block,
        "stride": stride,
        "chunk_rows": chunk[0],
        "chunk_columns": chunk[1],
        "filter": filter,
        "cold": int(cold),
        **(tuned or {}),
    }
    return Case(name=name, parameters=parameters, nominal=4.0 * rows * blocks * block, cold=cold)


_IN_BLOCKS = {"pattern": "blocks"}


def _patterns(elements: int, side: int) -> list[Case]:
    """Return the contest's three reads: 1-D contiguous, 2-D contiguous, and 16 of every 64 elements."""
    chunk = (min(512, side), min(256, side))
    return [
        _case("cc1d", 1, elements),
        _case("cc2d", side, side),
        _case("stride1d", 1, elements, 16, 64, tuned=_IN_BLOCKS),
        _case("cc2d, chunks", side, side, chunk=chunk),
        _case("cc2d, deflate", side, side, chunk=chunk, filter="deflate"),
        _case("cc2d, shuffle and deflate", side, side, chunk=chunk, filter="shuffle_deflate"),
    ]


_STRIDES = (17, 18, 20, 24, 28, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)


def _densities(elements: int) -> list[Case]:
    """Return 16 elements of every so many, from nearly all to one page of 128."""
    return [_case(f"16 of {stride}", 1, elements, 16, stride) for stride in _STRIDES]


_CORES = usable_cores()
_RANKS = {_CORES} | {count for count in (1, 2, 4, 8, 16, 32, 64) if count <= 2 * _CORES}

_TUNABLES: dict[str, list[Any]] = {
    "ranks": sorted(_RANKS, key=lambda count: (count != _CORES, count)),
    "mode": ["independent", "collective"],
    "pattern": ["array", "blocks"],
    "chunk": [0, 1 << 14, 1 << 17, 1 << 20],
    "compression": ["none", "deflate", "shuffle_deflate", "bitshuffle_lz4", "bitshuffle_zstd"],
    "level": [0, 1],
    "cache_kib": [1 << 10, 1 << 14],
    "alignment": [1, 4096],
    "cb_nodes": [0, *({_CORES} - {1})],
    "metadata": ["default", "collective", "latest"],
    # What has one value here is left to those who ask: --param cb_buffer_kib=0,1024.
    "cache_slots": [521],
    "cb_buffer_kib": [0],
    "romio_ds_read": ["default"],
    "romio_cb_read": ["default"],
}
_CONDITIONS = [
    "chunk > 0 or compression == 'none' and cache_kib == 1024",
    "level == 0 or compression != 'none' and compression != 'bitshuffle_lz4'",
    "cb_nodes == 0 or mode == 'collective' and cb_nodes <= ranks",
    "not ('bitshuffle' in compression) or alignment == 1 and metadata != 'latest'",
]

# Of a Xeon at 2.5 GHz, by one rank, from the system's cache: bytes/s and seconds. It is their order that counts.
_COPY, _AGGREGATED, _CALL_S, _CHUNK_S, _RUN_S = 3.6e9, 2e9, 0.8e-6, 5e-6, 50e-6
_DECODED = {
    "none": 2.5e9,
    "deflate": 0.146e9,
    "shuffle_deflate": 0.365e9,
    "bitshuffle_lz4": 1.5e9,
    "bitshuffle_zstd": 0.8e9,
}


def _seconds(given: Mapping[str, Any]) -> float:
    """Return what a read by ranks is expected to take, by its calls, its bytes, and the chunks of the busiest rank."""
    rows, columns, block, stride = (given[name] for name in ("rows", "columns", "block", "stride"))
    blocks = (columns - block) // stride + 1
    ranks, at_once = given["ranks"], min(given["ranks"], _CORES)
    if given["pattern"] == "blocks":
        columns, stride = blocks * block, block
    in_one_piece = stride == block
    pieces = ranks if in_one_piece else rows * blocks
    useful = 4.0 * rows * blocks * block
    if given["chunk"] == 0:
        if given["mode"] == "independent":
            return _RUN_S * ranks + (pieces * _CALL_S + useful / _COPY) / at_once
        return _RUN_S * ranks + 4.0 * rows * columns / _AGGREGATED + useful / _COPY / at_once
    chunk_rows = min(rows, 1 << math.ceil(math.log2(given["chunk"]) / 2))
    chunk_columns = min(columns, max(1, given["chunk"] // chunk_rows))
    down, across = math.ceil(rows / chunk_rows), math.ceil(columns / chunk_columns)
    chunk_bytes = 4.0 * chunk_rows * chunk_columns
    busiest = math.ceil(down / ranks) * across if rows >= ranks else down * math.ceil(across / ranks)
    if given["compression"] == "none" and chunk_bytes > 1024 * given["cache_kib"]:
        decoded_s = pieces * _CALL_S / at_once
    else:
        decoded_s = busiest * ranks / at_once * (_CHUNK_S + chunk_bytes / _DECODED[given["compression"]])
    together_s = 4.0 * rows * columns / _AGGREGATED if given["mode"] == "collective" else 0.0
    return _RUN_S * ranks + decoded_s + useful / _COPY / at_once + together_s


experiment = Experiment(
    title="Reading HDF5 files",
    question="How close do reads of an HDF5 file come to the limits of the system and the device?",
    rate_unit="GB/s",
    rate_scale=1e9,
    precision="fp32",
    files=Files("ROOFTOP_HDF5_IO_FOLDER", "rooftop-hdf5-io"),
    tunables=_TUNABLES,
    conditions=_CONDITIONS,
    expected_s=_seconds,
    sizes={
        "quick": [
            _case("cc1d", 1, _MI),
            _case("cc2d", 1024, 1024),
            _case("stride1d", 1, _MI, 16, 64, tuned=_IN_BLOCKS),
        ],
        "S": _patterns(4 * _MI, 1024),
        "M": _patterns(64 * _MI, 8192),
        "density": _densities(16 * _MI),
        "cold": [
            _case("cc1d, cold", 1, 64 * _MI, cold=True),
            _case("stride1d, cold", 1, 64 * _MI, 16, 64, cold=True),
            _case("cc2d, shuffle and deflate, cold", 8192, 8192, chunk=(512, 256), filter="shuffle_deflate", cold=True),
        ],
    },
)
