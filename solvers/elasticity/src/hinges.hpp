/// Bodies that touch in an edge or a node only: they turn there as on a hinge.
#pragma once

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// Throws InvalidInput where such bodies can move although they hang together and something holds the mesh. Of more
/// than a hundred of them nothing is known.
void require_no_hinge(const Mesh& mesh);
/// Throws InvalidInput where bodies, or displacements of nodes that no element has, can move although something holds
/// them or they depend on others. Of more than a hundred bodies nothing is known.
void require_no_motion_left(const Mesh& mesh);

}  // namespace rooftop::elasticity
