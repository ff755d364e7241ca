"""The solvers, one package for each folder that has a Python face; what they share is in c_interface and running."""
