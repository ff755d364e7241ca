/* How a call of MPI is wrapped. */
#pragma once
#include "events.h"

#define SHOWN __attribute__((visibility("default")))

/* A call that ends when it returns: `what` is noted if it succeeded. */
#define CALL(name, parameters, arguments, what) \
  SHOWN int MPI_##name parameters {             \
    enter();                                    \
    const int result = PMPI_##name arguments;   \
    if (recorded() && result == MPI_SUCCESS) {  \
      what;                                     \
    }                                           \
    leave();                                    \
    return result;                              \
  }
