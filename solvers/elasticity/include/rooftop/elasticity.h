/* Linear elasticity on finite elements: the C interface of rooftop/elasticity.hpp, where the terms are explained.
 *
 * Every function that can fail returns a status, 0 on success. The calling thread gets the error message from
 * rooftop_elasticity_last_error(). No function throws, prints or ends the process.
 */
#ifndef ROOFTOP_ELASTICITY_H
#define ROOFTOP_ELASTICITY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFTOP_ELASTICITY_API __attribute__((visibility("default")))
/* Incremented whenever a function or structure below changes its meaning or layout. */
#define ROOFTOP_ELASTICITY_ABI_VERSION 3

typedef enum {
  ROOFTOP_ELASTICITY_OK = 0,
  ROOFTOP_ELASTICITY_INVALID_ARGUMENT = 1,
  ROOFTOP_ELASTICITY_OUT_OF_MEMORY = 2,
  ROOFTOP_ELASTICITY_INTERNAL_ERROR = 3
} rooftop_elasticity_status;

/* A box of hexahedra. The arrays must stay valid during the call. Nodes and elements are numbered with x fastest, then
 * y, then z. */
typedef struct {
  int64_t nodes[3];          /* in each direction, 2 or more */
  const double* coordinates; /* [nodes][3], or null: elements are cubes with edges of 1 */
  int64_t young_values;      /* 1, or the number of elements */
  const double* young;       /* [young_values] */
  int64_t poisson_values;    /* 1, or the number of elements */
  const double* poisson;     /* [poisson_values] */
  const double* load;        /* [nodes][3] */
  const uint8_t* held;       /* [nodes][3]: nonzero if the displacement is prescribed */
} rooftop_elasticity_body;

/* Kinds of elements. Nodes are in VTK's order. */
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
  int64_t count;        /* number of elements, 0 or more */
  const int64_t* nodes; /* [count][nodes of the kind], from 0; may be null if count is 0 */
} rooftop_elasticity_elements;

/* A mesh. The arrays must stay valid during the call. Elements are numbered block by block, from 0. */
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
  const uint8_t* held;                         /* [nodes][3]: nonzero if the displacement is prescribed */
  /* Dependent displacements, each a linear combination of others plus a constant. Displacements are numbered 3 * node +
   * component. The pointers may be null if there are none. */
  int64_t dependences;        /* 0 or more */
  const int64_t* dependent;   /* [dependences], without repetition */
  const int64_t* start;       /* [dependences + 1]: the terms of dependence i are start[i] to start[i + 1] - 1 */
  const int64_t* independent; /* [start[dependences]] */
  const double* factor;       /* [start[dependences]] */
  const double* constant;     /* [dependences] */
  int64_t stiffness_values;   /* 0: use young and poisson; or 1, the number of elements, or the number of all
                                 integration points: young and poisson are then ignored */
  const double* stiffness;    /* [stiffness_values][21] */
} rooftop_elasticity_mesh;

typedef struct {
  double seconds;
  int64_t iterations;
  double residual;
} rooftop_elasticity_progress;

/* Return 0 to end the iteration. Called on the thread that called rooftop_elasticity_solve(); in a forked process that
 * has not called exec(), on another thread while that one waits. */
typedef int (*rooftop_elasticity_watch)(const rooftop_elasticity_progress* progress, void* with);

typedef struct {
  int32_t preconditioner;         /* 0: none, 1: block Jacobi, 2: Chebyshev, 3: multigrid */
  double tolerance;               /* norm of the residual relative to that of the load at which to stop */
  int64_t iterations;             /* maximum */
  double seconds;                 /* maximum; infinity: no limit */
  int32_t threads;                /* 0: OpenMP's default */
  rooftop_elasticity_watch watch; /* or null */
  void* watch_with;               /* passed to watch as `with` */
  int32_t single_values;          /* nonzero: products read the assembled matrix in single precision */
  const int32_t* stop; /* optional flag: a nonzero value, from any thread or signal handler, ends the iteration */
} rooftop_elasticity_options;

typedef struct {
  int32_t outcome; /* 0: converged, 1: iteration limit, 2: time limit, 3: stopped, 4: stagnated */
  int64_t iterations;
  double residual; /* norm of the true residual relative to that of the load */
  double setup_seconds, seconds;
  double bytes;
  double rounding;   /* if the residual is above the tolerance: the part caused by rounding the displacement */
  int32_t stretched; /* nonzero: multigrid was adapted to a thin body or elongated elements */
  int32_t replaced;  /* nonzero: the preconditioner failed, and block Jacobi was used instead */
} rooftop_elasticity_result;

/* ROOFTOP_ELASTICITY_ABI_VERSION as compiled into the library. */
ROOFTOP_ELASTICITY_API int rooftop_elasticity_abi_version(void);
/* This thread's last error message: one line, valid until its next failed call; "" if no call has failed. */
ROOFTOP_ELASTICITY_API const char* rooftop_elasticity_last_error(void);
/* Sets the defaults, which null `options` also mean: multigrid, tolerance 1e-8, 100 000 iterations, no time limit, all
 * threads, no callback. */
ROOFTOP_ELASTICITY_API void rooftop_elasticity_default_options(rooftop_elasticity_options* options);
/* Solves for the displacement of a box.
 * displacement: [nodes][3]; on entry the prescribed values and elsewhere an initial guess, on return the solution.
 * residuals: null, or [capacity]; on return the relative residuals before the first iteration and after each one, at
 * most `capacity` values. */
ROOFTOP_ELASTICITY_API int rooftop_elasticity_solve(const rooftop_elasticity_body* body,
                                                    const rooftop_elasticity_options* options, double* displacement,
                                                    double* residuals, int64_t capacity,
                                                    rooftop_elasticity_result* result);
/* Solves for the displacement of a mesh. */
ROOFTOP_ELASTICITY_API int rooftop_elasticity_solve_mesh(const rooftop_elasticity_mesh* mesh,
                                                         const rooftop_elasticity_options* options,
                                                         double* displacement, double* residuals, int64_t capacity,
                                                         rooftop_elasticity_result* result);

#ifdef __cplusplus
}
#endif
#endif
