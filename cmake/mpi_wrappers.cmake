# The compiler wrappers of an MPI. Debian's full names say which MPI they are of. The modules of a cluster bring plain names, which are
# asked: mpi.h says whose it is.

# rooftop_find_mpi_wrapper(VARIABLE NAME MPI): the wrapper NAME, mpicc or mpicxx, of MPI, openmpi or mpich, as a variable in the cache.
function(rooftop_find_mpi_wrapper variable name mpi)
  if(DEFINED CACHE{${variable}} AND NOT "$CACHE{${variable}}" MATCHES "-NOTFOUND$")
    return()
  endif()
  set(macro_openmpi OPEN_MPI)
  set(macro_mpich MPICH_VERSION)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/mpi_h.c)
  file(WRITE ${probe} "#include <mpi.h>\n")
  set(found ${variable}-NOTFOUND)
  foreach(one IN ITEMS ${name}.${mpi} ${name})
    find_program(wrapper ${one} NO_CACHE)
    if(wrapper)
      # Debian's mpich brings the wrapper without the headers that it compiles with.
      execute_process(COMMAND ${wrapper} -x c -E -dM ${probe} RESULT_VARIABLE result OUTPUT_VARIABLE macros ERROR_QUIET)
      if(result EQUAL 0 AND macros MATCHES "#define ${macro_${mpi}} ")
        set(found ${wrapper})
        break()
      endif()
    endif()
    unset(wrapper)
  endforeach()
  set(${variable} ${found} CACHE FILEPATH "The compiler wrapper ${name} of ${mpi}" FORCE)
  mark_as_advanced(${variable})
endfunction()
