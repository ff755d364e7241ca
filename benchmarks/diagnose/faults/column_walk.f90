! Fault: strided access. The inner loop walks along the rows of a matrix that is stored by columns and larger than the
! cache: every element is in another line. Cured: the inner loop walks along the columns.
! Usage: column_walk [SCALE] [cured]
program column_walk
  implicit none
  integer, parameter :: double = kind(1d0)
  double precision, allocatable :: matrix(:, :)
  character(len=32) :: word
  double precision :: scale, total
  logical :: cured
  integer :: n, i, j, step

  scale = 1
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) scale
  end if
  call get_command_argument(2, word)
  cured = word == 'cured'
  n = int(5000 * sqrt(scale)) + 1
  allocate (matrix(n, n))
  !$omp parallel do schedule(static)
  do j = 1, n
    matrix(:, j) = 0
  end do
  do step = 1, 10
    if (cured) then
      !$omp parallel do schedule(static) private(i)
      do j = 1, n
        do i = 1, n
          matrix(i, j) = 0.5_double * matrix(i, j) + mod(i + j, 16)
        end do
      end do
    else
      !$omp parallel do schedule(static) private(j)
      do i = 1, n
        do j = 1, n
          matrix(i, j) = 0.5_double * matrix(i, j) + mod(i + j, 16)
        end do
      end do
    end if
  end do
  total = 0
  do j = 1, n, 7
    total = total + sum(matrix(:, j))
  end do
  print '(a, es22.16)', 'checksum ', total
end program column_walk
