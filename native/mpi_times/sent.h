/* What a call gives to MPI to be sent: a collective call what this rank contributes, with MPI_IN_PLACE or without it.
   It is asked when the call has succeeded, so that the arguments that matter are known to be valid. */
#pragma once
#include "tally.h"

long long bytes_of(long long count, MPI_Datatype type);

long long sum_of(const int* counts, int many);

/* How many ranks the own group has, how many ranks a collective call sends to (those of the other group, if there are
   two), and how many of them are neighbours that this rank sends to in the communicator's topology. */
int members(MPI_Comm comm);
int receivers(MPI_Comm comm);
int neighbours(MPI_Comm comm);

int rank_in(MPI_Comm comm);
int is_root(int root, MPI_Comm comm);

/* Add a message to a rank of a communicator. */
void message(struct tally* tally, enum call call, int count, MPI_Datatype type, int peer, MPI_Comm comm);

/* A persistent request sends that message each time that it starts, or receives. Add what one sends that starts. */
void will_send(MPI_Request request, int count, MPI_Datatype type, int peer, MPI_Comm comm);
void will_receive(MPI_Request request);
void started(struct tally* tally, enum call call, MPI_Request request);

/* A communicator is about to end: another may get its handle. */
void forget(MPI_Comm comm);

/* The last columns of mpi_calls.h. Who uses them defines how an argument is read, in C or in Fortran: INT, INTS, TYPE,
   TYPE_AT, COMM, REQUEST, REQUEST_AT, IN_PLACE; and has the variables `tally` and `call`. */
#define ADD(bytes_sent) tally->of[call].bytes += (bytes_sent)
#define NOTHING (void)tally
#define MESSAGE(n, t, d, c) message(tally, call, INT(n), TYPE(t), INT(d), COMM(c))
#define PERSISTENT(n, t, d, c, r) will_send(REQUEST(r), INT(n), TYPE(t), INT(d), COMM(c))
#define RECEIVING(r) will_receive(REQUEST(r))
#define STARTED(r) started(tally, call, REQUEST(r))
#define ALL_STARTED(n, r) \
  for (int i = 0; i < INT(n); ++i) started(tally, call, REQUEST_AT(r, i))
#define ITEMS(n, t) ADD(bytes_of(INT(n), TYPE(t)))
#define ITEMS_TO(n, t, d) \
  if (INT(d) >= 0) ADD(bytes_of(INT(n), TYPE(t)))
#define OF_ROOT(n, t, o, c) \
  if (is_root(INT(o), COMM(c))) ADD(bytes_of(INT(n), TYPE(t)))
#define OF_ROOT_TO_EACH(n, t, o, c) \
  if (is_root(INT(o), COMM(c))) ADD(bytes_of(INT(n), TYPE(t)) * receivers(COMM(c)))
#define OF_ROOT_TO_ALL(n, t, o, c) \
  if (is_root(INT(o), COMM(c))) ADD(bytes_of(sum_of(INTS(n), receivers(COMM(c))), TYPE(t)))
#define BLOCK(b, n, t, m, u) ADD(IN_PLACE(b) ? bytes_of(INT(m), TYPE(u)) : bytes_of(INT(n), TYPE(t)))
#define BLOCK_V(b, n, t, m, u, c) \
  ADD(IN_PLACE(b) ? bytes_of(INTS(m)[rank_in(COMM(c))], TYPE(u)) : bytes_of(INT(n), TYPE(t)))
#define ROOTED_BLOCK(b, n, t, m, u, o) \
  if (INT(o) >= 0) BLOCK(b, n, t, m, u)
#define ROOTED_BLOCK_V(b, n, t, m, u, o, c) \
  if (INT(o) >= 0) BLOCK_V(b, n, t, m, u, c)
#define TO_EACH(b, n, t, m, u, c) \
  ADD((IN_PLACE(b) ? bytes_of(INT(m), TYPE(u)) : bytes_of(INT(n), TYPE(t))) * receivers(COMM(c)))
#define TO_ALL(b, n, t, m, u, c)                                           \
  ADD(IN_PLACE(b) ? bytes_of(sum_of(INTS(m), receivers(COMM(c))), TYPE(u)) \
                  : bytes_of(sum_of(INTS(n), receivers(COMM(c))), TYPE(t)))
#define TO_ALL_TYPED(b, n, t, m, u, c)         \
  for (int i = 0; i < receivers(COMM(c)); ++i) \
  ADD(IN_PLACE(b) ? bytes_of(INTS(m)[i], TYPE_AT(u, i)) : bytes_of(INTS(n)[i], TYPE_AT(t, i)))
#define FOR_EACH(n, t, c) ADD(bytes_of(INT(n), TYPE(t)) * members(COMM(c)))
#define FOR_ALL(n, t, c) ADD(bytes_of(sum_of(INTS(n), members(COMM(c))), TYPE(t)))
#define TO_NEIGHBOURS(n, t, c) ADD(bytes_of(INT(n), TYPE(t)) * neighbours(COMM(c)))
#define TO_NEIGHBOURS_V(n, t, c) ADD(bytes_of(sum_of(INTS(n), neighbours(COMM(c))), TYPE(t)))
