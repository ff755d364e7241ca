! The calls that counted.F90 does not make, each once or more, to this rank where that is possible. Prints a sum of all that
! arrived, which is wrong if an argument is lost on its way.
#ifdef F08
#define HANDLE(kind) type(kind)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name) type(MPI_Status) :: name(2)
#define CODE
#else
#define HANDLE(kind) integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name) integer :: name(MPI_STATUS_SIZE, 2)
#define CODE , code
#endif
program rest
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: most = 64
  integer(8) :: total = 0, all = 0
  integer :: rank, ranks, following, preceding, provided, at, code = 0
  integer, target :: given(0:most - 1), got(0:most - 1), attached(1024)
  integer, dimension(0:most - 1) :: ones, places
  HANDLE(MPI_Request) :: one, both(2)
  STATUS(ended)
  STATUSES(ends)

  call MPI_Init_thread(MPI_THREAD_SINGLE, provided CODE)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank CODE)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks CODE)
  following = mod(rank + 1, ranks)
  preceding = mod(rank + ranks - 1, ranks)
  given = [(100 * rank + at, at = 0, most - 1)]
  places = [(at, at = 0, most - 1)]
  ones = 1
  call arrived(0)
  call sending()
  call receiving()
  call completing()
  call nonblocking()
  call among_neighbours()
  call windows()
  call MPI_Reduce(total, all, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD CODE)
  if (rank == 0) print '(i0)', all + code
#ifdef F08
  call MPI_Finalize()
#else
  call MPI_Finalize(code)
#endif

