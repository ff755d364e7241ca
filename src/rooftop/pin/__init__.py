"""Where the threads of a running program really are, what is wrong with that, and what to do about it."""
