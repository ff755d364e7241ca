"""Look at running programs: their threads, what these wait for, and where time goes. Nothing is timed."""
