"""The replies of a driver, as decision 0001 fixes them; anything else is garbage.

Unknown fields are allowed (a newer driver may tell more), missing ones are not.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

VERSION = 1


def _finite_or_none(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


Figure = Annotated[float | None, BeforeValidator(_finite_or_none)]


class Reply(BaseModel):
    """Base of all replies."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    protocol: Literal[1]


class Description(Reply):
    """What ``driver describe`` prints: whether this processor can run the module."""

    experiment: str = ""
    module: str = ""
    isa: str | None = None
    supported: bool = True
    reason: str | None = None


class Work(BaseModel):
    """What one run really does: flops, compulsory bytes, the bytes it touches, and what it asks of files."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    fma_flops: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    add_flops: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    memory_bytes: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    working_set_bytes: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    device_bytes: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    device_calls: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    device_extent_bytes: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    algorithm: str = ""


class Facts(BaseModel):
    """What a rank knows of its result besides, by name.

    events   what it did when, [phase, step, begin, end] each, the times in ns of a clock that all ranks share
    figures  numbers beside the time; names end with what they are: _bytes, _ns, _percent, _ns_per_step; else counts
    """

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    events: list[tuple[str, int, int, int]] = []
    figures: dict[str, Figure] = {}


class Checked(Reply):
    """Common to ``case`` and ``verify``: an outcome, and the error against its tolerance.

    first_run_ns  the run that was verified, the slowest rank's time; cold after ``case``
    facts         what else is known of its result, by each rank
    """

    outcome: Literal["ok", "wrong", "skipped", "failed"]
    reason: str | None = None
    stage: str | None = None
    error: Figure = None
    tolerance: Figure = None
    first_run_ns: Figure = None
    facts: list[Facts] | None = None


class CaseReply(Checked):
    """Set up, ran once and verified. figures: what else was known of the run."""

    event: Literal["case"]
    figures: dict[str, float] | None = None
    work: Work | None = None
    binding: list[list[int]] | None = None


class CalibrateReply(Reply):
    """How many runs make a sample long enough."""

    event: Literal["calibrate"]
    iterations: Annotated[int, Field(gt=0)]
    elapsed_ns: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class SampleReply(Reply):
    """One sample: the slowest rank's time for all iterations."""

    event: Literal["sample"]
    iterations: Annotated[int, Field(gt=0)]
    elapsed_ns: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    ranks_ns: list[float] | None = None
    figures: dict[str, float] | None = None


class VerifyReply(Checked):
    """The result of one more run after timing."""

    event: Literal["verify"]
