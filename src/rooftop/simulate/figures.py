"""The ranges that figures of a platform may have: a slip of a unit or a power of ten is refused, not simulated."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

#: More flop/s or byte/s than any single part of a machine does.
MOST_RATE = 1e18
#: A flop/s or byte/s: above zero and finite.
Rate = Annotated[float, Field(strict=True, gt=0, le=MOST_RATE, allow_inf_nan=False)]
#: A latency or an overhead, in seconds.
Seconds = Annotated[float, Field(strict=True, ge=0, le=10, allow_inf_nan=False)]
#: Seconds for each byte.
SecondsPerByte = Annotated[float, Field(strict=True, ge=0, le=1e-3, allow_inf_nan=False)]
#: A size, in bytes.
Bytes = Annotated[int, Field(strict=True, ge=0, le=1 << 60)]
#: A part of something.
Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
#: Nodes, cores, links.
Count = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]


class Described(BaseModel):
    """Base of a platform's parts: an unknown key is an error, and nothing changes once it is checked."""

    model_config = ConfigDict(extra="forbid", frozen=True)
