/// No matrix but the 27 kinds of rows that a uniform mesh has: what is read are vectors.
/// Changed from 60-symmetric: this uses that all elements are the same, which the rungs before do not.
/// Limit attacked: the bytes of the matrix, all of them.
/// Evidence: bytes fall from some 1300 to 240 for each node; then the core has 243 multiply-adds to do for them.
/// Source: the idea of a dictionary of distinct rows is old; Bell and Garland, 2009, have it for diagonals.
#include "dictionary.hpp"

ROOFTOP_RUNG(elasticity::Problem, elasticity::Dictionary<4>);
