/* What a preloaded library of MPI calls puts around a program's time in MPI: it calls begin() once MPI is there, and
   end() before it is not. A library that takes the calls by their names of the profiling interface as well defines
   NEXT, which is MPI's own function, and ALSO_BY_PMPI. */
#pragma once

#include <mpi.h>

#ifndef NEXT
#define NEXT(name) PMPI_##name
#define ALSO_BY_PMPI(name)
#endif

void begin(void);
void end(void);

__attribute__((visibility("default"))) int MPI_Init(int* argc, char*** argv) {
  const int result = NEXT(Init)(argc, argv);
  if (result == MPI_SUCCESS) begin();
  return result;
}
ALSO_BY_PMPI(Init)

__attribute__((visibility("default"))) int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int result = NEXT(Init_thread)(argc, argv, required, provided);
  if (result == MPI_SUCCESS) begin();
  return result;
}
ALSO_BY_PMPI(Init_thread)

__attribute__((visibility("default"))) int MPI_Finalize(void) {
  end();
  return NEXT(Finalize)();
}
ALSO_BY_PMPI(Finalize)
