#include "elimination.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "checked_mesh.hpp"
#include "checked_values.hpp"

namespace rooftop::elasticity {
namespace {

using Square = Block<double, components, components>;

std::string name_of(std::int64_t number) {
  return std::string(1, "xyz"[number % components]) + " of node " + std::to_string(number / components);
}

Square diagonal_block(const MeshMatrix<double>& matrix, std::int64_t row) {
  for (std::int64_t b = matrix.pattern.start.data()[row]; b < matrix.pattern.start.data()[row + 1]; ++b) {
    if (matrix.pattern.column.data()[b] == row) return matrix.block.data()[b];
  }
  return {};
}

}  // namespace

void require_dependences(const Dependences& given, std::span<const std::uint8_t> held, std::int64_t nodes) {
  const auto count = static_cast<std::int64_t>(given.dependent.size());
  if (count == 0) return;
  require_size("start", given.start.size(), count + 1);
  require_size("constant", given.constant.size(), count);
  for (std::size_t i = 0; i + 1 < given.start.size(); ++i) {
    if (given.start[i + 1] < given.start[i] || given.start[0] != 0) {
      throw InvalidInput("start[" + std::to_string(i) + "] is " + std::to_string(given.start[i]) +
                         ", and the next is " + std::to_string(given.start[i + 1]) +
                         "; expected numbers from 0 on that do not fall");
    }
  }
  require_size("independent", given.independent.size(), given.start.back());
  require_size("factor", given.factor.size(), given.start.back());
  require_finite("factor", given.factor);
  require_finite("constant", given.constant);
  const std::int64_t values = components * nodes;
  const auto require_known = [&](const char* what, std::int64_t number) {
    if (number < 0 || number >= values) {
      throw InvalidInput(std::string(what) + " is " + std::to_string(number) + "; expected 0 to " +
                         std::to_string(values - 1));
    }
  };
  std::vector<bool> dependent(static_cast<std::size_t>(values));
  for (const std::int64_t number : given.dependent) {
    require_known("a dependent displacement", number);
    const auto at = static_cast<std::size_t>(number);
    if (held[at] != 0) {
      throw InvalidInput("the displacement along " + name_of(number) +
                         " is held, and depends on others; expected either alone");
    }
    if (dependent[at]) {
      throw InvalidInput("the displacement along " + name_of(number) + " depends on others twice; expected once");
    }
    dependent[at] = true;
  }
  for (const std::int64_t number : given.independent) {
    require_known("an independent displacement", number);
    if (dependent[static_cast<std::size_t>(number)]) {
      throw InvalidInput("a displacement depends on that along " + name_of(number) +
                         ", which depends on others; expected what does not");
    }
  }
}

Elimination::Elimination(const Mesh& mesh, int threads)
    : mesh_(mesh),
      nodes_(static_cast<std::int64_t>(mesh.coordinates.size()) / components),
      threads_(threads),
      held_(mesh.held.begin(), mesh.held.end()) {
  for (const std::int64_t number : mesh.dependences.dependent) held_[static_cast<std::size_t>(number)] = 1;
}

void Elimination::expand(const Field<double>& v, Field<double>& u) const {
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::int64_t n = 0; n < nodes_; ++n) {
    for (int c = 0; c < components; ++c) u[c][n] = v[c][n];
  }
  const Dependences& of = mesh_.dependences;
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::size_t i = 0; i < of.dependent.size(); ++i) {
    double sum = 0;
    for (std::int64_t k = of.start[i]; k < of.start[i + 1]; ++k) {
      const std::int64_t number = of.independent[static_cast<std::size_t>(k)];
      sum += of.factor[static_cast<std::size_t>(k)] * v[static_cast<int>(number % components)][number / components];
    }
    u[static_cast<int>(of.dependent[i] % components)][of.dependent[i] / components] = sum;
  }
}

void Elimination::collect(Field<double>& f) const {
  const Dependences& of = mesh_.dependences;
  for (std::size_t i = 0; i < of.dependent.size(); ++i) {
    double& force = f[static_cast<int>(of.dependent[i] % components)][of.dependent[i] / components];
    for (std::int64_t k = of.start[i]; k < of.start[i + 1]; ++k) {
      const std::int64_t number = of.independent[static_cast<std::size_t>(k)];
      f[static_cast<int>(number % components)][number / components] += of.factor[static_cast<std::size_t>(k)] * force;
    }
    force = 0;
  }
}

