/// Eight rows at once.
/// Changed from 50-slices: twice the lanes.
/// Limit attacked: the core, as before.
/// Evidence: from cache up to twice as fast; nothing where the memory was the limit already.
/// Source: as 50-slices.
#include "sliced_rows.hpp"

ROOFTOP_RUNG(elasticity::Problem, elasticity::SlicedRows<8>);
