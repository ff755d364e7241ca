"""The contest's configuration file: a list of 3x3 convolution layers.

The first line is the number of layers, each further line is ``C H W K N`` (channels, height, width, filters, images),
and text after ``#`` is a comment. Blank lines count for nothing. UTF-8, with or without a byte order mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.solvers.conv.library import SIZE_MAX

FILE_LIMIT_BYTES = 1 << 20
LAYERS_MAX = 10_000
ARRAY_BYTES_MAX = 1 << 47  # the address space of a process
FLOAT_BYTES = 4
_WHOLE_NUMBER = re.compile(r"[0-9]+")
_VALUE_WIDTH = 40


@dataclass(frozen=True, slots=True)
class Layer:
    """One 3x3, stride-1 convolution in fp32: image N,C,H,W, filter K,C,3,3, zero padding 0 or 1 as the caller says."""

    c: int
    h: int
    w: int
    k: int
    n: int
    line: int = field(default=0, compare=False, repr=False)  # in the file it was read from, 0 for none

    def out_h(self, padding: int = 0) -> int:
        return self.h + 2 * padding - 2

    def out_w(self, padding: int = 0) -> int:
        return self.w + 2 * padding - 2

    def direct_flops(self, padding: int = 0) -> int:
        """Flops of the direct method, which the contest's rate counts: 2 for each of 9 C products per output."""
        return 18 * self.n * self.k * self.c * self.out_h(padding) * self.out_w(padding)

    def image_bytes(self) -> int:
        return FLOAT_BYTES * self.n * self.c * self.h * self.w

    def filter_bytes(self) -> int:
        return FLOAT_BYTES * 9 * self.k * self.c

    def output_bytes(self, padding: int = 0) -> int:
        return FLOAT_BYTES * self.n * self.k * self.out_h(padding) * self.out_w(padding)

    def array_bytes(self, padding: int = 0) -> int:
        """Image, filter and output together, in bytes."""
        return self.image_bytes() + self.filter_bytes() + self.output_bytes(padding)

    def __str__(self) -> str:
        return f"{self.c} {self.h} {self.w} {self.k} {self.n}"


def read_layers(path: str | PathLike[str], *, padding: int = 0, memory_bytes: int | None = None) -> list[Layer]:
    """Reads a layer list.

    ``padding`` (0 or 1) decides the smallest height and width, 3 or 1. With ``memory_bytes``, a layer whose image,
    filter and output need more than that is an error too.

    Raises Misuse with one line that names the file, the line, the value and what is expected.
    """
    name = _printable(str(path))
    lines = _meaningful_lines(_read_text(Path(path), name))
    if not lines:
        raise Misuse(f"{name}: no layers: the file is empty; the first line must be the number of layers")

    first, fields = lines[0]
    if len(fields) != 1:
        raise Misuse(
            f"{name}:{first}: the first line has {len(fields)} values, {_quote(' '.join(fields))}; "
            "expected one, the number of layers"
        )
    count = _whole_number(f"{name}:{first}", "number of layers", fields[0], 1, LAYERS_MAX)

    layers: list[Layer] = []
    for line, fields in lines[1:]:
        if len(layers) == count:
            raise Misuse(
                f"{name}:{line}: a layer too many, {_quote(' '.join(fields))}; "
                f"expected {count}, the number of layers that line {first} announces"
            )
        layers.append(_layer(name, line, fields, padding, memory_bytes))
    if len(layers) < count:
        raise Misuse(
            f"{name}:{lines[-1][0]}: the file ends after {len(layers)} layers; "
            f"expected {count}, the number of layers that line {first} announces"
        )
    return layers


