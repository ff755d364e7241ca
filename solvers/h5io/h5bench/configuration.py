"""The keys of an h5bench configuration, and their checks.

Source: h5bench's documentation (https://h5bench.readthedocs.io) and the behaviour of its version 1.5. A particle has
seven floats and an integer, 32 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from rooftop.errors import Misuse

PARTICLE_BYTES = 32
_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_MICROSECONDS = {"": 1e6, "S": 1e6, "M": 60e6, "MS": 1e3, "U": 1, "US": 1, "MIN": 60e6}
#: Numbers of asked.hpp's enumeration.
_PARTS = {"LDC": 2, "RDC": 3, "PRL": 4, "CS": 5}
#: Keys that h5bench reads and these benchmarks do not use.
UNUSED = {
    "ENV_METADATA_FILE": "no metadata file of the environment is read",
    "STRIDE_SIZE_3": "strides have one or two dimensions",
    "BLOCK_SIZE_3": "blocks have one or two dimensions",
}


def _count(said: object) -> object:
    """Return the number for a text such as "16 M"; units are powers of 1024, as in h5bench."""
    match = re.fullmatch(r"(\d+)\s*([KMGT]?)\w*", str(said).strip(), re.IGNORECASE)
    if match is None:
        raise ValueError("expected a number such as 4194304 or 16 M")
    return int(match[1]) * _FACTORS[match[2].upper()]


def _duration(said: object) -> object:
    """Return the microseconds of a text such as "1 s" or "100 ms"."""
    match = re.fullmatch(r"(\d+)\s*([A-Z]*)", str(said).strip().upper())
    unit = None if match is None else _MICROSECONDS.get(match[2])
    if match is None or unit is None:
        raise ValueError("expected a time such as 1 s, 100 ms or 5000 us")
    return int(int(match[1]) * unit)


def _yes(said: object) -> object:
    return str(said).strip().upper().startswith("Y")


Count = Annotated[int, BeforeValidator(_count), Field(le=1 << 50)]
Positive = Annotated[int, BeforeValidator(_count), Field(ge=1, le=1 << 50)]
Yes = Annotated[bool, BeforeValidator(_yes)]
Operation = Literal["READ", "WRITE", "WRITE_UNLIMITED", "WRITE_NORMAL_DIST", "OVERWRITE", "APPEND"]
Pattern = Literal["CONTIG", "INTERLEAVED", "STRIDED"]


class Configuration(BaseModel):
    """The keys of a benchmark, in lower case, with h5bench's defaults."""

    model_config = ConfigDict(extra="forbid", alias_generator=str.upper)

    io_operation: Operation = "WRITE"
    mem_pattern: Literal["CONTIG", "INTERLEAVED"] = "CONTIG"
    file_pattern: Pattern = "CONTIG"
    read_option: Literal["FULL", "PARTIAL", "STRIDED", "LDC", "RDC", "PRL", "CS"] = "FULL"
    num_particles: Count = 0
    to_read_num_particles: Count = 0
    num_dims: Annotated[int, Field(ge=1, le=3)] = 1
    dim_1: Positive = 1
    dim_2: Positive = 1
    dim_3: Positive = 1
    stdev_dim_1: Count = 1
    stride_size: Count = 0
    stride_size_2: Count = 0
    block_size: Count = 0
    block_size_2: Count = 0
    block_cnt: Count = 0
    timesteps: Annotated[int, Field(ge=1, le=10_000)] = 1
    delayed_close_timesteps: Annotated[int, Field(ge=0)] = 0
    emulated_compute_time_per_timestep: Annotated[int, BeforeValidator(_duration)] = 0  # microseconds
    collective_data: Yes = False
    collective_metadata: Yes = False
    compress: Yes = False
    chunk_dim_1: Positive = 1
    chunk_dim_2: Positive = 1
    chunk_dim_3: Positive = 1
    mode: Literal["SYNC", "ASYNC"] = "SYNC"
    io_mem_limit: Count = 0
    file_per_proc: Yes = False
    subfiling: Yes = False
    align: Yes = False
    align_threshold: Count = 0
    align_len: Count = 0
    csv_file: str | None = None

    @property
    def write(self) -> bool:
        """Whether the benchmark writes."""
        return self.io_operation != "READ"

    @property
    def creates(self) -> bool:
        """Whether the benchmark creates the file."""
        return self.io_operation.startswith("WRITE")

    @property
    def normal(self) -> bool:
        """Whether the ranks' numbers of particles are drawn from a normal distribution."""
        return self.io_operation == "WRITE_NORMAL_DIST"

    @property
    def dims(self) -> list[int]:
        """The extent of each rank's part of the array, in each dimension."""
        return [self.dim_1, self.dim_2, self.dim_3][: self.num_dims]

    @property
    def strided(self) -> bool:
        """Whether blocks at a stride are read or written."""
        return self.file_pattern == "STRIDED" or (not self.write and self.read_option == "STRIDED")

    @property
    def corner(self) -> str | None:
        """The READ_OPTION that reads parts of two dimensions on one rank; None if it is another one."""
        return None if self.write or self.read_option not in _PARTS else self.read_option

    def particles(self, ranks: int) -> int:
        """Return the number of particles in the array."""
        product = ranks
        for one in self.dims:
            product *= one
        return product

    def shares(self, ranks: int) -> list[int]:
        """Return the number of particles of each rank, at least 1. Those of a normal distribution are reproducible."""
        if not self.normal:
            return [self.particles(1)] * ranks
        import numpy as np

        random = np.random.default_rng(ranks)
        drawn = np.rint(random.normal(self.dim_1, self.stdev_dim_1, ranks))
        while (few := drawn < 1).any():  # a wide distribution: draw these again
            drawn[few] = np.rint(random.normal(self.dim_1, self.stdev_dim_1, int(few.sum())))
        return [int(one) for one in drawn]

    def words(self) -> dict[str, int]:
        """Return the arguments of the program, as described in asked.hpp."""
        dims = [*self.dims, 1, 1][:3]
        part = 1 if self.strided else 0 if self.corner is None else _PARTS[self.corner]
        unlimited = self.io_operation == "WRITE_UNLIMITED"
        deflate = self.creates and self.compress
        chunk = [self.chunk_dim_1, self.chunk_dim_2, self.chunk_dim_3] if deflate or unlimited else [0, 0, 0]
        partial = not self.write and self.read_option == "PARTIAL"
        return {
            "write": self.write,
            "existing": self.write and not self.creates,
            "append": self.io_operation == "APPEND",
            "particles_in_memory": self.mem_pattern == "INTERLEAVED",
            "particles_in_file": self.file_pattern == "INTERLEAVED",
            "part": part,
            "dimensions": self.num_dims,
            **{f"extent_{d + 1}": dims[d] for d in range(3)},
            "elements": self.to_read_num_particles if partial else 0,
            "count": self.block_cnt,
            "stride_1": self.stride_size,
            "stride_2": self.stride_size_2,
            "block_1": self.block_size,
            "block_2": self.block_size_2,
            "steps": self.timesteps,
            "delay": self.delayed_close_timesteps,
            "compute_us": self.emulated_compute_time_per_timestep,
            "collective_data": self.collective_data or deflate,
            "collective_metadata": self.collective_metadata,
            "file_per_rank": self.file_per_proc,
            "asynchronous": self.mode == "ASYNC",
            **{f"chunk_{d + 1}": chunk[d] for d in range(3)},
            "deflate": deflate,
            "unlimited": unlimited,
            "alignment_threshold": self.align_threshold if self.align else 0,
            "alignment": self.align_len if self.align else 0,
            "memory_limit": self.io_mem_limit,
        }

    @model_validator(mode="after")
    def _can_be(self) -> Configuration:
        one_dimension, two = self.num_dims == 1, self.num_dims == 2
        for number, dim in ((2, self.dim_2), (3, self.dim_3)):
            if number > self.num_dims and dim > 1:
                raise ValueError(f"DIM_{number} is {dim} and NUM_DIMS {self.num_dims}, expected DIM_{number}=1")
        if self.subfiling:
            raise ValueError("SUBFILING is YES, which requires HDF5 1.14: expected NO")
        if self.num_dims == 3 and (self.file_pattern, self.mem_pattern) != ("CONTIG", "CONTIG"):
            raise ValueError("NUM_DIMS is 3, expected MEM_PATTERN and FILE_PATTERN to be CONTIG")
        self._check_operation(one_dimension)
        if self.strided:
            self._check_stride(one_dimension)
        if self.corner is not None:
            self._check_corner(two)
        if not self.write and self.read_option == "PARTIAL":
            if not one_dimension:
                raise ValueError(f"READ_OPTION is PARTIAL and NUM_DIMS is {self.num_dims}, expected 1")
            if self.to_read_num_particles > self.dim_1:
                raise ValueError(
                    f"TO_READ_NUM_PARTICLES is {self.to_read_num_particles}, expected 1 to DIM_1, {self.dim_1}"
                )
        chunk = [self.chunk_dim_1, self.chunk_dim_2, self.chunk_dim_3][: self.num_dims]
        for number, (part, all_) in enumerate(zip(chunk, self.dims, strict=True), start=1):
            if self.compress and part > all_:
                raise ValueError(f"CHUNK_DIM_{number} is {part}, expected at most DIM_{number}, {all_}")
        step = PARTICLE_BYTES * self.particles(1)
        if self.io_mem_limit and step >= self.io_mem_limit:
            raise ValueError(f"IO_MEM_LIMIT is {self.io_mem_limit}, expected more than the {step} bytes of a step")
        return self

    def _check_operation(self, one_dimension: bool) -> None:
        if self.io_operation == "WRITE_UNLIMITED" and not self.compress:
            raise ValueError("COMPRESS is NO, expected YES: unlimited writes use compressed chunks")
        mixed = (self.mem_pattern == "INTERLEAVED") != (self.file_pattern == "INTERLEAVED")
        if self.creates and self.compress and mixed and not self.file_per_proc:
            raise ValueError(
                f"MEM_PATTERN is {self.mem_pattern} and FILE_PATTERN {self.file_pattern}, which HDF5 does not compress "
                "by ranks: expected the same in both, or COMPRESS=NO"
            )
        if self.normal and not (one_dimension and self.file_pattern != "STRIDED"):
            raise ValueError(
                f"NUM_DIMS is {self.num_dims} and FILE_PATTERN {self.file_pattern}, expected 1 and CONTIG or "
                "INTERLEAVED with a normal distribution"
            )
        if self.write and not self.creates and (self.read_option != "FULL" or self.strided):
            raise ValueError(
                f"READ_OPTION is {self.read_option} and FILE_PATTERN {self.file_pattern}, expected FULL and CONTIG or "
                f"INTERLEAVED with {self.io_operation}"
            )
        if self.io_operation == "APPEND" and self.file_per_proc:
            raise ValueError("FILE_PER_PROC is YES, expected NO with APPEND")

    def _check_stride(self, one_dimension: bool) -> None:
        if not one_dimension or self.mem_pattern != "CONTIG":
            raise ValueError("STRIDED patterns have one dimension: expected NUM_DIMS=1 and MEM_PATTERN=CONTIG")
        if min(self.stride_size, self.block_size, self.block_cnt) < 1 or self.stride_size < self.block_size:
            raise ValueError(
                f"STRIDE_SIZE is {self.stride_size}, BLOCK_SIZE {self.block_size} and BLOCK_CNT {self.block_cnt}, "
                "expected at least 1 each, and a stride of at least a block"
            )
        end = (self.block_cnt - 1) * self.stride_size + self.block_size
        if end > self.dim_1:
            raise ValueError(f"the last block ends at element {end}, expected at most DIM_1, {self.dim_1}")

    def _check_corner(self, two: bool) -> None:
        if not two or self.mem_pattern != "CONTIG":
            raise ValueError(f"READ_OPTION is {self.corner}, expected NUM_DIMS=2 and MEM_PATTERN=CONTIG")
        room = 2 if self.corner == "PRL" else 1
        for name, block, all_ in (
            ("BLOCK_SIZE", self.block_size, self.dim_1),
            ("BLOCK_SIZE_2", self.block_size_2, self.dim_2),
        ):
            if not 1 <= block * room <= all_:
                raise ValueError(f"{name} is {block}, expected 1 to {all_ // room}")
        if self.corner == "CS" and min(self.stride_size, self.stride_size_2) < 1:
            raise ValueError(
                f"STRIDE_SIZE is {self.stride_size} and STRIDE_SIZE_2 {self.stride_size_2}, expected at least 1 each"
            )


def configured(keys: Mapping[str, Any], where: str, **defaults: str) -> Configuration:
    """Check keys and values and return the configuration. `defaults`: for absent keys. Raises Misuse."""
    kept = {key: value for key, value in keys.items() if key not in UNUSED and str(value).strip()}
    try:
        return Configuration.model_validate({**defaults, **kept})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        told = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            told = f"{first['loc'][0]} is not a key of h5bench's patterns"
        elif first["loc"]:
            told = f"{first['loc'][0]} is {first['input']!r}: {told}"
        raise Misuse(f"{where}: {told}") from error
