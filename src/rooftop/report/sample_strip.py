"""A row of samples as a small picture: one dot each, in the order taken, so that drift and bursts can be seen."""

from __future__ import annotations

from markupsafe import Markup

from rooftop.text.plural import plural
from rooftop.text.quantities import seconds

_WIDTH, _HEIGHT, _MARGIN = 112.0, 22.0, 2.5


def strip(samples_s: list[float]) -> Markup:
    """The picture, from the fastest sample (bottom) to the slowest (top); empty where there are no samples."""
    if not samples_s:
        return Markup("")
    lo, hi = min(samples_s), max(samples_s)
    across = (_WIDTH - 2 * _MARGIN) / max(1, len(samples_s) - 1)
    up = (_HEIGHT - 2 * _MARGIN) / (hi - lo) if hi > lo else 0.0
    dots = "".join(
        f"M{_MARGIN + at * across:.1f} {_HEIGHT - _MARGIN - (sample - lo) * up:.1f}h0"
        for at, sample in enumerate(samples_s)
    )
    words = f"{plural(len(samples_s), 'sample')}, {seconds(lo)} to {seconds(hi)}, in the order taken"
    return Markup(
        f'<svg class="strip" role="img" aria-label="{words}" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}"'
        f' width="{_WIDTH:g}" height="{_HEIGHT:g}"><title>{words}</title><path d="{dots}"/></svg>'
    )
