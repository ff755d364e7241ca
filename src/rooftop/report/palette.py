"""Colours by role, in light and dark, told apart by colour-blind readers too (after Okabe and Ito, 2008).

Figures are built in the light colours; the page replaces each by its dark partner, so the light ones must be distinct.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shade:
    light: str
    dark: str


SHADES: dict[str, Shade] = {
    "paper": Shade("#fcfcfa", "#15171a"),
    "panel": Shade("#f3f3ef", "#1e2125"),
    "ink": Shade("#1b1d20", "#e7e6e2"),
    "muted": Shade("#585d64", "#a4a9b0"),
    "rule": Shade("#d6d7d2", "#373b41"),
    "grid": Shade("#e6e7e2", "#2a2d32"),
    "rung": Shade("#0067a5", "#5cb3ea"),
    "peer": Shade("#a65100", "#e9a04a"),
    "roof": Shade("#9a3574", "#e58ec2"),
    "bandwidth": Shade("#00725a", "#43c49d"),
    "alarm": Shade("#ad2018", "#ff8f85"),
}


def light(role: str) -> str:
    """The colour of ``role`` in figures."""
    return SHADES[role].light


def light_to_dark() -> dict[str, str]:
    """What the page replaces in a figure when it turns dark."""
    return {shade.light: shade.dark for shade in SHADES.values()}


def _properties(theme: str) -> str:
    return " ".join(f"--{role}: {getattr(shade, theme)};" for role, shade in SHADES.items())


def css() -> str:
    """The custom properties of both themes: by the reader's preference, by the page's switch, and light on paper."""
    light_rule = f"color-scheme: light; {_properties('light')}"
    dark_rule = f"color-scheme: dark; {_properties('dark')}"
    return "\n".join(
        [
            f":root {{ {light_rule} }}",
            f'@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark_rule} }} }}',
            f'@media screen {{ :root[data-theme="dark"] {{ {dark_rule} }} }}',
        ]
    )