contains

  subroutine arrived(many)
    integer, intent(in) :: many
    integer :: item
    do item = 0, many - 1
      total = total + int(got(item), 8) * (item + 1)
    end do
    got = [(rank + item, item = 0, most - 1)]
  end subroutine

  subroutine expect()
    call MPI_Irecv(got, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, one CODE)
  end subroutine

  subroutine came()
    call MPI_Wait(one, ended CODE)
    call arrived(3)
  end subroutine

  subroutine run(request)
    HANDLE(MPI_Request) :: request
    call expect()
    call MPI_Start(request CODE)
    call MPI_Wait(request, ended CODE)
    call came()
    call MPI_Request_free(request CODE)
  end subroutine

  subroutine sending()
    call MPI_Buffer_attach(attached, 4096 CODE)
    call expect()
    call MPI_Ssend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD CODE)
    call came()
    call expect()
    call MPI_Bsend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD CODE)
    call came()
    call expect()
    call MPI_Rsend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD CODE)
    call came()
    call expect()
    call MPI_Issend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call MPI_Wait(both(1), ended CODE)
    call came()
    call expect()
    call MPI_Ibsend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call MPI_Wait(both(1), ended CODE)
    call came()
    call expect()
    call MPI_Irsend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call MPI_Wait(both(1), ended CODE)
    call came()
    call MPI_Ssend_init(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call run(both(1))
    call MPI_Bsend_init(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call run(both(1))
    call MPI_Rsend_init(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call run(both(1))
    got(0:2) = given(0:2)
    call MPI_Sendrecv_replace(got, 3, MPI_INTEGER, following, 2, preceding, 2, MPI_COMM_WORLD, ended CODE)
    call arrived(3)
  end subroutine

  subroutine receiving()
    logical :: there
    HANDLE(MPI_Message) :: message
    call MPI_Isend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call MPI_Probe(rank, 1, MPI_COMM_WORLD, ended CODE)
    call MPI_Iprobe(rank, 1, MPI_COMM_WORLD, there, ended CODE)
    if (there) total = total + 1
    call MPI_Mprobe(rank, 1, MPI_COMM_WORLD, message, ended CODE)
    call MPI_Mrecv(got, 3, MPI_INTEGER, message, ended CODE)
    call MPI_Wait(both(1), ended CODE)
    call arrived(3)
  end subroutine

  subroutine exchange()
    call MPI_Irecv(got, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(1) CODE)
    call MPI_Isend(given, 3, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, both(2) CODE)
  end subroutine

  subroutine completing()
    integer :: place, many, some(2), left
    logical :: done
    call exchange()
    call MPI_Waitany(2, both, place, ended CODE)
    call MPI_Waitany(2, both, place, ended CODE)
    call arrived(3)
    call exchange()
    left = 2
    do while (left > 0)
      call MPI_Waitsome(2, both, many, some, ends CODE)
      left = left - many
    end do
    call arrived(3)
    call exchange()
    done = .false.
    do while (.not. done)
      call MPI_Test(both(1), done, ended CODE)
    end do
    done = .false.
    do while (.not. done)
      call MPI_Testall(2, both, done, ends CODE)
    end do
    call arrived(3)
    call exchange()
    left = 2
    do while (left > 0)
      call MPI_Testany(2, both, place, done, ended CODE)
      if (done) left = left - 1
    end do
    call arrived(3)
    call exchange()
    left = 2
    do while (left > 0)
      call MPI_Testsome(2, both, many, some, ends CODE)
      left = left - many
    end do
    call arrived(3)
  end subroutine

  subroutine complete(many)
    integer, intent(in) :: many
    call MPI_Wait(one, ended CODE)
    call arrived(many)
  end subroutine

  subroutine nonblocking()
    call MPI_Scan(given, got, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD CODE)
    call arrived(2)
    call MPI_Exscan(given, got, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD CODE)
    call arrived(merge(0, 2, rank == 0))
    call MPI_Ibarrier(MPI_COMM_WORLD, one CODE)
    call complete(0)
    call MPI_Ibcast(got, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, one CODE)
    call complete(2)
    call MPI_Igather(given, 1, MPI_INTEGER, got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, one CODE)
    call complete(ranks)
    call MPI_Igatherv(given, 1, MPI_INTEGER, got, ones, places, MPI_INTEGER, 0, MPI_COMM_WORLD, one CODE)
    call complete(ranks)
    call MPI_Iscatter(given, 1, MPI_INTEGER, got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, one CODE)
    call complete(1)
    call MPI_Iscatterv(given, ones, places, MPI_INTEGER, got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, one CODE)
    call complete(1)
    call MPI_Iallgather(given, 1, MPI_INTEGER, got, 1, MPI_INTEGER, MPI_COMM_WORLD, one CODE)
    call complete(ranks)
    call MPI_Iallgatherv(given, 1, MPI_INTEGER, got, ones, places, MPI_INTEGER, MPI_COMM_WORLD, one CODE)
    call complete(ranks)
    call MPI_Ialltoall(given, 1, MPI_INTEGER, got, 1, MPI_INTEGER, MPI_COMM_WORLD, one CODE)
    call complete(ranks)
    call MPI_Ialltoallv(given, ones, places, MPI_INTEGER, got, ones, places, MPI_INTEGER, MPI_COMM_WORLD, one CODE)
    call complete(ranks)
    call MPI_Ireduce(given, got, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, one CODE)
    call complete(2)
    call MPI_Iallreduce(given, got, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, one CODE)
    call complete(2)
    call MPI_Ireduce_scatter(given, got, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, one CODE)
    call complete(1)
    call MPI_Iscan(given, got, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, one CODE)
    call complete(2)
  end subroutine

  subroutine among_neighbours()
    HANDLE(MPI_Comm) :: ring, again, made
    HANDLE(MPI_Group) :: group
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring CODE)
    call MPI_Neighbor_allgather(given, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring CODE)
    call arrived(2)
    call MPI_Neighbor_alltoallv(given, ones, places, MPI_INTEGER, got, ones, places, MPI_INTEGER, ring CODE)
    call arrived(2)
    call MPI_Comm_dup(ring, again CODE)
    call MPI_Comm_group(again, group CODE)
    call MPI_Comm_create(again, group, made CODE)
    call MPI_Group_free(group CODE)
    call MPI_Comm_disconnect(made CODE)
    call MPI_Comm_free(again CODE)
    call MPI_Comm_free(ring CODE)
  end subroutine

  subroutine windows()
    HANDLE(MPI_Win) :: window
    HANDLE(MPI_Group) :: group
    integer, volatile, target :: shown(0:most - 1)
    integer(MPI_ADDRESS_KIND), parameter :: start = 0
    shown = rank
    call MPI_Win_create(shown, int(4 * most, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, window CODE)
    call MPI_Comm_group(MPI_COMM_WORLD, group CODE)
    call MPI_Win_post(group, 0, window CODE)
    call MPI_Win_start(group, 0, window CODE)
    call MPI_Accumulate(given, 3, MPI_INTEGER, following, start, 3, MPI_INTEGER, MPI_SUM, window CODE)
    call MPI_Win_complete(window CODE)
    call MPI_Win_wait(window CODE)
    call MPI_Group_free(group CODE)
    call MPI_Barrier(MPI_COMM_WORLD CODE)
    call MPI_Win_lock(MPI_LOCK_SHARED, following, 0, window CODE)
    call MPI_Get(got, 3, MPI_INTEGER, following, start, 3, MPI_INTEGER, window CODE)
    call MPI_Win_flush(following, window CODE)
    call MPI_Win_unlock(following, window CODE)
    call arrived(3)
    call MPI_Win_lock_all(0, window CODE)
    call MPI_Get(got, 3, MPI_INTEGER, following, start, 3, MPI_INTEGER, window CODE)
    call MPI_Win_flush_all(window CODE)
    call MPI_Win_unlock_all(window CODE)
    call arrived(3)
    call MPI_Win_free(window CODE)
  end subroutine

end program
