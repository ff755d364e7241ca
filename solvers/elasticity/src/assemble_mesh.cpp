#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

#include "element_kinds.hpp"
#include "element_matrix.hpp"
#include "mesh_operator.hpp"
#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {
namespace {

/// Elements by their numbers, and how they are shared by threads: in chunks of one kind, and chunks in colours. Chunks
/// of one colour have no node in common.
class Elements {
 public:
  struct Chunk {
    ElementKind kind;
    std::int64_t begin, end;
  };

  explicit Elements(const Mesh& mesh) : mesh_(mesh) {
    for (const ElementBlock& block : mesh.blocks) {
      first_.push_back(count_);
      first_point_.push_back(points_);
      const auto elements = static_cast<std::int64_t>(block.nodes.size() / nodes_of(block.kind));
      count_ += elements;
      points_ += elements * static_cast<std::int64_t>(points_of_integration(block.kind));
    }
  }

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::span<const std::int64_t> nodes(std::int64_t element) const {
    const std::size_t b = block_of(element);
    const std::size_t each = nodes_of(mesh_.blocks[b].kind);
    return mesh_.blocks[b].nodes.subspan(each * static_cast<std::size_t>(element - first_[b]), each);
  }
  [[nodiscard]] Material material_of(std::int64_t element) const {
    const auto one = [&](std::span<const double> values) {
      return values[values.size() == 1 ? 0 : static_cast<std::size_t>(element)];
    };
    return material(one(mesh_.young), one(mesh_.poisson));
  }
  /// Where stiffness depends on directions: of an element, or of each of its points of integration.
  [[nodiscard]] std::span<const double> stiffness_of(std::int64_t element) const {
    const auto given = static_cast<std::int64_t>(mesh_.stiffness.size() / stiffness_values);
    if (given == 1) return mesh_.stiffness;
    std::int64_t first = element, count = 1;
    if (given != count_) {
      const std::size_t b = block_of(element);
      count = static_cast<std::int64_t>(points_of_integration(mesh_.blocks[b].kind));
      first = first_point_[b] + (element - first_[b]) * count;
    }
    return mesh_.stiffness.subspan(stiffness_values * static_cast<std::size_t>(first),
                                   stiffness_values * static_cast<std::size_t>(count));
  }

  /// Chunks of each colour; those of the last one are done one after the other. They are the same whatever the threads,
  /// and so are the sums. Large ones, each of which stays in a part of the matrix, where few colours are enough for
  /// them: elements are numbered along the body then.
  [[nodiscard]] std::vector<std::vector<Chunk>> colours() const {
    constexpr std::int64_t small = 64, many = 256;
    constexpr std::size_t few = 8;
    if (const std::int64_t large = count_ / many; large > small) {
      auto result = coloured(chunks(large));
      if (result.size() <= few && result.back().empty()) return result;
    }
    return coloured(chunks(small));
  }

 private:
  [[nodiscard]] std::vector<std::vector<Chunk>> coloured(const std::vector<Chunk>& all) const {
    std::vector<std::uint64_t> taken(mesh_.coordinates.size() / components, 0);
    constexpr std::size_t most = 63;
    std::vector<std::vector<Chunk>> result;
    std::vector<Chunk> left;
    for (const Chunk& chunk : all) {
      std::uint64_t used = 0;
      const auto for_nodes = [&](auto visit) {
        for (std::int64_t e = chunk.begin; e < chunk.end; ++e) {
          for (const std::int64_t node : nodes(e)) visit(taken[static_cast<std::size_t>(node)]);
        }
      };
      for_nodes([&](std::uint64_t& one) { used |= one; });
      const auto colour = static_cast<std::size_t>(std::countr_one(used));
      if (colour >= most) {
        left.push_back(chunk);
        continue;
      }
      for_nodes([&](std::uint64_t& one) { one |= std::uint64_t{1} << colour; });
      if (colour >= result.size()) result.resize(colour + 1);
      result[colour].push_back(chunk);
    }
    result.push_back(std::move(left));
    return result;
  }

  [[nodiscard]] std::vector<Chunk> chunks(std::int64_t elements) const {
    std::vector<Chunk> result;
    for (std::size_t b = 0; b < first_.size(); ++b) {
      const std::int64_t end = b + 1 < first_.size() ? first_[b + 1] : count_;
      for (std::int64_t begin = first_[b]; begin < end; begin += elements) {
        result.push_back({mesh_.blocks[b].kind, begin, std::min(begin + elements, end)});
      }
    }
    return result;
  }

  [[nodiscard]] std::size_t block_of(std::int64_t element) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_, element) - first_.begin()) - 1;
  }

  const Mesh& mesh_;
  std::vector<std::int64_t> first_, first_point_;  // element of each block, and its point of integration
  std::int64_t count_ = 0, points_ = 0;
};

