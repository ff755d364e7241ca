"""What the solvers' commands share: options, progress, reports, time limits, stops and MPI ranks."""