MeshMatrix<double> Elimination::transformation() const {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  const Dependences& of = mesh_.dependences;
  std::vector<std::size_t> which(static_cast<std::size_t>(components * nodes_), none);
  for (std::size_t i = 0; i < of.dependent.size(); ++i) which[static_cast<std::size_t>(of.dependent[i])] = i;
  MeshMatrix<double> result;
  result.pattern.columns = nodes_;
  std::vector<std::int32_t> found;
  for (std::int64_t node = 0; node < nodes_; ++node) {
    const std::size_t* own = which.data() + components * node;
    found.clear();
    const auto for_factors = [&](auto visit) {
      for (std::size_t c = 0; c < components; ++c) {
        if (own[c] == none) {
          visit(c, components * node + static_cast<std::int64_t>(c), 1.0);
          continue;
        }
        for (std::int64_t k = of.start[own[c]]; k < of.start[own[c] + 1]; ++k) {
          visit(c, of.independent[static_cast<std::size_t>(k)], of.factor[static_cast<std::size_t>(k)]);
        }
      }
    };
    for_factors([&](std::size_t, std::int64_t number, double) {
      found.push_back(static_cast<std::int32_t>(number / components));
    });
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    const std::size_t first = result.block.size();
    result.block.resize(first + found.size());
    for_factors([&](std::size_t c, std::int64_t number, double factor) {
      const auto at = std::ranges::lower_bound(found, static_cast<std::int32_t>(number / components)) - found.begin();
      result.block[first + static_cast<std::size_t>(at)](c, static_cast<std::size_t>(number % components)) += factor;
    });
    result.pattern.column.insert(result.pattern.column.end(), found.begin(), found.end());
    result.pattern.start.push_back(static_cast<std::int64_t>(result.pattern.column.size()));
  }
  return result;
}

MeshMatrix<double> Elimination::reduced(const MeshMatrix<double>& matrix, const Free& free) const {
  const MeshMatrix<double> to = transformation();
  const Transposed back = transpose(to.pattern);
  const auto first = [](const Pattern& of, std::int64_t row) { return of.start.data()[row]; };
  // each(block of the matrix, block of T on its left, block of T on its right), of a row of the result.
  const auto for_terms = [&](std::int64_t row, auto each) {
    for (std::int64_t t = first(back.pattern, row); t < first(back.pattern, row + 1); ++t) {
      const std::int64_t k = back.pattern.column.data()[t];
      for (std::int64_t b = first(matrix.pattern, k); b < first(matrix.pattern, k + 1); ++b) {
        const std::int64_t l = matrix.pattern.column.data()[b];
        for (std::int64_t r = first(to.pattern, l); r < first(to.pattern, l + 1); ++r) {
          each(b, back.block.data()[t], r);
        }
      }
    }
  };
  MeshMatrix<double> result;
  result.pattern.columns = nodes_;
  result.pattern.start.resize(static_cast<std::size_t>(nodes_) + 1);
  std::vector<std::vector<std::int32_t>> columns(static_cast<std::size_t>(nodes_));
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 64)
  for (std::int64_t row = 0; row < nodes_; ++row) {
    auto& found = columns.data()[row];
    found.push_back(static_cast<std::int32_t>(row));
    std::size_t sorted = 0;
    for_terms(row, [&](std::int64_t, std::int64_t, std::int64_t r) {
      found.push_back(to.pattern.column.data()[r]);
      if (found.size() > 2 * sorted + 4096) {
        std::ranges::sort(found);
        found.erase(std::ranges::unique(found).begin(), found.end());
        sorted = found.size();
      }
    });
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    found.shrink_to_fit();
  }
  for (std::int64_t row = 0; row < nodes_; ++row) {
    const auto& found = columns.data()[row];
    result.pattern.column.insert(result.pattern.column.end(), found.begin(), found.end());
    result.pattern.start.data()[row + 1] = static_cast<std::int64_t>(result.pattern.column.size());
  }
  columns = {};
  result.block.resize(result.pattern.column.size());
