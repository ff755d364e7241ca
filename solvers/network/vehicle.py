"""Properties of the vehicles of a network, and their valid ranges."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

DIESEL_KJ_PER_L = 35_900.0  # EN 16258:2012, table A.1: 35.9 MJ/l
DIESEL_KG_CO2E_PER_L = 3.24  # EN 16258:2012, table A.1: from well to wheel

_ROUNDING_KG = 1e-6  # rounding error of a decimal fraction of tonnes

_Figure = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_Above0 = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


class Vehicle(BaseModel):
    """The vehicles of a network, all of one kind: the row of ``vehicle.csv``. The defaults are those of a 40 t lorry.

    The defaults are typical values, which result in 26 l per 100 km empty and 38 l full, at 80 km/h on level roads.
    """

    model_config = ConfigDict(frozen=True)

    payload_t: Annotated[float, Field(ge=0.001, le=1e6, allow_inf_nan=False)] = 26.0
    curb_t: _Above0 = 14.0
    cost_per_km: _Figure = 0.9  # currency; replace by your own
    cost_per_h: _Figure = 30.0
    empty_share: _Figure = 0.2  # empty km per loaded km: 17 % of all km, as in the GLEC Framework
    friction_kj_per_rev_l: _Figure = 0.15
    engine_rev_per_s: _Figure = 30.0
    engine_l: _Figure = 10.5
    drag: _Figure = 0.6
    frontal_m2: _Figure = 10.0
    rolling: _Figure = 0.006
    efficiency: Annotated[float, Field(gt=0, le=1)] = 0.36  # of engine and drive train
    co2e_kg_per_l: _Figure = DIESEL_KG_CO2E_PER_L
    fuel_kj_per_l: _Above0 = DIESEL_KJ_PER_L

    @field_validator("payload_t")
    @classmethod
    def _whole_kilograms(cls, payload_t: float) -> float:
        if abs(payload_t * 1000 - round(payload_t * 1000)) > _ROUNDING_KG:
            raise ValueError("expected whole kilograms, three decimals at most")
        return payload_t

    @property
    def payload_kg(self) -> int:
        """Return the payload in whole kilograms."""
        return round(self.payload_t * 1000)
