"""Parameters of programs: their values, conditions and combinations."""
