"""Numbers as a reader wants them: three significant digits, a unit with a prefix, and never a false precision."""

from __future__ import annotations

import math

NARROW_SPACE = "\u202f"
ABSENT = "–"

_DECIMAL_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_BASES = {"flop/s": "FLOP/s", "byte/s": "B/s", "s": "s", "Hz": "Hz"}


def number(value: float | None, digits: int = 3) -> str:
    """``value`` with ``digits`` significant digits, and narrow spaces between thousands: 0.0223, 4.70, 635, 12 300."""
    if value is None or not math.isfinite(value):
        return ABSENT
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude >= 9 or magnitude < -4:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa}e{int(exponent)}"
    rounded = round(value, digits - 1 - magnitude)
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{decimals}f}".replace(",", NARROW_SPACE)


def whole(value: int) -> str:
    """All digits of a whole number, with narrow spaces between thousands: 19 982 859."""
    return f"{value:,}".replace(",", NARROW_SPACE)


def percent(fraction: float | None) -> str:
    """A fraction as a percentage: 0.736 is 74 %, 0.0042 is 0.42 %."""
    if fraction is None or not math.isfinite(fraction):
        return ABSENT
    share = 100 * fraction
    text = f"{share:.0f}" if abs(share) >= 9.95 or share == 0 else number(share, 2)
    return f"{text}{NARROW_SPACE}%"


def quantity(value: float | None, unit: str) -> str:
    """``value`` in ``unit`` ("flop/s", "byte/s", "s", "1" or any other), with a prefix where one is usual."""
    if value is None or not math.isfinite(value):
        return ABSENT
    if unit == "1":
        return percent(value)
    if unit not in _BASES:
        return f"{number(value)}{NARROW_SPACE}{unit}"
    exponent = 0
    if value != 0:
        exponent = 3 * math.floor(math.log10(abs(float(f"{value:.2e}"))) / 3)
    exponent = max(-9, min(0 if unit == "s" else 15, exponent))
    return f"{number(value / 10.0**exponent)}{NARROW_SPACE}{_DECIMAL_PREFIXES[exponent]}{_BASES[unit]}"


def seconds(value: float | None) -> str:
    """A duration: 1.23 ms."""
    return quantity(value, "s")


def size(value: float | None) -> str:
    """A number of bytes in binary units: 48 KiB."""
    if value is None or not math.isfinite(value):
        return ABSENT
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    power = min(len(units) - 1, math.floor(math.log2(abs(value)) / 10)) if abs(value) >= 1 else 0
    scaled = value / 1024**power
    text = f"{scaled:.0f}" if scaled == round(scaled) else number(scaled)
    return f"{text}{NARROW_SPACE}{units[power]}"


def ratio(value: float | None) -> str:
    """A speed ratio: 2.81×."""
    text = number(value)
    return text if text == ABSENT else f"{text}×"


def interval(lo: float | None, hi: float | None) -> str:
    """An interval of ratios with as many digits as tell its ends apart (at least three): 1.004 to 1.009."""
    if lo is None or hi is None or not (math.isfinite(lo) and math.isfinite(hi)):
        return ABSENT
    for digits in (3, 4, 5):
        if lo == hi or number(lo, digits) != number(hi, digits):
            break
    return f"{number(lo, digits)} to {number(hi, digits)}"
