"""What a vehicle costs and burns on its way: fuel depends on load and speed, and so do emissions.

Fuel is that of the comprehensive modal emission model, as T. Bektaş and G. Laporte, "The Pollution-Routing Problem"
(Transportation Research Part B 45, 2011), have it: an engine's friction for as long as it runs, the weight that rolls,
and the air that grows with the square of the speed. Litres become CO2e from well to wheel, as EN 16258:2012 and ISO
14083 have it, with the energy of runs without a load counted in.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

GRAVITY = 9.81  # m/s2
AIR = 1.2041  # kg/m3, at 20 degrees Celsius
DIESEL_KJ_PER_L = 35_900.0  # EN 16258:2012, table A.1: 35.9 MJ/l
DIESEL_KG_CO2E_PER_L = 3.24  # EN 16258:2012, table A.1: from well to wheel

_ROUNDING_KG = 1e-6  # of a decimal fraction of tonnes

_Figure = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_Above0 = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


class Vehicle(BaseModel):
    """The vehicles of a network, all of one kind: a row of ``vehicle.csv``, or these figures of a lorry of 40 t.

    Its figures are typical ones that together come to 26 l for 100 km empty and 38 l full, at 80 km/h on the level.
    """

    model_config = ConfigDict(frozen=True)

    payload_t: Annotated[float, Field(ge=0.001, le=1e6, allow_inf_nan=False)] = 26.0
    curb_t: _Above0 = 14.0
    cost_per_km: _Figure = 0.9  # currency; of one's own
    cost_per_h: _Figure = 30.0
    empty_share: _Figure = 0.2  # km without a load for each with one: 17 % of all, as the GLEC Framework has it
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


def fuel_l_per_km(vehicle: Vehicle, load_t: float, speed_km_h: float) -> float:
    """Return the litres that a vehicle burns in a kilometre at a steady speed with so many tonnes of payload."""
    speed = speed_km_h / 3.6  # m/s
    friction = 1000 * vehicle.friction_kj_per_rev_l * vehicle.engine_rev_per_s * vehicle.engine_l / speed
    rolls = 1000 * (vehicle.curb_t + load_t) * GRAVITY * vehicle.rolling
    air = 0.5 * vehicle.drag * vehicle.frontal_m2 * AIR * speed**2
    return (friction + (rolls + air) / vehicle.efficiency) / vehicle.fuel_kj_per_l


def co2e_kg_per_km(vehicle: Vehicle, load_t: float, speed_km_h: float) -> float:
    """Return the kilograms of CO2e of a kilometre, from well to wheel, without what is run empty."""
    return fuel_l_per_km(vehicle, load_t, speed_km_h) * vehicle.co2e_kg_per_l
