/// Elements that share no node with others and have modes without energy, such as those of reduced integration.
#pragma once

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

/// Throws InvalidInput where such an element can move without energy though it is held against rigid motions: no
/// displacement of it is the only one.
void require_no_lone_mode(const Mesh& mesh);

}  // namespace rooftop::elasticity
