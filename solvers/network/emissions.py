"""Fuel consumption and emissions of a vehicle by load and speed.

Fuel consumption follows the comprehensive modal emission model as in T. Bektaş and G. Laporte, "The Pollution-Routing
Problem" (Transportation Research Part B 45, 2011): engine friction in proportion to time, rolling resistance in
proportion to weight, and air resistance in proportion to the square of the speed. Litres are converted to well-to-wheel
CO2e as in EN 16258:2012 and ISO 14083, which include empty runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # rows of tables need Pydantic, and a model does not
    from rooftop.solvers.network.vehicle import Vehicle

GRAVITY = 9.81  # m/s2
AIR = 1.2041  # kg/m3, at 20 degrees Celsius


def fuel_l_per_km(vehicle: Vehicle, load_t: float, speed_km_h: float) -> float:
    """Return the fuel consumption in litres per kilometre at a steady speed with a payload in tonnes."""
    speed = speed_km_h / 3.6  # m/s
    friction = 1000 * vehicle.friction_kj_per_rev_l * vehicle.engine_rev_per_s * vehicle.engine_l / speed
    rolls = 1000 * (vehicle.curb_t + load_t) * GRAVITY * vehicle.rolling
    air = 0.5 * vehicle.drag * vehicle.frontal_m2 * AIR * speed**2
    return (friction + (rolls + air) / vehicle.efficiency) / vehicle.fuel_kj_per_l


def co2e_kg_per_km(vehicle: Vehicle, load_t: float, speed_km_h: float) -> float:
    """Return the well-to-wheel CO2e in kilograms per kilometre, without empty runs."""
    return fuel_l_per_km(vehicle, load_t, speed_km_h) * vehicle.co2e_kg_per_l
