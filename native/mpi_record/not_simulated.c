/* Calls that exchange something and are not simulated: the recording names the first, and is refused. One-sided calls
   need a window and calls of files a file, so that those which make one are enough. */
#include "calls.h"

#define NOT(name, parameters, arguments) CALL(name, parameters, arguments, not_simulated("MPI_" #name))
NOT(Win_create, (void* b, MPI_Aint n, int unit, MPI_Info i, MPI_Comm c, MPI_Win* w), (b, n, unit, i, c, w))
NOT(Win_allocate, (MPI_Aint n, int unit, MPI_Info i, MPI_Comm c, void* b, MPI_Win* w), (n, unit, i, c, b, w))
NOT(Win_allocate_shared, (MPI_Aint n, int unit, MPI_Info i, MPI_Comm c, void* b, MPI_Win* w), (n, unit, i, c, b, w))
NOT(Win_create_dynamic, (MPI_Info i, MPI_Comm c, MPI_Win* w), (i, c, w))
NOT(File_open, (MPI_Comm c, const char* name, int mode, MPI_Info i, MPI_File* f), (c, name, mode, i, f))
NOT(Comm_spawn,
    (const char* name, char* words[], int n, MPI_Info i, int o, MPI_Comm c, MPI_Comm* between, int errors[]),
    (name, words, n, i, o, c, between, errors))
NOT(Comm_spawn_multiple,
    (int k, char* names[], char** words[], const int n[], const MPI_Info i[], int o, MPI_Comm c, MPI_Comm* between,
     int errors[]),
    (k, names, words, n, i, o, c, between, errors))
NOT(Comm_accept, (const char* port, MPI_Info i, int o, MPI_Comm c, MPI_Comm* m), (port, i, o, c, m))
NOT(Comm_connect, (const char* port, MPI_Info i, int o, MPI_Comm c, MPI_Comm* m), (port, i, o, c, m))
NOT(Comm_join, (int socket, MPI_Comm* m), (socket, m))

#if MPI_VERSION >= 4
typedef const void* Bytes;
typedef const int* Ints;
typedef const MPI_Count* Counts;
typedef const MPI_Aint* Places;
typedef const MPI_Datatype* Types;
NOT(Win_create_c, (void* b, MPI_Aint n, MPI_Aint unit, MPI_Info i, MPI_Comm c, MPI_Win* w), (b, n, unit, i, c, w))
NOT(Win_allocate_c, (MPI_Aint n, MPI_Aint unit, MPI_Info i, MPI_Comm c, void* b, MPI_Win* w), (n, unit, i, c, b, w))
NOT(Win_allocate_shared_c, (MPI_Aint n, MPI_Aint unit, MPI_Info i, MPI_Comm c, void* b, MPI_Win* w),
    (n, unit, i, c, b, w))
NOT(Comm_idup_with_info, (MPI_Comm c, MPI_Info i, MPI_Comm* m, MPI_Request* r), (c, i, m, r))
NOT(Comm_create_from_group, (MPI_Group g, const char* name, MPI_Info i, MPI_Errhandler h, MPI_Comm* m),
    (g, name, i, h, m))
NOT(Intercomm_create_from_groups,
    (MPI_Group g, int leader, MPI_Group other, int far, const char* name, MPI_Info i, MPI_Errhandler h, MPI_Comm* m),
    (g, leader, other, far, name, i, h, m))
NOT(Psend_init, (Bytes b, int k, MPI_Count n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Info i, MPI_Request* r),
    (b, k, n, t, d, g, c, i, r))
NOT(Precv_init, (void* b, int k, MPI_Count n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Info i, MPI_Request* r),
    (b, k, n, t, s, g, c, i, r))
#define NEIGHBOURS_INIT(name, N, Ns, Es)                                                                            \
  NOT(Neighbor_allgather_##name,                                                                                    \
      (Bytes b, N n, MPI_Datatype t, void* q, N m, MPI_Datatype u, MPI_Comm c, MPI_Info i, MPI_Request* r),         \
      (b, n, t, q, m, u, c, i, r))                                                                                  \
  NOT(Neighbor_alltoall_##name,                                                                                     \
      (Bytes b, N n, MPI_Datatype t, void* q, N m, MPI_Datatype u, MPI_Comm c, MPI_Info i, MPI_Request* r),         \
      (b, n, t, q, m, u, c, i, r))                                                                                  \
  NOT(Neighbor_allgatherv_##name,                                                                                   \
      (Bytes b, N n, MPI_Datatype t, void* q, Ns m, Es e, MPI_Datatype u, MPI_Comm c, MPI_Info i, MPI_Request* r),  \
      (b, n, t, q, m, e, u, c, i, r))                                                                               \
  NOT(Neighbor_alltoallv_##name,                                                                                    \
      (Bytes b, Ns n, Es e, MPI_Datatype t, void* q, Ns m, Es f, MPI_Datatype u, MPI_Comm c, MPI_Info i,            \
       MPI_Request* r),                                                                                             \
      (b, n, e, t, q, m, f, u, c, i, r))                                                                            \
  NOT(Neighbor_alltoallw_##name,                                                                                    \
      (Bytes b, Ns n, Places e, Types t, void* q, Ns m, Places f, Types u, MPI_Comm c, MPI_Info i, MPI_Request* r), \
      (b, n, e, t, q, m, f, u, c, i, r))
NEIGHBOURS_INIT(init, int, Ints, Ints)
NEIGHBOURS_INIT(init_c, MPI_Count, Counts, Places)
#endif
