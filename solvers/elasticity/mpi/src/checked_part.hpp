/// What ranks give, checked by all of them together, and in the form that matrices are made of.
#pragma once

#include <span>

#include "communicator.hpp"
#include "piece.hpp"
#include "rooftop/elasticity_mpi.hpp"
#include "shared_box.hpp"

namespace rooftop::elasticity {

/// Collective. Throws InvalidInput on every rank. Inverted elements are found when the matrix is made.
[[nodiscard]] Piece checked_piece(const PartOfBody& body, const Options& options, std::span<const double> displacement,
                                  const Communicator& ranks);

/// The box of a body that was checked. Collective.
[[nodiscard]] SharedBox shared_box(const PartOfBody& body, const Piece& piece, int threads, const Communicator& ranks);

}  // namespace rooftop::elasticity
