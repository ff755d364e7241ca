"""What a name that is not known may have been meant for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST_LISTED = 8
_SHOWN = 3
_LIKE = 0.5  # how alike two names are, from 0 to 1


def nearest(name: str, known: Iterable[str], all_by: str = "") -> str:
    """Return the end of a message about an unknown name: the names that there are, or of many the nearest three.

    all_by  the command that lists all of them
    """
    names = list(dict.fromkeys(known))
    if len(names) <= _MOST_LISTED:
        return f"there are: {', '.join(names) or 'none'}"
    last = {one: one.rpartition("/")[2] for one in names}
    like = difflib.get_close_matches(name.rpartition("/")[2], set(last.values()), _SHOWN, _LIKE)
    meant = [one for word in like for one in names if last[one] == word][:_SHOWN]
    told = f"the nearest of {len(names)}: {', '.join(meant)}" if meant else f"there are {len(names)}, none like it"
    return f"{told} (all: {all_by})" if all_by else told
