# MPI as MPI::MPI_CXX, or rooftop_needs_missing with what is missing. Installed with the libraries of ranks.
find_package(MPI QUIET COMPONENTS CXX)
if(NOT TARGET MPI::MPI_CXX)
  set(rooftop_needs_missing "MPI is missing: install libopenmpi-dev, or set MPI_CXX_COMPILER")
endif()
