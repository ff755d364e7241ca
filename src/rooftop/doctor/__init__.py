"""What is here, what is missing, what each missing thing costs, and the command that provides it."""

from rooftop.doctor.check import Check, Found, Remedy
from rooftop.doctor.examine import examine, find_checks
from rooftop.doctor.surroundings import Surroundings

__all__ = ["Check", "Found", "Remedy", "Surroundings", "examine", "find_checks"]
