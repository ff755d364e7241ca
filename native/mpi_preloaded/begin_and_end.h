/* What a preloaded library of MPI calls puts around a program's time in MPI: it calls begin() once MPI is there, and
   end() before it is not. */
#pragma once

#include <mpi.h>

void begin(void);
void end(void);

__attribute__((visibility("default"))) int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS) begin();
  return result;
}

__attribute__((visibility("default"))) int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int result = PMPI_Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS) begin();
  return result;
}

__attribute__((visibility("default"))) int MPI_Finalize(void) {
  end();
  return PMPI_Finalize();
}
