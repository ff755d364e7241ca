! The same in Fortran, whose compiler has names and locks of its own.
subroutine swept(values, n)
  implicit none
  integer, intent(in) :: n
  integer :: values(n), i
  !$omp parallel do schedule(dynamic, 4) num_threads(2)
  do i = 1, n
    values(i) = values(i) + i
  end do
  !$omp end parallel do
end subroutine

subroutine locked(total)
  use omp_lib
  implicit none
  integer :: total
  integer(omp_lock_kind) :: lock
  call omp_init_lock(lock)
  !$omp parallel num_threads(2)
  call omp_set_lock(lock)
  total = total + 1
  call omp_unset_lock(lock)
  !$omp workshare
  total = total + 0
  !$omp end workshare
  !$omp end parallel
  call omp_destroy_lock(lock)
end subroutine

program regions
  implicit none
  integer :: values(100), total, step
  values = 0
  total = 0
  do step = 1, 5
    call swept(values, 100)
  end do
  call locked(total)
  print *, sum(values), total
end program