/// Neighbours of the first nodes, in the order of their numbers, and where elements find them there.
struct Neighbours {
  Pattern pattern;
  std::vector<std::int64_t> first;  ///< of each element, in `place`
  std::vector<std::int32_t> place;  ///< of an element's node in the row of another one of it

  /// A row for each of the element's nodes: where its nodes are in that node's row of the matrix.
  [[nodiscard]] const std::int32_t* places(std::int64_t element) const { return place.data() + first.data()[element]; }
};
Neighbours neighbours_of(const Mesh& mesh, const Elements& elements, std::int64_t rows, int threads) {
  Pattern corners;  // nodes of each element
  corners.columns = static_cast<std::int64_t>(mesh.coordinates.size()) / components;
  corners.start.reserve(static_cast<std::size_t>(elements.count() + 1));
  Neighbours result;
  result.first.reserve(static_cast<std::size_t>(elements.count() + 1));
  std::int64_t places = 0;
  for (const ElementBlock& block : mesh.blocks) {
    const auto each = static_cast<std::int64_t>(nodes_of(block.kind));
    for (std::int64_t n = each; n <= static_cast<std::int64_t>(block.nodes.size()); n += each, places += each * each) {
      corners.start.push_back(corners.blocks() + n);
      result.first.push_back(places);
    }
    corners.column.insert(corners.column.end(), block.nodes.begin(), block.nodes.end());
  }
  result.place.resize(static_cast<std::size_t>(places));
  const Transposed transposed = transpose(corners);
  const Pattern& around = transposed.pattern;
  Pattern& pattern = result.pattern;
  pattern.columns = corners.columns;
  pattern.start.resize(static_cast<std::size_t>(rows + 1));
  struct Part {
    std::int64_t begin = 0;
    std::vector<std::int32_t> found;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
  in_team(threads, [&] {
    const Share own = share_of(rows);
    Part& part = parts.data()[omp_get_thread_num()];
    part.begin = own.begin;
    std::vector<std::int32_t>& found = part.found;
    // Of each node: the last row that it was in, and where.
    std::vector<std::int32_t> row_of(static_cast<std::size_t>(corners.columns), -1), place(row_of.size());
    for (std::int64_t node = own.begin; node < own.end; ++node) {
      const std::size_t begin = found.size();
      const auto for_elements = [&](auto visit) {
        for (std::int64_t t = around.start.data()[node]; t < around.start.data()[node + 1]; ++t) {
          const std::int64_t e = around.column.data()[t], first = corners.start.data()[e];
          visit(e, transposed.block.data()[t] - first, corners.column.data() + first,
                corners.start.data()[e + 1] - first);
        }
      };
      for_elements([&](std::int64_t, std::int64_t, const std::int32_t* others, std::int64_t count) {
        for (std::int64_t c = 0; c < count; ++c) {
          if (row_of.data()[others[c]] == node) continue;
          row_of.data()[others[c]] = static_cast<std::int32_t>(node);
          found.push_back(others[c]);
        }
      });
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end());
      for (std::size_t i = begin; i < found.size(); ++i) {
        place.data()[found.data()[i]] = static_cast<std::int32_t>(i - begin);
      }
      for_elements([&](std::int64_t e, std::int64_t corner, const std::int32_t* others, std::int64_t count) {
        std::int32_t* to = result.place.data() + result.first.data()[e] + corner * count;
        for (std::int64_t c = 0; c < count; ++c) to[c] = place.data()[others[c]];
      });
      pattern.start.data()[node + 1] = static_cast<std::int64_t>(found.size() - begin);
    }
  });
  for (std::int64_t node = 0; node < rows; ++node) pattern.start.data()[node + 1] += pattern.start.data()[node];
  pattern.column.resize(static_cast<std::size_t>(pattern.start.back()));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t p = 0; p < parts.size(); ++p) {
    std::ranges::copy(parts.data()[p].found, pattern.column.data() + pattern.start.data()[parts.data()[p].begin]);
  }
  return result;
}

using Square = Block<double, components, components>;

/// The matrix as elements add to it.
struct Sum {
  MeshMatrix<double> matrix;
  Neighbours neighbours;  ///< without their pattern, which the matrix has

  /// Adds a block to the row of a node of an element, unless another process has that row.
  void add(std::int64_t row, std::int32_t place, const Square& block) {
    if (row >= matrix.pattern.rows()) return;
    Square& sum = matrix.block.data()[matrix.pattern.start.data()[row] + place];
    for (std::size_t v = 0; v < sum.value.size(); ++v) sum.value[v] += block.value[v];
  }
};

constexpr std::int64_t none = Assembled::none;

