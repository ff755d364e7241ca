"""What an expression of the user's may end in, beside a value."""

from __future__ import annotations

import simpleeval  # type: ignore[import-untyped]

# Reading or evaluating one raises these: it is no expression, has no value, or is nested too deep for Python.
REFUSED: tuple[type[Exception], ...] = (
    SyntaxError,
    simpleeval.InvalidExpression,
    TypeError,
    ValueError,
    ArithmeticError,
    LookupError,
    AttributeError,
    RecursionError,
    MemoryError,
)
