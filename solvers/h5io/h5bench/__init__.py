"""h5bench's own configurations, run by Rooftop's ranks with every value verified."""
