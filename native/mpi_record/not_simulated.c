/* Calls that exchange something and are not simulated yet: the recording names the first, and is refused. */
#include <mpi.h>

#include "calls.h"

#define P const void*
#define I const int*
#define NOT(name, parameters, arguments) CALL(name, parameters, arguments, not_simulated("MPI_" #name))
NOT(Reduce_scatter, (P b, void* q, I n, MPI_Datatype t, MPI_Op p, MPI_Comm c), (b, q, n, t, p, c))
NOT(Gatherv, (P b, int n, MPI_Datatype t, void* q, I m, I e, MPI_Datatype u, int o, MPI_Comm c),
    (b, n, t, q, m, e, u, o, c))
NOT(Scatterv, (P b, I n, I e, MPI_Datatype t, void* q, int m, MPI_Datatype u, int o, MPI_Comm c),
    (b, n, e, t, q, m, u, o, c))
NOT(Allgatherv, (P b, int n, MPI_Datatype t, void* q, I m, I e, MPI_Datatype u, MPI_Comm c), (b, n, t, q, m, e, u, c))
NOT(Alltoallw, (P b, I n, I e, const MPI_Datatype* t, void* q, I m, I f, const MPI_Datatype* u, MPI_Comm c),
    (b, n, e, t, q, m, f, u, c))
NOT(Ialltoallv, (P b, I n, I e, MPI_Datatype t, void* q, I m, I f, MPI_Datatype u, MPI_Comm c, MPI_Request* r),
    (b, n, e, t, q, m, f, u, c, r))
NOT(Neighbor_alltoall, (P b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, MPI_Comm c), (b, n, t, q, m, u, c))
NOT(Neighbor_allgather, (P b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, MPI_Comm c), (b, n, t, q, m, u, c))
NOT(Neighbor_alltoallv, (P b, I n, I e, MPI_Datatype t, void* q, I m, I f, MPI_Datatype u, MPI_Comm c),
    (b, n, e, t, q, m, f, u, c))
NOT(Put, (P b, int n, MPI_Datatype t, int d, MPI_Aint e, int m, MPI_Datatype u, MPI_Win w), (b, n, t, d, e, m, u, w))
NOT(Get, (void* b, int n, MPI_Datatype t, int d, MPI_Aint e, int m, MPI_Datatype u, MPI_Win w),
    (b, n, t, d, e, m, u, w))
NOT(Accumulate, (P b, int n, MPI_Datatype t, int d, MPI_Aint e, int m, MPI_Datatype u, MPI_Op p, MPI_Win w),
    (b, n, t, d, e, m, u, p, w))
NOT(Mprobe, (int s, int g, MPI_Comm c, MPI_Message* m, MPI_Status* a), (s, g, c, m, a))
NOT(Mrecv, (void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Status* a), (b, n, t, m, a))
NOT(Neighbor_allgatherv, (P b, int n, MPI_Datatype t, void* q, I m, I e, MPI_Datatype u, MPI_Comm c),
    (b, n, t, q, m, e, u, c))
NOT(Neighbor_alltoallw,
    (P b, I n, const MPI_Aint* e, const MPI_Datatype* t, void* q, I m, const MPI_Aint* f, const MPI_Datatype* u,
     MPI_Comm c),
    (b, n, e, t, q, m, f, u, c))

NOT(Ireduce_scatter, (P b, void* q, I n, MPI_Datatype t, MPI_Op p, MPI_Comm c, MPI_Request* r), (b, q, n, t, p, c, r))
NOT(Ireduce_scatter_block, (P b, void* q, int n, MPI_Datatype t, MPI_Op p, MPI_Comm c, MPI_Request* r),
    (b, q, n, t, p, c, r))
NOT(Igatherv, (P b, int n, MPI_Datatype t, void* q, I m, I e, MPI_Datatype u, int o, MPI_Comm c, MPI_Request* r),
    (b, n, t, q, m, e, u, o, c, r))
