"""Rows of a network's tables: columns of GMNS, and those added to it.

GMNS, the General Modeling Network Specification of the Zephyr Foundation, has tables of nodes and links. What is added:
of nodes what handling and waiting at a hub cost, of links a capacity in tonnes and whether they are indirect, and the
table of demands. Columns that are not named here are left unread; ``network_columns`` tells which.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

DEFAULT_KM_H = 60.0  # of a link that has neither a free speed nor a type of road that tells one

_WHOLE_FLOAT = re.compile(r"[+-]?\d+\.0")


def _as_whole(value: object) -> object:
    """Return 1.0, as pandas writes a whole number in a column with gaps, as 1."""
    return value[:-2] if isinstance(value, str) and _WHOLE_FLOAT.fullmatch(value) else value


_Id = Annotated[str, BeforeValidator(_as_whole), Field(min_length=1, max_length=200)]
_Flag = Annotated[bool, BeforeValidator(_as_whole)]
_Figure = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_Above0 = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]
_Coordinate = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
# Weights are exact: to the kilogram.
_Tonnes = Annotated[Decimal, Field(le=1_000_000_000, allow_inf_nan=False, decimal_places=3)]

MONTHS_MAX = 1200


class Row(BaseModel):
    """Base of all rows."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Node(Row):
    """A depot, where demands start, a customer, where they end, a hub, or, without a type, a crossing."""

    node_id: _Id
    x_coord: _Coordinate | None = None
    y_coord: _Coordinate | None = None
    node_type: Literal["depot", "hub", "customer"] | None = None
    handling_cost: _Figure = 0.0  # currency for each tonne that passes through, of a hub
    dwell_h: _Figure = 0.0  # that it stays there


class Link(Row):
    """A road. Lengths and speeds are in the units of ``config.csv``, km and km/h without one.

    Where there is no free speed, the type of road tells one (`free_speeds`).
    """

    link_id: _Id
    from_node_id: _Id
    to_node_id: _Id
    directed: _Flag  # if not, it is an arc each way, of the capacity given each
    length: _Figure
    free_speed: _Above0 = DEFAULT_KM_H
    facility_type: str | None = None  # GMNS's
    link_type_name: str | None = None  # osm2gmns's
    toll: _Figure = 0.0  # currency for each vehicle
    capacity_t: Annotated[_Tonnes, Field(ge=0)] | None = None  # in a month; none: unlimited
    indirect: _Flag = False  # a dotted arc, used at a surcharge
    surcharge: _Figure = 0.0  # currency for each tonne


class Demand(Row):
    """So many tonnes from a depot to a customer in a month, sent as one shipment."""

    demand_id: _Id
    month: Annotated[int, Field(ge=1, le=MONTHS_MAX)]
    from_node_id: _Id
    to_node_id: _Id
    tonnes: Annotated[_Tonnes, Field(gt=0)]


class Units(Row):
    """GMNS's ``config.csv``, as far as it is read."""

    long_length: Literal["km", "kilometer", "kilometers", "m", "meter", "meters", "mi", "mile", "miles"] = "km"
    speed: Literal["km/h", "kmh", "kph", "m/s", "mph", "mi/h"] = "km/h"


KM = {"km": 1.0, "kilometer": 1.0, "kilometers": 1.0, "m": 0.001, "meter": 0.001, "meters": 0.001}
KM |= dict.fromkeys(["mi", "mile", "miles"], 1.609344)
KM_H = {"km/h": 1.0, "kmh": 1.0, "kph": 1.0, "m/s": 3.6, "mph": 1.609344, "mi/h": 1.609344}
