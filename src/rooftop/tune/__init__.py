"""Find the best configuration of the user's program: search, race, and confirm in paired runs."""
