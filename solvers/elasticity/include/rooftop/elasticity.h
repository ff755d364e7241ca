/* Linear elasticity on finite elements: the C interface of rooftop/elasticity.hpp, where the terms are explained.
 *
 * Every function that can fail returns a status, 0 for success, and leaves a message that
 * rooftop_elasticity_last_error() returns to the same thread. No function throws, prints or ends the process.
 */
#ifndef ROOFTOP_ELASTICITY_H
#define ROOFTOP_ELASTICITY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_ELASTICITY_API __attribute__((visibility("default")))
/* Changes whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_ELASTICITY_ABI_VERSION 3

typedef enum {
  ROOFTOP_ELASTICITY_OK = 0,
  ROOFTOP_ELASTICITY_INVALID_ARGUMENT = 1,
  ROOFTOP_ELASTICITY_OUT_OF_MEMORY = 2,
  ROOFTOP_ELASTICITY_INTERNAL_ERROR = 3
} rooftop_elasticity_status;

/* Borrowed for the length of a call. Nodes and elements are numbered with x fastest, then y, then z. */
typedef struct {
  int64_t nodes[3];          /* in each direction, 2 or more */
  const double* coordinates; /* [nodes][3], or null: elements are cubes with edges of 1 */
  int64_t young_values;      /* 1, or the number of elements */
  const double* young;       /* [young_values] */
  int64_t poisson_values;    /* 1, or the number of elements */
  const double* poisson;     /* [poisson_values] */
  const double* load;        /* [nodes][3] */
  const uint8_t* held;       /* [nodes][3]: other than 0 where a displacement is prescribed */
} rooftop_elasticity_body;

/* Nodes in VTK's order. */
typedef enum {
  ROOFTOP_ELASTICITY_TETRAHEDRON = 0,             /* 4 nodes */
  ROOFTOP_ELASTICITY_WEDGE = 1,                   /* 6 */
  ROOFTOP_ELASTICITY_HEXAHEDRON = 2,              /* 8 */
  ROOFTOP_ELASTICITY_HEXAHEDRON_INCOMPATIBLE = 3, /* 8 */
  ROOFTOP_ELASTICITY_TETRAHEDRON10 = 4,           /* 10 */
  ROOFTOP_ELASTICITY_WEDGE15 = 5,                 /* 15 */
  ROOFTOP_ELASTICITY_HEXAHEDRON20 = 6,            /* 20 */
  ROOFTOP_ELASTICITY_HEXAHEDRON20_REDUCED = 7     /* 20 */
} rooftop_elasticity_element_kind;

/* Elements of one kind. */
typedef struct {
  int32_t kind;         /* a rooftop_elasticity_element_kind */
  int64_t count;        /* of elements, 0 or more */
  const int64_t* nodes; /* [count][nodes of the kind], counted from 0; may be null where there are none */
} rooftop_elasticity_elements;

/* Borrowed likewise. Elements are numbered block by block, from 0. */
typedef struct {
  int64_t nodes;
  const double* coordinates;                   /* [nodes][3] */
  int64_t blocks;                              /* 1 or more */
  const rooftop_elasticity_elements* elements; /* [blocks] */
  int64_t young_values;                        /* 1, or the number of elements */
  const double* young;                         /* [young_values] */
  int64_t poisson_values;                      /* 1, or the number of elements */
  const double* poisson;                       /* [poisson_values] */
  const double* load;                          /* [nodes][3] */
  const uint8_t* held;                         /* [nodes][3]: other than 0 where a displacement is prescribed */
  /* Displacements that others determine: the sum of factors times others, and a constant. Numbers: 3 node + component.
   * Where there are none the pointers may be null. */
  int64_t dependences;        /* 0 or more */
  const int64_t* dependent;   /* [dependences], each once */
  const int64_t* start;       /* [dependences + 1]: which of the factors each has, from 0 on */
  const int64_t* independent; /* [start[dependences]] */
  const double* factor;       /* [start[dependences]] */
  const double* constant;     /* [dependences] */
  int64_t stiffness_values;   /* 0: of young and poisson; or 1, the number of elements, or that of all points of
                                 integration: young and poisson are then not looked at */
  const double* stiffness;    /* [stiffness_values][21] */
} rooftop_elasticity_mesh;

typedef struct {
  double seconds;
  int64_t iterations;
  double residual;
} rooftop_elasticity_progress;

/* 0 ends the iteration. Called from the thread that called rooftop_elasticity_solve(), except in a process that was
 * forked and has executed no program since: there from another one, while that waits. */
typedef int (*rooftop_elasticity_watch)(const rooftop_elasticity_progress* progress, void* with);

typedef struct {
  int32_t preconditioner;         /* 0: none, 1: block Jacobi, 2: Chebyshev, 3: multigrid */
  double tolerance;               /* of the norm of the residual, relative to that of the load */
  int64_t iterations;             /* maximum */
  double seconds;                 /* maximum; infinity: no limit */
  int32_t threads;                /* 0: as many as OpenMP would take */
  rooftop_elasticity_watch watch; /* or null */
  void* watch_with;               /* what it is called with */
  int32_t single_values;          /* other than 0: products read an assembled matrix in single precision */
  const int32_t* stop; /* or null; set to something else than 0 by any thread or signal handler it ends the iteration */
} rooftop_elasticity_options;

typedef struct {
  int32_t outcome; /* 0: converged, 1: iteration limit, 2: time limit, 3: stopped, 4: stagnated */
  int64_t iterations;
  double residual; /* the true one, relative to the norm of the load */
  double setup_seconds, seconds;
  double bytes;
  double rounding;   /* where the residual stayed above the tolerance: what rounding of the displacement makes of it */
  int32_t stretched; /* other than 0: multigrid took account of a thin body or stretched elements */
  int32_t replaced;  /* nonzero: the preconditioner failed, and block Jacobi was used instead */
} rooftop_elasticity_result;

/* ROOFTOP_ELASTICITY_ABI_VERSION as compiled into the library. */
ROOFTOP_ELASTICITY_API int rooftop_elasticity_abi_version(void);
/* Why the last call of this thread that failed did so: one line, valid until its next failing call; "" before any. */
ROOFTOP_ELASTICITY_API const char* rooftop_elasticity_last_error(void);
/* Multigrid, 1e-8, 100 000 iterations, no time limit, all threads, nobody watching: what null `options` stand for. */
ROOFTOP_ELASTICITY_API void rooftop_elasticity_default_options(rooftop_elasticity_options* options);
/* displacement: [nodes][3], on entry the prescribed values and elsewhere a first guess, on return the solution.
 * residuals: null, or room for `capacity` values, which become the relative residuals before the first iteration and
 * after each; *result says how many iterations there were. */
ROOFTOP_ELASTICITY_API int rooftop_elasticity_solve(const rooftop_elasticity_body* body,
                                                    const rooftop_elasticity_options* options, double* displacement,
                                                    double* residuals, int64_t capacity,
                                                    rooftop_elasticity_result* result);
/* The same for a mesh. */
ROOFTOP_ELASTICITY_API int rooftop_elasticity_solve_mesh(const rooftop_elasticity_mesh* mesh,
                                                         const rooftop_elasticity_options* options,
                                                         double* displacement, double* residuals, int64_t capacity,
                                                         rooftop_elasticity_result* result);

#ifdef __cplusplus
}
#endif
#endif
