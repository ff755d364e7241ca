"""Find what holds a program back, how many seconds it costs, and which cure helps, proven by paired runs."""
