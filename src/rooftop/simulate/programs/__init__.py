"""Programs by their counts: one module each, see ``rooftop.simulate.program``."""
