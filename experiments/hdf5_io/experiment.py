"""hdf5_io: reading what is selected of an array in an HDF5 file."""

from rooftop.experiment import Case, Experiment, Files

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
) -> Case:
    """Return a case; without a block, all of the array is read. Useful bytes are counted."""
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
    }
    return Case(name=name, parameters=parameters, nominal=4.0 * rows * blocks * block, cold=cold)


def _patterns(elements: int, side: int) -> list[Case]:
    """Return the contest's three reads: 1-D contiguous, 2-D contiguous, and 16 of every 64 elements."""
    chunk = (min(512, side), min(256, side))
    return [
        _case("cc1d", 1, elements),
        _case("cc2d", side, side),
        _case("stride1d", 1, elements, 16, 64),
        _case("cc2d, chunks", side, side, chunk=chunk),
        _case("cc2d, deflate", side, side, chunk=chunk, filter="deflate"),
        _case("cc2d, shuffle and deflate", side, side, chunk=chunk, filter="shuffle_deflate"),
    ]


_STRIDES = (17, 18, 20, 24, 28, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)


def _densities(elements: int) -> list[Case]:
    """Return 16 elements of every so many, from nearly all to one page of 128."""
    return [_case(f"16 of {stride}", 1, elements, 16, stride) for stride in _STRIDES]


experiment = Experiment(
    title="Reading HDF5 files",
    question="How near do reads of an HDF5 file come to what the system and the device give?",
    rate_unit="GB/s",
    rate_scale=1e9,
    precision="fp32",
    files=Files("ROOFTOP_HDF5_IO_FOLDER", "rooftop-hdf5-io"),
    sizes={
        "quick": [_case("cc1d", 1, _MI), _case("stride1d", 1, _MI, 16, 64)],
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
