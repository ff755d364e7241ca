/// Four rows at once, a lane for each: blocks of four nodes lie side by side, value by value.
/// Changed from 40-merged-sweeps: where the values lie. Boundary rows are filled up with zeros to the longest of four.
/// Limit attacked: the core, which for a block of 72 bytes issues nine multiply-adds of one number each.
/// Evidence: from cache much faster; beyond the caches the memory's speed is reached by fewer threads.
/// Source: Kreutzer and others, A unified sparse matrix data format for efficient general sparse matrix-vector
/// multiplication on modern processors with wide SIMD units, SIAM J. Sci. Comput. 36 (2014).
#include "sliced_rows.hpp"

ROOFTOP_RUNG(elasticity::Problem, elasticity::SlicedRows<4>);
