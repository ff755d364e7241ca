"""What each stage of the solver's convolution takes at least: arithmetic, loads, stores and lines from the L2 cache.

A layer of c channels and k filters, 3x3, stride 1, padding 1, in blocks of 16 channels, its filter transformed before.
F(m) has three stages, one after the other, for a block of tiles:

    input    V = B^T pixels B: columns, which neighbours share, then the rows of each tile
    product  M = sum over channels of U V, a position at a time, in blocks of registers, `CHUNK` channels a sum
    output   Y = A^T M A: columns, then rows

V and M of a block exceed the L1 cache, so each of their lines comes from L2 in the stage that writes it and in each
that reads it. Transformed columns are stored and read again, since those of a tile of F(4) are 36 lines and registers
are 32. Address arithmetic, prefetches, edges of register blocks and the filter's own lines are left out: what is
counted is the least of these stages. A program that sums more channels at a time, or keeps columns in registers, may
take a few percent less.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

BLOCK = 16  # channels side by side: a line
CHUNK = 64  # channels summed in registers before the sum is added to M; more than doubles the accuracy at 512
FEW = 5  # channels up to which F(4) keeps V and M in registers and the L1 cache


@dataclass(frozen=True)
class Layer:
    """A layer of n images of c channels and h by w pixels, and k filters."""

    c: int
    h: int
    w: int
    k: int
    n: int


@dataclass(frozen=True)
class Stage:
    """Vector operations of a stage, whole vectors each, and the lines that it takes from L2."""

    name: str
    multiply_adds: float = 0
    additions: float = 0
    loads: float = 0
    stores: float = 0
    l2_lines: float = 0

    @property
    def instructions(self) -> float:
        """Instructions at least: an operation may load one operand."""
        return max(self.multiply_adds + self.additions, self.loads) + self.stores


#: Multiply-adds and lone additions of a 1-D transform of F(m) that has `size` outputs, as solvers/conv computes them.
_INPUT = {(2, 2): (0, 4), (4, 4): (10, 2), (6, 6): (22, 2), (4, 2): (4, 2), (6, 2): (4, 2), (6, 4): (12, 3)}
_OUTPUT = {(2, 2): (0, 4), (4, 4): (6, 4), (6, 6): (10, 15), (4, 2): (2, 2), (6, 2): (2, 2), (6, 4): (8, 4)}


def outputs_of(algorithm: str) -> int:
    """Return m of "F(m)": the outputs of a tile along a side."""
    return int(algorithm.removeprefix("F(").removesuffix(")"))


def sides(out: int, m: int) -> list[int]:
    """Return the outputs of the tiles of F(m) along a side: m each, and of the last as many as are left, even."""
    tiles = -(-out // m)
    left = out - (tiles - 1) * m
    return [m] * (tiles - 1) + [left + left % 2]


def _sum(tiles: list[int], of: Callable[[int], float]) -> float:
    return sum(of(size) for size in tiles)


def positions(layer: Layer, m: int) -> int:
    """Return the products of a channel and a filter: one for each position of each tile."""
    return layer.n * _length(layer.h, m) * _length(layer.w, m)


def _length(out: int, m: int) -> int:
    return sum(size + 2 for size in sides(out, m))


def stages(layer: Layer, algorithm: str, lanes: int) -> list[Stage]:
    """Return the stages of `algorithm`, "direct" or "F(m)", with vectors of so many floats."""
    if algorithm == "direct":
        return [_direct(layer, lanes)]
    m = outputs_of(algorithm)
    parts = [_input(layer, m, lanes), _product(layer, m, lanes), _output(layer, m, lanes)]
    return [_in_registers(layer, parts, lanes)] if m == 4 and layer.c <= FEW else parts


def _transform(
    layer: Layer, m: int, table: dict[tuple[int, int], tuple[int, int]], columns: float, rows: float
) -> tuple[float, float]:
    """Return multiply-adds and additions of a 2-D transform of one block of channels, in lines."""

    def part(index: int) -> float:
        down = _sum(sides(layer.h, m), lambda size: table[m, size][index])
        across = _sum(sides(layer.w, m), lambda size: table[m, size][index])
        return layer.n * (columns * down + rows * across)

    return part(0), part(1)


def blocks_of(channels: int) -> int:
    """Return the blocks that hold so many channels, the last one filled up."""
    return -(-channels // BLOCK)


def _input(layer: Layer, m: int, lanes: int) -> Stage:
    vectors, blocks = BLOCK // lanes, blocks_of(layer.c)
    height, columns = _length(layer.h, m), layer.w  # those of the padding are zero
    fused, lone = _transform(layer, m, _INPUT, columns, height)
    lines = positions(layer, m) * blocks
    between = layer.n * height * columns * blocks  # lines of transformed columns, written and read in L1
    return Stage(
        "input",
        fused * blocks * vectors,
        lone * blocks * vectors,
        loads=vectors * (between + lines),
        stores=vectors * (between + lines),
        l2_lines=lines,
    )


def _product(layer: Layer, m: int, lanes: int) -> Stage:
    vectors, filters = BLOCK // lanes, blocks_of(layer.k)
    sums = positions(layer, m) * filters * vectors
    chunks = -(-layer.c // CHUNK)
    # 32 registers hold sums of 6 rows by 4 vectors, 16 of 6 by 2; each of them is loaded once a channel.
    rows, width = (6, 4) if lanes == 16 else (6, 2)
    panels = -(-layer.k // max(width * lanes, BLOCK))
    return Stage(
        "product",
        sums * layer.c,
        sums * (chunks - 1),
        loads=sums * (layer.c * (rows + width) / (rows * width) + chunks - 1),
        stores=sums * chunks,
        l2_lines=positions(layer, m) * (blocks_of(layer.c) * panels + filters * chunks),
    )


def _output(layer: Layer, m: int, lanes: int) -> Stage:
    vectors, blocks = BLOCK // lanes, blocks_of(layer.k)
    height, width = sum(sides(layer.h, m)), _length(layer.w, m)
    fused, lone = _transform(layer, m, _OUTPUT, width, height)
    between = layer.n * height * width * blocks
    lines = positions(layer, m) * blocks
    return Stage(
        "output",
        fused * blocks * vectors,
        lone * blocks * vectors,
        loads=vectors * (lines + between),
        stores=vectors * (between + layer.n * layer.h * layer.w * blocks),
        l2_lines=lines,
    )


def _in_registers(layer: Layer, parts: list[Stage], lanes: int) -> Stage:
    """All three in one: V is shared by all filters, sums never leave the registers, and only outputs are stored."""
    inputs, products, outputs = parts
    filled = layer.c / (BLOCK * blocks_of(layer.c))  # a vector has a channel of many tiles: no zeros fill it up
    return Stage(
        "in registers",
        inputs.multiply_adds * filled + products.multiply_adds + outputs.multiply_adds,
        inputs.additions * filled + outputs.additions,
        stores=BLOCK // lanes * layer.n * layer.h * layer.w * blocks_of(layer.k),
    )


def _direct(layer: Layer, lanes: int) -> Stage:
    vectors = blocks_of(layer.k) * (BLOCK // lanes)
    # Products with the padding may be left out.
    products = layer.n * (3 * layer.h - 2) * (3 * layer.w - 2) * layer.c * vectors
    rows, width = (6, 4) if lanes == 16 else (6, 2)
    return Stage(
        "direct",
        products,
        loads=products * (rows + width) / (rows * width),
        stores=layer.n * layer.h * layer.w * vectors,
    )


def least_bytes(layer: Layer, algorithm: str, allocated: bool = False) -> float:
    """Return the bytes of image, filter and output, each moved once.

    allocated  whether each line of the output is read before it is written, as by stores that do not go past the caches
    """
    taps = 9 if algorithm == "direct" else (outputs_of(algorithm) + 2) ** 2
    # An image of few channels comes as planes.
    channels = layer.c if layer.c < BLOCK else blocks_of(layer.c) * BLOCK
    image = layer.n * channels * layer.h * layer.w
    output = layer.n * blocks_of(layer.k) * BLOCK * layer.h * layer.w
    return 4.0 * (image + taps * layer.c * blocks_of(layer.k) * BLOCK + output * (2 if allocated else 1))
