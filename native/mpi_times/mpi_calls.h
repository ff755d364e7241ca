/* The calls whose time counts as communication: X(name, its name in Fortran, parameters, arguments, number of
   arguments, what is sent). A Fortran call has the same arguments by reference, and the error code after them. What is
   sent names a macro of the caller's, which has it computed by a function of sent.h. Files are left out: they are
   work. Calls with large counts and persistent collective calls, which came with MPI 4.0, are not known. */
/* clang-format off */
#define P const void*
#define S const MPI_Datatype*
#define I const int*
#define D MPI_Datatype
#define C MPI_Comm
#define R MPI_Request*
#define T MPI_Status*
#define O MPI_Op
#define W MPI_Win
#define SEND(X, name, small) X(name, small, (P b, int n, D t, int d, int g, C c), (b, n, t, d, g, c), 6, MESSAGE(n, t, d, c))
#define ISEND(X, name, small) \
  X(name, small, (P b, int n, D t, int d, int g, C c, R r), (b, n, t, d, g, c, r), 7, MESSAGE(n, t, d, c))
#define SEND_INIT(X, name, small) \
  X(name, small, (P b, int n, D t, int d, int g, C c, R r), (b, n, t, d, g, c, r), 7, PERSISTENT(n, t, d, c, r))
#define ONE_SIDED(X, name, small) \
  X(name, small, (P b, int n, D t, int d, MPI_Aint e, int m, D u, W w), (b, n, t, d, e, m, u, w), 8, ITEMS_TO(n, t, d))
