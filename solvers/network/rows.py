"""Rows of a network's tables: columns of GMNS, and extensions.

GMNS, the General Modeling Network Specification of the Zephyr Foundation, defines tables of nodes and links. Extensions
are costs and dwell times of hubs, capacities of links in tonnes, indirect links, and the table of demands. Other
columns are ignored; see ``columns``.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

DEFAULT_KM_H = 60.0  # for links with neither a free speed nor a known road type

_WHOLE_FLOAT = re.compile(r"[+-]?\d+\.0")


def _as_whole(value: object) -> object:
    """Convert 1.0, as pandas writes an integer in a column with missing values, to 1."""
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
    """A depot (where demands start), a customer (where they end), a hub, or, without a type, a crossing."""

    node_id: _Id
    x_coord: _Coordinate | None = None
    y_coord: _Coordinate | None = None
    node_type: Literal["depot", "hub", "customer"] | None = None
    handling_cost: _Figure = 0.0  # hubs: currency per tonne that passes through
    dwell_h: _Figure = 0.0  # hubs: hours that loads stay


class Link(Row):
    """A road. Lengths and speeds are in the units of ``config.csv``, by default km and km/h.

    If there is no free speed, the road type determines it (`free_speeds`).
    """

    link_id: _Id
    from_node_id: _Id
    to_node_id: _Id
    directed: _Flag  # if false: one arc in each direction, each with the given capacity
    length: _Figure
    free_speed: _Above0 = DEFAULT_KM_H
    facility_type: str | None = None  # GMNS's
    link_type_name: str | None = None  # osm2gmns's
    toll: _Figure = 0.0  # currency per vehicle
    capacity_t: Annotated[_Tonnes, Field(ge=0)] | None = None  # per month; None: unlimited
    indirect: _Flag = False  # shown dotted; may have a surcharge
    surcharge: _Figure = 0.0  # currency per tonne


class Demand(Row):
    """Tonnes to send from a depot to a customer in a month, as one shipment."""

    demand_id: _Id
    month: Annotated[int, Field(ge=1, le=MONTHS_MAX)]
    from_node_id: _Id
    to_node_id: _Id
    tonnes: Annotated[_Tonnes, Field(gt=0)]


class Units(Row):
    """Units from GMNS's ``config.csv``; its other columns are ignored."""

    long_length: Literal["km", "kilometer", "kilometers", "m", "meter", "meters", "mi", "mile", "miles"] = "km"
    speed: Literal["km/h", "kmh", "kph", "m/s", "mph", "mi/h"] = "km/h"


KM = {"km": 1.0, "kilometer": 1.0, "kilometers": 1.0, "m": 0.001, "meter": 0.001, "meters": 0.001}
KM |= dict.fromkeys(["mi", "mile", "miles"], 1.609344)
KM_H = {"km/h": 1.0, "kmh": 1.0, "kph": 1.0, "m/s": 3.6, "mph": 1.609344, "mi/h": 1.609344}
