! Functions of Fortran: one of a module, and one of none.
module grid
contains
  subroutine step(value)
    real(8), intent(inout) :: value
    value = value * 0.5d0 + 1
  end subroutine step
end module grid

subroutine sweep(value)
  use grid
  real(8), intent(inout) :: value
  integer :: i
  do i = 1, 100
    call step(value)
  end do
end subroutine sweep

program calls
  real(8) :: value
  integer :: i
  value = 0
  do i = 1, 4
    call sweep(value)
  end do
  print '(f6.3)', value
end program calls
