/* Messages, of calls with a count: included once for each kind of count. */
#include "calls.h"

#define SENDS(name)                                                                                  \
  CALL(name, (const void* b, COUNT n, MPI_Datatype t, int d, int g, MPI_Comm c), (b, n, t, d, g, c), \
       if (d != MPI_PROC_NULL) message(SEND, bytes_of(n, t), d, g, c))
#define BEGINS_TO_SEND(name)                                                                                           \
  CALL(                                                                                                                \
      name, (const void* b, COUNT n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request* r), (b, n, t, d, g, c, r), \
      if (d != MPI_PROC_NULL) {                                                                                        \
        message(SEND, bytes_of(n, t), d, g, c);                                                                        \
        under_way(1, *r);                                                                                              \
      })
#define WILL_SEND(name)                                                                          \
  CALL(name, (const void* b, COUNT n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request* r), \
       (b, n, t, d, g, c, r), {                                                                  \
         message(SEND, bytes_of(n, t), d, g, c);                                                 \
         persistent(*r);                                                                         \
       })
SENDS(Send)
SENDS(Ssend)
SENDS(Bsend)
SENDS(Rsend)
BEGINS_TO_SEND(Isend)
BEGINS_TO_SEND(Issend)
BEGINS_TO_SEND(Ibsend)
BEGINS_TO_SEND(Irsend)
WILL_SEND(Send_init)
WILL_SEND(Ssend_init)
WILL_SEND(Bsend_init)
WILL_SEND(Rsend_init)

/* A call whose status is wanted, though the program may not want it. */
#define WITH_STATUS(name, parameters, arguments, what) \
  CALL_AFTER(name, parameters, MPI_Status own; if (a == MPI_STATUS_IGNORE) a = &own, arguments, what)

WITH_STATUS(Recv, (void* b, COUNT n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Status* a), (b, n, t, s, g, c, a),
            if (s != MPI_PROC_NULL) came(message(RECEIVE, 0, s, g, c), a))
CALL(
    Irecv, (void* b, COUNT n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Request* r), (b, n, t, s, g, c, r),
    if (s != MPI_PROC_NULL) {
      message(RECEIVE, 0, s, g, c);
      under_way(1, *r);
    })
CALL(Recv_init, (void* b, COUNT n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Request* r), (b, n, t, s, g, c, r), {
  message(RECEIVE, 0, s, g, c);
  persistent(*r);
})

/* The message is found by its handle, which the call takes away. */
#define OF_MATCHED(name, parameters, arguments, what) \
  CALL_AFTER(name, parameters, const MPI_Message before = *m, arguments, what)
OF_MATCHED(Mrecv, (void* b, COUNT n, MPI_Datatype t, MPI_Message* m, MPI_Status* a), (b, n, t, m, a),
           receive_of(before))
OF_MATCHED(Imrecv, (void* b, COUNT n, MPI_Datatype t, MPI_Message* m, MPI_Request* r), (b, n, t, m, r),
           under_way(receive_of(before), *r))

static void both_ways(long long bytes, int to, int tag, int from, int tag_from, MPI_Comm c, const MPI_Status* status) {
  int number = NO_REQUEST;
  if (from != MPI_PROC_NULL) {
    struct event* one = message(RECEIVE, 0, from, tag_from, c);
    came(one, status);
    one->request = number = number_taken();
  }
  if (to != MPI_PROC_NULL) message(SEND, bytes, to, tag, c);
  if (from != MPI_PROC_NULL) wait_for(number);
}
WITH_STATUS(Sendrecv,
            (const void* b, COUNT n, MPI_Datatype t, int d, int g, void* q, COUNT m, MPI_Datatype u, int s, int h,
             MPI_Comm c, MPI_Status* a),
            (b, n, t, d, g, q, m, u, s, h, c, a), both_ways(bytes_of(n, t), d, g, s, h, c, a))
WITH_STATUS(Sendrecv_replace, (void* b, COUNT n, MPI_Datatype t, int d, int g, int s, int h, MPI_Comm c, MPI_Status* a),
            (b, n, t, d, g, s, h, c, a), both_ways(bytes_of(n, t), d, g, s, h, c, a))

#if MPI_VERSION >= 4
static int both_under_way(long long bytes, int to, int tag, int from, int tag_from, MPI_Comm c) {
  int events = 0;
  if (from != MPI_PROC_NULL) events += message(RECEIVE, 0, from, tag_from, c) != NULL;
  if (to != MPI_PROC_NULL) events += message(SEND, bytes, to, tag, c) != NULL;
  return events;
}
CALL(Isendrecv,
     (const void* b, COUNT n, MPI_Datatype t, int d, int g, void* q, COUNT m, MPI_Datatype u, int s, int h, MPI_Comm c,
      MPI_Request* r),
     (b, n, t, d, g, q, m, u, s, h, c, r), under_way(both_under_way(bytes_of(n, t), d, g, s, h, c), *r))
CALL(Isendrecv_replace, (void* b, COUNT n, MPI_Datatype t, int d, int g, int s, int h, MPI_Comm c, MPI_Request* r),
     (b, n, t, d, g, s, h, c, r), under_way(both_under_way(bytes_of(n, t), d, g, s, h, c), *r))
#endif
