"""h5bench configurations, run on MPI ranks with every value verified."""
