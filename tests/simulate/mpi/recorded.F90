! Messages and collective calls of a program in Fortran: by mpif.h, by "use mpi" (-DMODULE) or by "use mpi_f08" (-DF08).
program recorded
#ifdef F08
  use mpi_f08
#elif defined(MODULE)
  use mpi
#endif
  implicit none
#if !defined(F08) && !defined(MODULE)
  include 'mpif.h'
#endif
#ifdef F08
  type(MPI_Comm) :: half
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status
#else
  integer :: half, requests(2), status(MPI_STATUS_SIZE)
#endif
  integer :: rank, ranks, after, before, step, error
  integer, allocatable :: counts(:), places(:)
  double precision :: from(4), to(4), sums(2)
  double precision, allocatable :: all(:)
  logical :: done

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  after = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  from = rank
  do step = 1, 2
    call MPI_Irecv(to, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(from, 4, MPI_DOUBLE_PRECISION, after, step, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    if (to(1) /= before) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end do
  call MPI_Isend(from, 3, MPI_DOUBLE_PRECISION, after, 7, MPI_COMM_WORLD, requests(1), error)
  call MPI_Recv(to, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, status, error)
#ifdef F08
  if (status%MPI_SOURCE /= before) call MPI_Abort(MPI_COMM_WORLD, 2, error)
#else
  if (status(MPI_SOURCE) /= before) call MPI_Abort(MPI_COMM_WORLD, 2, error)
#endif
  done = .false.
  do while (.not. done)
    call MPI_Test(requests(1), done, MPI_STATUS_IGNORE, error)
  end do
  call MPI_Send_init(from, 2, MPI_DOUBLE_PRECISION, after, 8, MPI_COMM_WORLD, requests(1), error)
  call MPI_Start(requests(1), error)
  call MPI_Recv(to, 4, MPI_DOUBLE_PRECISION, before, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
  call MPI_Request_free(requests(1), error)
  call MPI_Sendrecv(from, 1, MPI_DOUBLE_PRECISION, after, 9, to, 1, MPI_DOUBLE_PRECISION, before, 9, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)

  sums = rank
  call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (sums(2) /= ranks * (ranks - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 3, error)
  call MPI_Ibcast(sums, 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, requests(1), error)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
  allocate(counts(ranks), places(ranks), all(ranks * (ranks + 1) / 2))
  counts = [(step, step = 1, ranks)]
  places = [(step * (step - 1) / 2, step = 1, ranks)]
  all = rank
  call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE_PRECISION, all, counts, places, MPI_DOUBLE_PRECISION, &
                      MPI_COMM_WORLD, error)
  call MPI_Gatherv(from, 1, MPI_DOUBLE_PRECISION, to, counts, places, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, error)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, half, error)
  call MPI_Barrier(half, error)
  call MPI_Comm_free(half, error)
  call MPI_Finalize(error)
end program recorded