NOT(Iscatterv, (P b, I n, I e, MPI_Datatype t, void* q, int m, MPI_Datatype u, int o, MPI_Comm c, MPI_Request* r),
    (b, n, e, t, q, m, u, o, c, r))
NOT(Iallgatherv, (P b, int n, MPI_Datatype t, void* q, I m, I e, MPI_Datatype u, MPI_Comm c, MPI_Request* r),
    (b, n, t, q, m, e, u, c, r))
NOT(Ialltoallw,
    (P b, I n, I e, const MPI_Datatype* t, void* q, I m, I f, const MPI_Datatype* u, MPI_Comm c, MPI_Request* r),
    (b, n, e, t, q, m, f, u, c, r))
NOT(Ineighbor_allgather, (P b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, MPI_Comm c, MPI_Request* r),
    (b, n, t, q, m, u, c, r))
NOT(Ineighbor_allgatherv, (P b, int n, MPI_Datatype t, void* q, I m, I e, MPI_Datatype u, MPI_Comm c, MPI_Request* r),
    (b, n, t, q, m, e, u, c, r))
NOT(Ineighbor_alltoall, (P b, int n, MPI_Datatype t, void* q, int m, MPI_Datatype u, MPI_Comm c, MPI_Request* r),
    (b, n, t, q, m, u, c, r))
NOT(Ineighbor_alltoallv, (P b, I n, I e, MPI_Datatype t, void* q, I m, I f, MPI_Datatype u, MPI_Comm c, MPI_Request* r),
    (b, n, e, t, q, m, f, u, c, r))

NOT(Improbe, (int s, int g, MPI_Comm c, int* flag, MPI_Message* m, MPI_Status* a), (s, g, c, flag, m, a))
NOT(Imrecv, (void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Request* r), (b, n, t, m, r))
NOT(Cancel, (MPI_Request * r), (r))

NOT(Rput, (P b, int n, MPI_Datatype t, int d, MPI_Aint e, int m, MPI_Datatype u, MPI_Win w, MPI_Request* r),
    (b, n, t, d, e, m, u, w, r))
NOT(Rget, (void* b, int n, MPI_Datatype t, int d, MPI_Aint e, int m, MPI_Datatype u, MPI_Win w, MPI_Request* r),
    (b, n, t, d, e, m, u, w, r))
NOT(Raccumulate,
    (P b, int n, MPI_Datatype t, int d, MPI_Aint e, int m, MPI_Datatype u, MPI_Op p, MPI_Win w, MPI_Request* r),
    (b, n, t, d, e, m, u, p, w, r))
NOT(Get_accumulate,
    (P b, int n, MPI_Datatype t, void* q, int k, MPI_Datatype v, int d, MPI_Aint e, int m, MPI_Datatype u, MPI_Op p,
     MPI_Win w),
    (b, n, t, q, k, v, d, e, m, u, p, w))
NOT(Fetch_and_op, (P b, void* q, MPI_Datatype t, int d, MPI_Aint e, MPI_Op p, MPI_Win w), (b, q, t, d, e, p, w))
NOT(Compare_and_swap, (P b, P k, void* q, MPI_Datatype t, int d, MPI_Aint e, MPI_Win w), (b, k, q, t, d, e, w))
NOT(Win_fence, (int assert, MPI_Win w), (assert, w))
NOT(Win_complete, (MPI_Win w), (w))
NOT(Win_wait, (MPI_Win w), (w))

NOT(File_open, (MPI_Comm c, const char* name, int mode, MPI_Info i, MPI_File* f), (c, name, mode, i, f))
NOT(Comm_spawn,
    (const char* name, char* words[], int n, MPI_Info i, int o, MPI_Comm c, MPI_Comm* between, int errors[]),
    (name, words, n, i, o, c, between, errors))
NOT(Comm_accept, (const char* port, MPI_Info i, int o, MPI_Comm c, MPI_Comm* m), (port, i, o, c, m))
NOT(Comm_connect, (const char* port, MPI_Info i, int o, MPI_Comm c, MPI_Comm* m), (port, i, o, c, m))
