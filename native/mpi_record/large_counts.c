/* The calls with MPI_Count, which MPI 4 has beside those with int. */
#include <mpi.h>

#if MPI_VERSION >= 4
#define LARGE_COUNTS
#include "collectives.h"
#include "neighbours.h"
#include "point_to_point.h"
#endif