#pragma omp parallel num_threads(threads_)
  {
    std::vector<std::int64_t> at(static_cast<std::size_t>(nodes_));
#pragma omp for schedule(dynamic, 64)
    for (std::int64_t row = 0; row < nodes_; ++row) {
      for (std::int64_t b = first(result.pattern, row); b < first(result.pattern, row + 1); ++b) {
        at.data()[result.pattern.column.data()[b]] = b;
      }
      for_terms(row, [&](std::int64_t b, std::int64_t left, std::int64_t right) {
        Square half;
        add_transposed_product(to.block.data()[left], matrix.block.data()[b], half);
        add_product(half, to.block.data()[right], result.block.data()[at.data()[to.pattern.column.data()[right]]]);
      });
    }
  }
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < nodes_; ++row) {
    const Square own = diagonal_block(result, row);
    for (std::size_t c = 0; c < components; ++c) {
      if (own(c, c) > 0) sum += own(c, c), ++count;
    }
  }
  for (std::int64_t row = 0; row < nodes_; ++row) {
    for (std::int64_t b = first(result.pattern, row); b < first(result.pattern, row + 1); ++b) {
      if (result.pattern.column.data()[b] != row) continue;
      for (std::size_t c = 0; c < components; ++c) {
        double& own = result.block.data()[b](c, c);
        if (!(free[static_cast<int>(c)][row] > 0) && !(own > 0)) own = sum / static_cast<double>(count);
      }
    }
  }
  return result;
}

std::vector<double> Elimination::reduced_load(const Operator<double>& matrix) const {
  const Dependences& of = mesh_.dependences;
  Field<double> f(matrix.grid(), threads_);
  if (std::ranges::any_of(of.constant, [](double one) { return one != 0; })) {
    Field<double> g(matrix.grid(), threads_);
    for (std::size_t i = 0; i < of.dependent.size(); ++i) {
      g[static_cast<int>(of.dependent[i] % components)][of.dependent[i] / components] = of.constant[i];
    }
    matrix.multiply(g, f, -1, false);
  }
  for (std::int64_t n = 0; n < nodes_; ++n) {
    for (int c = 0; c < components; ++c) f[c][n] += mesh_.load.data()[components * n + c];
  }
  collect(f);
  std::vector<double> result(mesh_.load.size());
  for (std::int64_t n = 0; n < nodes_; ++n) {
    for (int c = 0; c < components; ++c) result.data()[components * n + c] = f[c][n];
  }
  return result;
}

