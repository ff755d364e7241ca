"""The best configuration of the user's own program: searched, raced, and confirmed in pairs."""
