"""Input meshes and output files."""
