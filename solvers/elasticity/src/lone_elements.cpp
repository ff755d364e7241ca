#include "lone_elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checked_mesh.hpp"
#include "element_matrix.hpp"

namespace rooftop::elasticity {
namespace {

/// Kinds with modes without energy besides rigid motions, in an element alone.
bool has_modes(ElementKind kind) { return kind == ElementKind::wedge || kind == ElementKind::hexahedron20_reduced; }

/// Whether some displacement of the unknowns that are free takes no energy: a pivot of Cholesky's is left with nothing
/// but rounding.
bool is_singular(ElementMatrix& matrix, const std::vector<std::size_t>& free) {
  constexpr double rounding = 1e-12;
  std::vector<double> factor(free.size() * free.size());
  for (std::size_t r = 0; r < free.size(); ++r) {
    double* row = factor.data() + r * free.size();
    for (std::size_t c = 0; c <= r; ++c) {
      const double* other = factor.data() + c * free.size();
      const double given =
          matrix.block(free[r] / components, free[c] / components)(free[r] % components, free[c] % components);
      double value = given;
      for (std::size_t k = 0; k < c; ++k) value -= row[k] * other[k];
      if (c < r) {
        row[c] = value / other[c];
      } else if (!(value > rounding * given)) {
        return true;
      } else {
        row[c] = std::sqrt(value);
      }
    }
  }
  return false;
}

}  // namespace

void require_no_lone_mode(const Mesh& mesh) {
  if (std::ranges::none_of(mesh.blocks, [](const ElementBlock& block) { return has_modes(block.kind); })) return;
  std::vector<std::uint8_t> shared(mesh.coordinates.size() / components), seen(shared.size());
  for_elements(mesh, [&](std::int64_t, std::span<const std::int64_t> nodes) {
    for (const std::int64_t node : nodes) {
      const auto n = static_cast<std::size_t>(node);
      (seen[n] != 0 ? shared : seen)[n] = 1;
    }
  });
  std::int64_t element = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const std::size_t each = nodes_of(block.kind);
    for (std::size_t first = 0; first < block.nodes.size(); first += each, ++element) {
      const auto nodes = block.nodes.subspan(first, each);
      const auto is_shared = [&](std::int64_t node) { return shared[static_cast<std::size_t>(node)] != 0; };
      if (!has_modes(block.kind) || std::ranges::any_of(nodes, is_shared)) continue;
      ElementMatrix matrix(block.kind);
      std::vector<std::size_t> free;
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::size_t at = components * static_cast<std::size_t>(nodes[n]);
        std::copy_n(mesh.coordinates.begin() + static_cast<std::ptrdiff_t>(at), components, matrix.at[n].begin());
        for (std::size_t c = 0; c < components; ++c) {
          if (mesh.held[at + c] == 0) free.push_back(components * n + c);
        }
      }
      // One that is inverted is told elsewhere.
      if (!(matrix.compute(Material{1, 1}) > 0) || !is_singular(matrix, free)) continue;
      throw InvalidInput("element " + std::to_string(element) +
                         ", counted from 0, shares no node with others, and its points of integration leave it "
                         "displacements that take "
                         "no energy; expected full integration, more elements, or more displacements held");
    }
  }
}

}  // namespace rooftop::elasticity