#define MPI_CALLS(X) \
  SEND(X, Send, send) SEND(X, Ssend, ssend) SEND(X, Bsend, bsend) SEND(X, Rsend, rsend) \
  ISEND(X, Isend, isend) ISEND(X, Issend, issend) ISEND(X, Ibsend, ibsend) ISEND(X, Irsend, irsend) \
  SEND_INIT(X, Send_init, send_init) SEND_INIT(X, Ssend_init, ssend_init) \
  SEND_INIT(X, Bsend_init, bsend_init) SEND_INIT(X, Rsend_init, rsend_init) \
  X(Recv, recv, (void* b, int n, D t, int s, int g, C c, T a), (b, n, t, s, g, c, a), 7, NOTHING) \
  X(Irecv, irecv, (void* b, int n, D t, int s, int g, C c, R r), (b, n, t, s, g, c, r), 7, NOTHING) \
  X(Recv_init, recv_init, (void* b, int n, D t, int s, int g, C c, R r), (b, n, t, s, g, c, r), 7, RECEIVING(r)) \
  X(Sendrecv, sendrecv, (P b, int n, D t, int d, int g, void* q, int m, D u, int s, int h, C c, T a), \
    (b, n, t, d, g, q, m, u, s, h, c, a), 12, MESSAGE(n, t, d, c)) \
  X(Sendrecv_replace, sendrecv_replace, (void* b, int n, D t, int d, int g, int s, int h, C c, T a), \
    (b, n, t, d, g, s, h, c, a), 9, MESSAGE(n, t, d, c)) \
  X(Probe, probe, (int s, int g, C c, T a), (s, g, c, a), 4, NOTHING) \
  X(Iprobe, iprobe, (int s, int g, C c, int* f, T a), (s, g, c, f, a), 5, NOTHING) \
  X(Mprobe, mprobe, (int s, int g, C c, MPI_Message* m, T a), (s, g, c, m, a), 5, NOTHING) \
  X(Mrecv, mrecv, (void* b, int n, D t, MPI_Message* m, T a), (b, n, t, m, a), 5, NOTHING) \
  X(Start, start, (R r), (r), 1, STARTED(r)) \
  X(Startall, startall, (int n, R r), (n, r), 2, ALL_STARTED(n, r)) \
  X(Wait, wait, (R r, T a), (r, a), 2, NOTHING) \
  X(Waitall, waitall, (int n, R r, T a), (n, r, a), 3, NOTHING) \
  X(Waitany, waitany, (int n, R r, int* i, T a), (n, r, i, a), 4, NOTHING) \
  X(Waitsome, waitsome, (int n, R r, int* m, int* i, T a), (n, r, m, i, a), 5, NOTHING) \
  X(Test, test, (R r, int* f, T a), (r, f, a), 3, NOTHING) \
  X(Testall, testall, (int n, R r, int* f, T a), (n, r, f, a), 4, NOTHING) \
  X(Testany, testany, (int n, R r, int* i, int* f, T a), (n, r, i, f, a), 5, NOTHING) \
  X(Testsome, testsome, (int n, R r, int* m, int* i, T a), (n, r, m, i, a), 5, NOTHING) \
  X(Barrier, barrier, (C c), (c), 1, NOTHING) \
  X(Bcast, bcast, (void* b, int n, D t, int o, C c), (b, n, t, o, c), 5, OF_ROOT(n, t, o, c)) \
  X(Gather, gather, (P b, int n, D t, void* q, int m, D u, int o, C c), \
    (b, n, t, q, m, u, o, c), 8, ROOTED_BLOCK(b, n, t, m, u, o)) \
  X(Gatherv, gatherv, (P b, int n, D t, void* q, I m, I e, D u, int o, C c), \
    (b, n, t, q, m, e, u, o, c), 9, ROOTED_BLOCK_V(b, n, t, m, u, o, c)) \
  X(Scatter, scatter, (P b, int n, D t, void* q, int m, D u, int o, C c), \
    (b, n, t, q, m, u, o, c), 8, OF_ROOT_TO_EACH(n, t, o, c)) \
  X(Scatterv, scatterv, (P b, I n, I e, D t, void* q, int m, D u, int o, C c), \
    (b, n, e, t, q, m, u, o, c), 9, OF_ROOT_TO_ALL(n, t, o, c)) \
  X(Allgather, allgather, (P b, int n, D t, void* q, int m, D u, C c), (b, n, t, q, m, u, c), 7, BLOCK(b, n, t, m, u)) \
  X(Allgatherv, allgatherv, (P b, int n, D t, void* q, I m, I e, D u, C c), \
    (b, n, t, q, m, e, u, c), 8, BLOCK_V(b, n, t, m, u, c)) \
  X(Alltoall, alltoall, (P b, int n, D t, void* q, int m, D u, C c), (b, n, t, q, m, u, c), 7, TO_EACH(b, n, t, m, u, c)) \
  X(Alltoallv, alltoallv, (P b, I n, I e, D t, void* q, I m, I f, D u, C c), \
    (b, n, e, t, q, m, f, u, c), 9, TO_ALL(b, n, t, m, u, c)) \
  X(Alltoallw, alltoallw, (P b, I n, I e, S t, void* q, I m, I f, S u, C c), \
    (b, n, e, t, q, m, f, u, c), 9, TO_ALL_TYPED(b, n, t, m, u, c)) \
  X(Reduce, reduce, (P b, void* q, int n, D t, O p, int o, C c), (b, q, n, t, p, o, c), 7, ITEMS_TO(n, t, o)) \
  X(Allreduce, allreduce, (P b, void* q, int n, D t, O p, C c), (b, q, n, t, p, c), 6, ITEMS(n, t)) \
  X(Reduce_scatter, reduce_scatter, (P b, void* q, I n, D t, O p, C c), (b, q, n, t, p, c), 6, FOR_ALL(n, t, c)) \
  X(Reduce_scatter_block, reduce_scatter_block, (P b, void* q, int n, D t, O p, C c), \
    (b, q, n, t, p, c), 6, FOR_EACH(n, t, c)) \
  X(Scan, scan, (P b, void* q, int n, D t, O p, C c), (b, q, n, t, p, c), 6, ITEMS(n, t)) \
  X(Exscan, exscan, (P b, void* q, int n, D t, O p, C c), (b, q, n, t, p, c), 6, ITEMS(n, t)) \
  X(Ibarrier, ibarrier, (C c, R r), (c, r), 2, NOTHING) \
  X(Ibcast, ibcast, (void* b, int n, D t, int o, C c, R r), (b, n, t, o, c, r), 6, OF_ROOT(n, t, o, c)) \
  X(Igather, igather, (P b, int n, D t, void* q, int m, D u, int o, C c, R r), \
    (b, n, t, q, m, u, o, c, r), 9, ROOTED_BLOCK(b, n, t, m, u, o)) \
  X(Igatherv, igatherv, (P b, int n, D t, void* q, I m, I e, D u, int o, C c, R r), \
    (b, n, t, q, m, e, u, o, c, r), 10, ROOTED_BLOCK_V(b, n, t, m, u, o, c)) \
  X(Iscatter, iscatter, (P b, int n, D t, void* q, int m, D u, int o, C c, R r), \
    (b, n, t, q, m, u, o, c, r), 9, OF_ROOT_TO_EACH(n, t, o, c)) \
  X(Iscatterv, iscatterv, (P b, I n, I e, D t, void* q, int m, D u, int o, C c, R r), \
    (b, n, e, t, q, m, u, o, c, r), 10, OF_ROOT_TO_ALL(n, t, o, c)) \
  X(Iallgather, iallgather, (P b, int n, D t, void* q, int m, D u, C c, R r), \
    (b, n, t, q, m, u, c, r), 8, BLOCK(b, n, t, m, u)) \
  X(Iallgatherv, iallgatherv, (P b, int n, D t, void* q, I m, I e, D u, C c, R r), \
    (b, n, t, q, m, e, u, c, r), 9, BLOCK_V(b, n, t, m, u, c)) \
  X(Ialltoall, ialltoall, (P b, int n, D t, void* q, int m, D u, C c, R r), \
    (b, n, t, q, m, u, c, r), 8, TO_EACH(b, n, t, m, u, c)) \
  X(Ialltoallv, ialltoallv, (P b, I n, I e, D t, void* q, I m, I f, D u, C c, R r), \
    (b, n, e, t, q, m, f, u, c, r), 10, TO_ALL(b, n, t, m, u, c)) \
  X(Ireduce, ireduce, (P b, void* q, int n, D t, O p, int o, C c, R r), (b, q, n, t, p, o, c, r), 8, ITEMS_TO(n, t, o)) \
  X(Iallreduce, iallreduce, (P b, void* q, int n, D t, O p, C c, R r), (b, q, n, t, p, c, r), 7, ITEMS(n, t)) \
  X(Ireduce_scatter, ireduce_scatter, (P b, void* q, I n, D t, O p, C c, R r), (b, q, n, t, p, c, r), 7, FOR_ALL(n, t, c)) \
  X(Iscan, iscan, (P b, void* q, int n, D t, O p, C c, R r), (b, q, n, t, p, c, r), 7, ITEMS(n, t)) \
  X(Neighbor_allgather, neighbor_allgather, (P b, int n, D t, void* q, int m, D u, C c), \
    (b, n, t, q, m, u, c), 7, ITEMS(n, t)) \
  X(Neighbor_alltoall, neighbor_alltoall, (P b, int n, D t, void* q, int m, D u, C c), \
    (b, n, t, q, m, u, c), 7, TO_NEIGHBOURS(n, t, c)) \
  X(Neighbor_alltoallv, neighbor_alltoallv, (P b, I n, I e, D t, void* q, I m, I f, D u, C c), \
    (b, n, e, t, q, m, f, u, c), 9, TO_NEIGHBOURS_V(n, t, c)) \
  ONE_SIDED(X, Put, put) \
  X(Get, get, (void* b, int n, D t, int d, MPI_Aint e, int m, D u, W w), (b, n, t, d, e, m, u, w), 8, NOTHING) \
  X(Accumulate, accumulate, (P b, int n, D t, int d, MPI_Aint e, int m, D u, O p, W w), \
    (b, n, t, d, e, m, u, p, w), 9, ITEMS_TO(n, t, d)) \
  X(Win_fence, win_fence, (int a, W w), (a, w), 2, NOTHING) \
  X(Win_start, win_start, (MPI_Group g, int a, W w), (g, a, w), 3, NOTHING) \
  X(Win_complete, win_complete, (W w), (w), 1, NOTHING) \
  X(Win_post, win_post, (MPI_Group g, int a, W w), (g, a, w), 3, NOTHING) \
  X(Win_wait, win_wait, (W w), (w), 1, NOTHING) \
  X(Win_lock, win_lock, (int l, int d, int a, W w), (l, d, a, w), 4, NOTHING) \
  X(Win_unlock, win_unlock, (int d, W w), (d, w), 2, NOTHING) \
  X(Win_lock_all, win_lock_all, (int a, W w), (a, w), 2, NOTHING) \
  X(Win_unlock_all, win_unlock_all, (W w), (w), 1, NOTHING) \
  X(Win_flush, win_flush, (int d, W w), (d, w), 2, NOTHING) \
  X(Win_flush_all, win_flush_all, (W w), (w), 1, NOTHING) \
  X(Comm_dup, comm_dup, (C c, C* e), (c, e), 2, NOTHING) \
  X(Comm_split, comm_split, (C c, int a, int k, C* e), (c, a, k, e), 4, NOTHING) \
  X(Comm_create, comm_create, (C c, MPI_Group g, C* e), (c, g, e), 3, NOTHING) \
  X(Cart_create, cart_create, (C c, int n, I m, I q, int o, C* e), (c, n, m, q, o, e), 6, NOTHING)
/* After these a communicator is no more. */
#define MPI_FREES(X) X(Comm_free, comm_free) X(Comm_disconnect, comm_disconnect)