/// Adds elements of a kind one by one; returns the first that is inverted, or none.
std::int64_t add_each(const Mesh& mesh, const Elements& elements, const Elements::Chunk& chunk, Sum& to) {
  ElementMatrix matrix(chunk.kind);
  std::int64_t inverted = none;
  for (std::int64_t element = chunk.begin; element < chunk.end; ++element) {
    const auto nodes = elements.nodes(element);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      std::copy_n(mesh.coordinates.begin() + components * nodes[n], components, matrix.at[n].begin());
    }
    const double least = mesh.stiffness.empty() ? matrix.compute(elements.material_of(element))
                                                : matrix.compute(elements.stiffness_of(element));
    if (!(least > 0)) {
      inverted = std::min(inverted, element);
      continue;
    }
    const std::int32_t* place = to.neighbours.places(element);
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = 0; b < nodes.size(); ++b, ++place) to.add(nodes[a], *place, matrix.block(a, b));
    }
  }
  return inverted;
}

/// Adds some hexahedra, elements_at_once of them at most; returns the first that is inverted, or none.
std::int64_t add_hexahedra(const Mesh& mesh, const Elements& elements, std::int64_t begin, std::int64_t count,
                           Sum& to) {
  // Where the corners of the kernel's order are in VTK's.
  constexpr std::array<std::size_t, corners> vtk{0, 1, 3, 2, 4, 5, 7, 6};
  ElementsJob job{};
  ElementsResult result;
  for (std::size_t e = 0; e < elements_at_once; ++e) {
    const std::int64_t element = begin + std::min(static_cast<std::int64_t>(e), count - 1);
    const auto nodes = elements.nodes(element);
    for (std::size_t a = 0; a < corners; ++a) {
      for (std::size_t c = 0; c < components; ++c) {
        job.at[a][c][e] = mesh.coordinates[3 * static_cast<std::size_t>(nodes[vtk[a]]) + c];
      }
    }
    const Material of = elements.material_of(element);
    job.lame[e] = of.lame, job.shear[e] = of.shear;
  }
  integrate(job, result);
  std::int64_t inverted = none;
  for (std::size_t e = 0; e < static_cast<std::size_t>(count); ++e) {
    const auto nodes = elements.nodes(begin + static_cast<std::int64_t>(e));
    const std::int32_t* place = to.neighbours.places(begin + static_cast<std::int64_t>(e));
    if (!(result.least[e] > 0)) inverted = std::min(inverted, begin + static_cast<std::int64_t>(e));
    std::size_t pair = 0;
    for (std::size_t a = 0; a < corners; ++a) {
      for (std::size_t b = a; b < corners; ++b, ++pair) {
        Square block, turned;
        for (std::size_t r = 0; r < components; ++r) {
          for (std::size_t c = 0; c < components; ++c) {
            block(r, c) = turned(c, r) = result.blocks[pair][components * r + c][e];
          }
        }
        to.add(nodes[vtk[a]], place[corners * vtk[a] + vtk[b]], block);
        if (a != b) to.add(nodes[vtk[b]], place[corners * vtk[b] + vtk[a]], turned);
      }
    }
  }
  return inverted;
}

}  // namespace

AssembledMesh assembled(const Mesh& mesh, std::int64_t rows, int threads, const std::function<bool()>& go_on) {
  const Elements elements(mesh);
  Sum sum{{}, neighbours_of(mesh, elements, rows, threads)};
  MeshMatrix<double>& matrix = sum.matrix;
  matrix.pattern = std::move(sum.neighbours.pattern);
  matrix.block.resize(static_cast<std::size_t>(matrix.pattern.blocks()));
  std::int64_t inverted = none;
  std::atomic<bool> wanted{true};
  const auto add_chunk = [&](const Elements::Chunk& chunk) {
    std::int64_t found = none;
    if (!wanted.load(std::memory_order_relaxed)) return found;
    if (!go_on()) wanted.store(false, std::memory_order_relaxed);
    if (chunk.kind != ElementKind::hexahedron || !mesh.stiffness.empty()) return add_each(mesh, elements, chunk, sum);
    for (std::int64_t e = chunk.begin; e < chunk.end; e += elements_at_once) {
      const std::int64_t count = std::min<std::int64_t>(elements_at_once, chunk.end - e);
      found = std::min(found, add_hexahedra(mesh, elements, e, count, sum));
    }
    return found;
  };
  const auto colours = elements.colours();
  for (std::size_t c = 0; c < colours.size(); ++c) {
    const auto& chunks = colours[c];
    const int team = c + 1 == colours.size() ? 1 : threads;
#pragma omp parallel for num_threads(team) schedule(static) reduction(min : inverted)
    for (std::size_t i = 0; i < chunks.size(); ++i) inverted = std::min(inverted, add_chunk(chunks[i]));
  }
  return {std::move(matrix), inverted};
}

MeshMatrix<double> assemble(const Mesh& mesh, int threads, const std::function<bool()>& go_on) {
  AssembledMesh result =
      assembled(mesh, static_cast<std::int64_t>(mesh.coordinates.size()) / components, threads, go_on);
  require_none_inverted(result.inverted);
  return std::move(result.matrix);
}

}  // namespace rooftop::elasticity