def _read_text(path: Path, name: str) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(FILE_LIMIT_BYTES + 1)
    except FileNotFoundError:
        raise Misuse(f"{name}: no such file; expected a layer list") from None
    except IsADirectoryError:
        raise Misuse(f"{name}: is a directory; expected a layer list") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise Misuse(f"{name}: cannot be read: {reason}; expected a layer list") from None
    control = re.search(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]", data)
    if control:
        line = data.count(b"\n", 0, control.start()) + 1
        raise Misuse(
            f"{name}:{line}: not a text file: byte 0x{data[control.start()]:02x} at offset {control.start()}; "
            "expected a layer list in plain text"
        )
    if len(data) > FILE_LIMIT_BYTES:
        raise Misuse(
            f"{name}: longer than {FILE_LIMIT_BYTES} bytes; expected a layer list of at most {LAYERS_MAX} layers"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Offsets in the exception do not count the byte order mark that utf-8-sig takes away.
        at = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        line = data.count(b"\n", 0, at) + 1
        raise Misuse(
            f"{name}:{line}: not UTF-8 text: byte 0x{data[at]:02x} at offset {at}; expected a layer list in plain text"
        ) from None


def _meaningful_lines(text: str) -> list[tuple[int, list[str]]]:
    """Line numbers from 1 with the fields of every line that is not blank or a comment alone."""
    lines: list[tuple[int, list[str]]] = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        fields = [field for field in re.split(r"[ \t\f]+", line.partition("#")[0]) if field]
        if fields:
            lines.append((number, fields))
    return lines


def _layer(name: str, line: int, fields: list[str], padding: int, memory_bytes: int | None) -> Layer:
    where = f"{name}:{line}"
    if len(fields) != 5:
        raise Misuse(
            f"{where}: {len(fields)} values, {_quote(' '.join(fields))}; "
            "expected 5 whole numbers, C H W K N, with spaces between"
        )
    side_min = 3 - 2 * padding
    layer = Layer(
        c=_whole_number(where, "C (channels)", fields[0], 1, SIZE_MAX),
        h=_whole_number(where, "H (height)", fields[1], side_min, SIZE_MAX),
        w=_whole_number(where, "W (width)", fields[2], side_min, SIZE_MAX),
        k=_whole_number(where, "K (filters)", fields[3], 1, SIZE_MAX),
        n=_whole_number(where, "N (images)", fields[4], 1, SIZE_MAX),
        line=line,
    )
    need = layer.array_bytes(padding)
    if need > ARRAY_BYTES_MAX:
        raise Misuse(
            f"{where}: layer {_quote(str(layer))} overflows: its arrays need {need} bytes; "
            f"expected at most {ARRAY_BYTES_MAX}, what a process can address"
        )
    if memory_bytes is not None and need > memory_bytes:
        raise Misuse(
            f"{where}: layer {_quote(str(layer))} needs {need} bytes for its arrays; "
            f"expected at most {memory_bytes}, the memory available here"
        )
    return layer


def _whole_number(where: str, what: str, text: str, least: int, most: int) -> int:
    expected = f"expected a whole number from {least} to {most}"
    if not _WHOLE_NUMBER.fullmatch(text.removeprefix("-")):
        raise Misuse(f"{where}: {what} is {_quote(text)}, not a whole number; {expected}")
    # Length first: int() refuses, and would be slow on, thousands of digits.
    digits = text.removeprefix("-").lstrip("0")
    if len(digits) <= 20 and least <= (value := int(text)) <= most:
        return value
    if text.startswith("-") and digits:
        verdict = "negative"
    elif not digits:
        verdict = "zero"
    else:
        verdict = "too large" if len(digits) > 20 or int(digits) > most else "too small"
    raise Misuse(f"{where}: {what} is {_quote(text)}, {verdict}; {expected}")


def _quote(value: str) -> str:
    """The value in quotes on one line, unprintable characters escaped, clipped to a readable width."""
    clipped = value if len(value) <= _VALUE_WIDTH else value[:_VALUE_WIDTH] + "…"
    return f"'{_printable(clipped)}'"


def _printable(text: str) -> str:
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape", "surrogatepass").decode() for ch in text)
