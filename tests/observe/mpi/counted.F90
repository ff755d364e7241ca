! The calls of counted.c in Fortran: with -DF08 those of mpi_f08, without error codes; otherwise those of the module mpi.
#ifdef F08
#define HANDLE(kind) type(kind)
#define CODE
#else
#define HANDLE(kind) integer
#define CODE , code
#endif
program counted
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: most = 64, bytes = 4
  integer(8) :: total = 0, all = 0
  integer :: rank, ranks, following, preceding, at
  integer, target :: given(0:most * most - 1), got(0:most * most - 1)
  integer, dimension(0:most - 1) :: counts, places, own, landings
  HANDLE(MPI_Datatype) :: types(0:most - 1)
  HANDLE(MPI_Request) :: request
#ifndef F08
  integer :: code
#endif

#ifdef F08
  call MPI_Init()
#else
  call MPI_Init(code)
#endif
  call MPI_Comm_rank(MPI_COMM_WORLD, rank CODE)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks CODE)
  following = mod(rank + 1, ranks)
  preceding = mod(rank + ranks - 1, ranks)
  given = [(1000 * rank + at, at = 0, most * most - 1)]
  do at = 0, ranks - 1
    counts(at) = at + 1
    places(at) = at * (at + 1) / 2
    own(at) = rank + 1
    landings(at) = at * (rank + 1)
    types(at) = MPI_INTEGER
  end do
  call arrived(0)
  call from_point_to_point()
  call persistent()
  call from_and_to_one()
  call between_all()
  call to_neighbours()
  call MPI_Barrier(MPI_COMM_WORLD CODE)
  call MPI_Reduce(total, all, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD CODE)
  if (rank == 0) print '(i0)', all
#ifdef F08
  call MPI_Finalize()
#else
  call MPI_Finalize(code)
#endif

contains

  subroutine arrived(many)
    integer, intent(in) :: many
    integer :: one
    do one = 0, many - 1
      total = total + int(got(one), 8) * (one + 1)
    end do
    got = [(rank + one, one = 0, most * most - 1)]
  end subroutine

  subroutine from_point_to_point()
    HANDLE(MPI_Datatype) :: three
    HANDLE(MPI_Comm) :: part
    integer :: turn, me
    call MPI_Type_contiguous(3, MPI_INTEGER, three CODE)
    call MPI_Type_commit(three CODE)
    call MPI_Isend(given, 1, three, following, 1, MPI_COMM_WORLD, request CODE)
    call MPI_Recv(got, 3, MPI_INTEGER, preceding, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE CODE)
    call MPI_Wait(request, MPI_STATUS_IGNORE CODE)
    call arrived(3)
    call MPI_Send(given, 9, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD CODE)
    do turn = 0, 1
      call MPI_Comm_split(MPI_COMM_WORLD, 0, merge(-rank, rank, turn == 0), part CODE)
      call MPI_Comm_rank(part, me CODE)
      call MPI_Sendrecv(given, 4, MPI_INTEGER, mod(me + 1, ranks), 2, got, 4, MPI_INTEGER, &
                        mod(me + ranks - 1, ranks), 2, part, MPI_STATUS_IGNORE CODE)
      call MPI_Comm_free(part CODE)
      call arrived(4)
    end do
    call MPI_Type_free(three CODE)
  end subroutine

  subroutine persistent()
    HANDLE(MPI_Request) :: both(2)
    call MPI_Send_init(given, 10, MPI_INTEGER, following, 3, MPI_COMM_WORLD, both(1) CODE)
    call MPI_Recv_init(got, 10, MPI_INTEGER, preceding, 3, MPI_COMM_WORLD, both(2) CODE)
    call MPI_Startall(2, both CODE)
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE CODE)
    call MPI_Start(both(1) CODE)
    call MPI_Start(both(2) CODE)
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE CODE)
    call MPI_Request_free(both(1) CODE)
    call MPI_Request_free(both(2) CODE)
    call arrived(10)
  end subroutine

  subroutine from_and_to_one()
    if (rank == ranks - 1) got(0) = 77
    call MPI_Bcast(got, 7, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD CODE)
    call arrived(7)
    if (rank == 0) then
      call MPI_Gather(MPI_IN_PLACE, 1, MPI_DATATYPE_NULL, got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD CODE)
    else
      call MPI_Gather(given, 1, MPI_INTEGER, got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD CODE)
    end if
    call arrived(ranks)
    if (rank == 0) then
      call MPI_Gatherv(MPI_IN_PLACE, 1, MPI_DATATYPE_NULL, got, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD CODE)
    else
      call MPI_Gatherv(given, rank + 1, MPI_INTEGER, got, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD CODE)
    end if
    call arrived(ranks)
    call MPI_Scatter(given, 3, MPI_INTEGER, got, 3, MPI_INTEGER, 0, MPI_COMM_WORLD CODE)
    call arrived(3)
    call MPI_Scatterv(given, counts, places, MPI_INTEGER, got, rank + 1, MPI_INTEGER, 0, MPI_COMM_WORLD CODE)
    call arrived(rank + 1)
    call MPI_Reduce(given, got, 4, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD CODE)
    call arrived(4)
  end subroutine

  subroutine between_all()
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 2, MPI_INTEGER, MPI_COMM_WORLD CODE)
    call arrived(2 * ranks)
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places, MPI_INTEGER, MPI_COMM_WORLD CODE)
    call arrived(ranks)
    call MPI_Alltoall(given, 2, MPI_INTEGER, got, 2, MPI_INTEGER, MPI_COMM_WORLD CODE)
    call arrived(2 * ranks)
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 2, MPI_INTEGER, MPI_COMM_WORLD CODE)
    call arrived(2 * ranks)
    call MPI_Alltoallv(given, counts, places, MPI_INTEGER, got, own, landings, MPI_INTEGER, MPI_COMM_WORLD CODE)
    call arrived(ranks * (rank + 1))
    call MPI_Alltoallw(given, counts, bytes * places, types, got, own, bytes * landings, types, MPI_COMM_WORLD CODE)
    call arrived(ranks * (rank + 1))
    call MPI_Allreduce(MPI_IN_PLACE, got, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD CODE)
    call arrived(4)
    call MPI_Reduce_scatter(given, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD CODE)
    call arrived(rank + 1)
    call MPI_Reduce_scatter_block(given, got, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD CODE)
    call arrived(2)
  end subroutine

  subroutine to_neighbours()
    HANDLE(MPI_Comm) :: ring
    HANDLE(MPI_Win) :: window
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring CODE)
    call MPI_Neighbor_alltoall(given, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring CODE)
    call arrived(2)
    call MPI_Comm_free(ring CODE)
    call MPI_Win_create(got, int(bytes * most * most, MPI_ADDRESS_KIND), bytes, MPI_INFO_NULL, MPI_COMM_WORLD, window CODE)
    call MPI_Win_fence(0, window CODE)
    call MPI_Put(given, 3, MPI_INTEGER, following, 0_MPI_ADDRESS_KIND, 3, MPI_INTEGER, window CODE)
    call MPI_Win_fence(0, window CODE)
    call MPI_Win_free(window CODE)
    call arrived(3)
  end subroutine

end program
