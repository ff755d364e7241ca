"""How a command's speed grows with its workers: measured beside a stated base, and told by the laws of scaling."""
