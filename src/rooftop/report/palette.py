"""Colours by role, light and dark, distinguishable by colour-blind readers (after Okabe and Ito, 2008).

Figures use the light colours, which must be distinct: the page's script replaces each by its dark counterpart.
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
    return SHADES[role].light


def light_to_dark() -> dict[str, str]:
    """Return the dark colour for each light one."""
    return {shade.light: shade.dark for shade in SHADES.values()}


def _properties(theme: str) -> str:
    return " ".join(f"--{role}: {getattr(shade, theme)};" for role, shade in SHADES.items())


def css() -> str:
    """Return the CSS properties of both themes: by the reader's preference or the page's switch, and light in print."""
    light_rule = f"color-scheme: light; {_properties('light')}"
    dark_rule = f"color-scheme: dark; {_properties('dark')}"
    return "\n".join(
        [
            f":root {{ {light_rule} }}",
            f'@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark_rule} }} }}',
            f'@media screen {{ :root[data-theme="dark"] {{ {dark_rule} }} }}',
        ]
    )
