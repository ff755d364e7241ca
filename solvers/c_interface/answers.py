"""What a user's callback answers."""

from __future__ import annotations

from typing import Any


def goes_on(answer: Any) -> bool:
    """Return whether a search goes on: with None, which a function without a return gives, and with what is true."""
    return answer is None or bool(answer)
