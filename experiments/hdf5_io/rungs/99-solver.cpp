/// The solver: straight from the file where the layout allows it, with gaps read along that cost less than a call, and
/// chunks decoded by all threads. Changed from the rungs before: whichever way costs least is found from the selection.
/// Limit attacked: calls, the library's one thread. Evidence: bytes and calls that are asked of the system; both cores
/// busy while chunks are decoded.
// needs: rooftop_h5io, HDF5
#include "solver_reading.hpp"

ROOFTOP_RUNG(hdf5_io::Problem, hdf5_io::SolverReading);
