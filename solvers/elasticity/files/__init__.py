"""Files that bodies are read from, and that results are written to."""