void Elimination::complete(std::span<double> displacement) const {
  const Dependences& of = mesh_.dependences;
  for (std::size_t i = 0; i < of.dependent.size(); ++i) {
    double sum = of.constant[i];
    for (std::int64_t k = of.start[i]; k < of.start[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      sum += of.factor[at] * displacement[static_cast<std::size_t>(of.independent[at])];
    }
    displacement[static_cast<std::size_t>(of.dependent[i])] = sum;
  }
}

std::vector<MotionsOfOther> Elimination::motions_of_others(const RigidMotions& motions) const {
  constexpr std::size_t most = 600;  // of which a dense matrix takes no time
  const Dependences& of = mesh_.dependences;
  const auto values = static_cast<std::size_t>(components * nodes_);
  std::vector<bool> in_element(static_cast<std::size_t>(nodes_));
  for_elements(mesh_, [&](std::int64_t, std::span<const std::int64_t> corners) {
    for (const std::int64_t node : corners) in_element[static_cast<std::size_t>(node)] = true;
  });
  std::vector<std::int32_t> which(values, -1);
  std::vector<MotionsOfOther> result;
  for (std::size_t number = 0; number < values; ++number) {
    if (in_element[number / components] || held_[number] != 0) continue;
    which[number] = static_cast<std::int32_t>(result.size());
    result.push_back({static_cast<std::int64_t>(number), {}});
  }
  const std::size_t count = result.size();
  if (count == 0 || count > most) return result;
  // The least squares of what dependent displacements of elements are off.
  using Six = std::array<double, RigidMotions::count>;
  std::vector<double> sums(count * count);
  std::vector<Six> right(count);
  const auto rigid = [&](std::size_t number) -> Six {
    const double* x = mesh_.coordinates.data() + components * (number / components);
    return motions.at({x[0], x[1], x[2]})[number % components];
  };
  for (std::size_t i = 0; i < of.dependent.size(); ++i) {
    const auto number = static_cast<std::size_t>(of.dependent[i]);
    if (!in_element[number / components]) continue;
    Six left = rigid(number);
    for (std::int64_t k = of.start[i]; k < of.start[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k), other = static_cast<std::size_t>(of.independent[at]);
      if (which[other] >= 0 || !in_element[other / components]) continue;
      const Six theirs = rigid(other);
      for (std::size_t m = 0; m < left.size(); ++m) left[m] -= of.factor[at] * theirs[m];
    }
    for (std::int64_t k = of.start[i]; k < of.start[i + 1]; ++k) {
      const auto a = static_cast<std::size_t>(k);
      const std::int32_t row = which[static_cast<std::size_t>(of.independent[a])];
      if (row < 0) continue;
      for (std::size_t m = 0; m < left.size(); ++m) right[static_cast<std::size_t>(row)][m] += of.factor[a] * left[m];
      for (std::int64_t l = of.start[i]; l < of.start[i + 1]; ++l) {
        const auto b = static_cast<std::size_t>(l);
        const std::int32_t column = which[static_cast<std::size_t>(of.independent[b])];
        if (column < 0) continue;
        sums[static_cast<std::size_t>(row) * count + static_cast<std::size_t>(column)] += of.factor[a] * of.factor[b];
      }
    }
  }
  // Elimination with the largest pivot left; what has none stays without motions.
  std::vector<double> before(count);
  for (std::size_t a = 0; a < count; ++a) before[a] = sums[a * count + a];
  std::vector<std::size_t> order;
  std::vector<bool> done(count);
  const auto share = [&](std::size_t a) { return before[a] > 0 ? sums[a * count + a] / before[a] : 0; };
  for (;;) {
    std::size_t pivot = count;
    for (std::size_t a = 0; a < count; ++a) {
      if (!done[a] && (pivot == count || share(a) > share(pivot))) pivot = a;
    }
    if (pivot == count || !(share(pivot) > 1e-10)) break;
    done[pivot] = true;
    order.push_back(pivot);
    for (std::size_t a = 0; a < count; ++a) {
      if (done[a] || sums[a * count + pivot] == 0) continue;
      const double factor = sums[a * count + pivot] / sums[pivot * count + pivot];
      for (std::size_t b = 0; b < count; ++b) sums[a * count + b] -= factor * sums[pivot * count + b];
      for (std::size_t m = 0; m < RigidMotions::count; ++m) right[a][m] -= factor * right[pivot][m];
    }
  }
  for (std::size_t step = order.size(); step-- > 0;) {
    const std::size_t a = order[step];
    Six& found = result[a].of;
    found = right[a];
    for (std::size_t later = step + 1; later < order.size(); ++later) {
      const std::size_t b = order[later];
      for (std::size_t m = 0; m < found.size(); ++m) found[m] -= sums[a * count + b] * result[b].of[m];
    }
    for (double& one : found) one /= sums[a * count + a];
  }
  return result;
}

ReducedOperator::ReducedOperator(std::unique_ptr<Operator<double>> whole,
                                 std::shared_ptr<const Elimination> elimination, const MeshMatrix<double>& reduced,
                                 int threads)
    : whole_(std::move(whole)),
      elimination_(std::move(elimination)),
      threads_(threads),
      moved_(whole_->grid(), threads),
      forces_(whole_->grid(), threads) {
  for (std::int64_t row = 0; row < reduced.pattern.rows(); ++row) {
    const Square a = diagonal_block(reduced, row);
    diagonal_.push_back({a(0, 0), a(0, 1), a(0, 2), a(1, 1), a(1, 2), a(2, 2)});
  }
}

double ReducedOperator::multiply(const Field<double>& x, Field<double>& y, double scale, bool add) const {
  elimination_->expand(x, moved_);
  const double dot = whole_->multiply(moved_, forces_, 1, false);
  elimination_->collect(forces_);
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::int64_t n = 0; n < grid().nodes(); ++n) {
    for (int c = 0; c < components; ++c) y[c][n] = (add ? y[c][n] : 0) + scale * forces_[c][n];
  }
  return dot;
}

double ReducedOperator::bytes() const {
  return whole_->bytes() + moved_.bytes() + forces_.bytes() +
         static_cast<double>(diagonal_.size() * sizeof(diagonal_[0]));
}

}  // namespace rooftop::elasticity
