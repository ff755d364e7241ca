"""Texts of users without the passwords of URLs in them."""

from __future__ import annotations

import re

_IN_URL = re.compile(r"(\b[\w+.-]+://[^\s/:@]*:)[^\s/]*@")
_IN_QUERY = re.compile(r"(\b[\w+.-]+://\S*[?&]password=)[^\s&'\"]*")


def without_passwords(text: str) -> str:
    """Return a text with ``***`` for each password of a URL: ``postgresql://me:***@host/name``."""
    return _IN_QUERY.sub(r"\1***", _IN_URL.sub(r"\1***@", text))
