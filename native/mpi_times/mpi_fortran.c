/* The calls of Fortran: of mpif.h and "use mpi" (mpi_send_), and of "use mpi_f08" (mpi_send_f08_, or mpi_send_f08ts_
   where the compiler passes a buffer as the address of its descriptor). Every argument is an address, the last that of
   the error code, which a program with mpi_f08 may leave out: NULL. All are handed on to the next library's function of
   the same name, so that no Fortran library need be linked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sent.h"
#include "tally.h"

#define SHOWN __attribute__((visibility("default")))
#define INT(argument) (*(const MPI_Fint*)(argument))
#define INTS(argument) ((const MPI_Fint*)(argument))
#define TYPE(argument) MPI_Type_f2c(INT(argument))
#define TYPE_AT(argument, i) MPI_Type_f2c(INTS(argument)[i])
#define COMM(argument) MPI_Comm_f2c(INT(argument))
#define REQUEST(argument) MPI_Request_f2c(INT(argument))
#define REQUEST_AT(argument, i) MPI_Request_f2c(INTS(argument)[i])
#define IN_PLACE(argument) in_place(described ? *(void**)(argument) : (argument))

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of Fortran's integers are read as arrays of int");

/* Return the next library's function of a name, looked for once. */
static void* next_of(const char* name, void** found) {
  void* next = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (next != NULL) return next;
  next = dlsym(RTLD_NEXT, name);
  if (next == NULL) {
    fprintf(stderr, "rooftop: %s is in no library that the program itself loads, so its MPI calls cannot be timed\n",
            name);
    abort();
  }
  __atomic_store_n(found, next, __ATOMIC_RELAXED);
  return next;
}

/* Fortran's MPI_IN_PLACE is known by its address: it is a variable of Open MPI and another of MPICH's mpi_f08; for
   mpif.h MPICH has a variable that points to it. */
static const void* in_place_openmpi;
static const void* in_place_mpich_f08;
static const void* const* in_place_mpich;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_in_place(void) {
  in_place_openmpi = dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_");
  in_place_mpich_f08 = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_IN_PLACE");
  in_place_mpich = dlsym(RTLD_DEFAULT, "MPIR_F_MPI_IN_PLACE");
}

static int in_place(const void* buffer) {
  pthread_once(&once, find_in_place);
  return buffer != NULL && (buffer == in_place_openmpi || buffer == in_place_mpich_f08 ||
                            (in_place_mpich != NULL && buffer == *in_place_mpich));
}

/* The parameters of a function with so many arguments, in mpi_calls.h's parentheses, and the error code. */
#define ADDRESS(p) void* p
#define ADDRESSES_1(p) ADDRESS(p), ADDRESS(error)
#define ADDRESSES_2(p, ...) ADDRESS(p), ADDRESSES_1(__VA_ARGS__)
#define ADDRESSES_3(p, ...) ADDRESS(p), ADDRESSES_2(__VA_ARGS__)
#define ADDRESSES_4(p, ...) ADDRESS(p), ADDRESSES_3(__VA_ARGS__)
#define ADDRESSES_5(p, ...) ADDRESS(p), ADDRESSES_4(__VA_ARGS__)
#define ADDRESSES_6(p, ...) ADDRESS(p), ADDRESSES_5(__VA_ARGS__)
#define ADDRESSES_7(p, ...) ADDRESS(p), ADDRESSES_6(__VA_ARGS__)
#define ADDRESSES_8(p, ...) ADDRESS(p), ADDRESSES_7(__VA_ARGS__)
#define ADDRESSES_9(p, ...) ADDRESS(p), ADDRESSES_8(__VA_ARGS__)
#define ADDRESSES_10(p, ...) ADDRESS(p), ADDRESSES_9(__VA_ARGS__)
#define ADDRESSES_11(p, ...) ADDRESS(p), ADDRESSES_10(__VA_ARGS__)
#define ADDRESSES_12(p, ...) ADDRESS(p), ADDRESSES_11(__VA_ARGS__)
#define WITH_ERROR(...) __VA_ARGS__, error

#define IN_FORTRAN(symbol, by_descriptor, name, arguments, count, sent)  \
  SHOWN void symbol(ADDRESSES_##count arguments) {                       \
    static void* found;                                                  \
    const enum call call = CALL_##name;                                  \
    const int described = by_descriptor;                                 \
    void* const next = next_of(#symbol, &found);                         \
    const long long since = enter();                                     \
    ((void (*)(ADDRESSES_##count arguments))next)(WITH_ERROR arguments); \
    struct tally* const tally = leave(call, since);                      \
    (void)described;                                                     \
    if (tally != NULL && (error == NULL || INT(error) == MPI_SUCCESS)) { \
      sent;                                                              \
    }                                                                    \
  }
#define IN_MPIF_H(name, small, parameters, arguments, count, sent) \
  IN_FORTRAN(mpi_##small##_, 0, name, arguments, count, sent)
#define IN_F08(name, small, parameters, arguments, count, sent) \
  IN_FORTRAN(mpi_##small##_f08_, 0, name, arguments, count, sent)
#define IN_F08TS(name, small, parameters, arguments, count, sent) \
  IN_FORTRAN(mpi_##small##_f08ts_, 1, name, arguments, count, sent)
MPI_CALLS(IN_MPIF_H)
MPI_CALLS(IN_F08)
MPI_CALLS(IN_F08TS)

#define FREES_IN_FORTRAN(symbol, name)           \
  SHOWN void symbol(void* comm, void* error) {   \
    static void* found;                          \
    void* const next = next_of(#symbol, &found); \
    forget(COMM(comm));                          \
    const long long since = enter();             \
    ((void (*)(void*, void*))next)(comm, error); \
    leave(CALL_##name, since);                   \
  }
#define FREES_IN_MPIF_H(name, small) FREES_IN_FORTRAN(mpi_##small##_, name)
#define FREES_IN_F08(name, small) FREES_IN_FORTRAN(mpi_##small##_f08_, name)
MPI_FREES(FREES_IN_MPIF_H)
MPI_FREES(FREES_IN_F08)

#define BEGINS_AND_ENDS(init, init_thread, finalize)                                           \
  SHOWN void init(void* error) {                                                               \
    static void* found;                                                                        \
    ((void (*)(void*))next_of(#init, &found))(error);                                          \
    if (error == NULL || INT(error) == MPI_SUCCESS) begin();                                   \
  }                                                                                            \
  SHOWN void init_thread(void* required, void* provided, void* error) {                        \
    static void* found;                                                                        \
    ((void (*)(void*, void*, void*))next_of(#init_thread, &found))(required, provided, error); \
    if (error == NULL || INT(error) == MPI_SUCCESS) begin();                                   \
  }                                                                                            \
  SHOWN void finalize(void* error) {                                                           \
    static void* found;                                                                        \
    end();                                                                                     \
    ((void (*)(void*))next_of(#finalize, &found))(error);                                      \
  }
BEGINS_AND_ENDS(mpi_init_, mpi_init_thread_, mpi_finalize_)
BEGINS_AND_ENDS(mpi_init_f08_, mpi_init_thread_f08_, mpi_finalize_f08_)
