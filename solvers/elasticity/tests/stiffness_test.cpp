// Stiffness that depends on directions: of all elements, of each, or of each point of integration.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "element_kinds.hpp"
#include "mixed_mesh.hpp"
#include "rooftop/elasticity.hpp"

namespace {

using elasticity_test::Kind;
using elasticity_test::Mixed;
using elasticity_test::mixed;
using rooftop::elasticity::InvalidInput;
using rooftop::elasticity::Mesh;
using rooftop::elasticity::Options;
using rooftop::elasticity::stiffness_values;
using Stiffness = std::array<double, stiffness_values>;

/// Young's modulus and Poisson's ratio as a matrix, column by column.
Stiffness isotropic(double young, double poisson) {
  const double lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), shear = young / (2 * (1 + poisson));
  Stiffness result{};
  std::size_t value = 0;
  for (std::size_t c = 0; c < 6; ++c) {
    for (std::size_t r = 0; r <= c; ++r) {
      result[value++] = c < 3 ? lame + (r == c ? 2 * shear : 0) : r == c ? shear : 0;
    }
  }
  return result;
}

/// One with all 21 values.
Stiffness in_all_directions(double size) {
  Stiffness result = isotropic(size, 0.3);
  for (std::size_t v = 0; v < result.size(); ++v) result[v] += size * 0.01 * static_cast<double>(v % 5);
  return result;
}

std::vector<double> solved(const Mesh& mesh) {
  std::vector<double> displacement(mesh.coordinates.size());
  Options options;
  options.threads = 2;
  options.tolerance = 1e-12;
  EXPECT_EQ(solve(mesh, options, displacement).outcome, rooftop::elasticity::Outcome::converged);
  return displacement;
}

/// A mesh whose nodes are pulled in ways that differ.
Mixed pulled(std::array<std::int64_t, 3> nodes, Kind kind) {
  Mixed result = mixed(nodes, kind);
  for (std::size_t v = 0; v < result.load.size(); ++v) result.load[v] = static_cast<double>(v * 7 % 11) - 5;
  return result;
}

double difference(const std::vector<double>& one, const std::vector<double>& other) {
  double largest = 0, size = 0;
  for (std::size_t v = 0; v < one.size(); ++v) {
    largest = std::max(largest, std::abs(one[v] - other[v]));
    size = std::max(size, std::abs(one[v]));
  }
  return largest / size;
}

void append(const Stiffness& one, std::size_t times, std::vector<double>& to) {
  for (; times > 0; --times) to.insert(to.end(), one.begin(), one.end());
}

TEST(Stiffness, IsotropicOneIsYoungAndPoisson) {
  const Mixed body = pulled({5, 4, 6}, Kind::both);
  Mesh mesh = body.mesh();
  const double poisson = mesh.poisson[0];
  const std::vector<double> expected = solved(mesh);
  mesh.young = mesh.poisson = {};
  const Stiffness one = isotropic(1, poisson);
  mesh.stiffness = one;
  EXPECT_LT(difference(expected, solved(mesh)), 1e-10);
  mesh.stiffness = {};
  const std::size_t hexahedra = body.hexahedra.size() / 8, tetrahedra = body.tetrahedra.size() / 4;
  std::vector<double> young, each;
  for (std::size_t e = 0; e < hexahedra + tetrahedra; ++e) {
    young.push_back(1 + static_cast<double>(e % 7));
    append(isotropic(young.back(), poisson), 1, each);
  }
  mesh.young = young;
  mesh.poisson = body.box.poisson;
  const std::vector<double> of_elements = solved(mesh);
  mesh.stiffness = each;
  EXPECT_LT(difference(of_elements, solved(mesh)), 1e-10);
  std::vector<double> points;
  for (std::size_t e = 0; e < young.size(); ++e) append(isotropic(young[e], poisson), e < hexahedra ? 8 : 1, points);
  mesh.stiffness = points;
  EXPECT_LT(difference(of_elements, solved(mesh)), 1e-10);
}

TEST(Stiffness, OfPointsThatAreAlikeIsThatOfTheElement) {
  const Mixed body = pulled({4, 4, 5}, Kind::both);
  Mesh mesh = body.mesh();
  std::vector<double> each, points;
  const std::size_t hexahedra = body.hexahedra.size() / 8, tetrahedra = body.tetrahedra.size() / 4;
  for (std::size_t e = 0; e < hexahedra + tetrahedra; ++e) {
    const Stiffness one = in_all_directions(1 + static_cast<double>(e % 5));
    append(one, 1, each);
    append(one, e < hexahedra ? 8 : 1, points);
  }
  mesh.stiffness = each;
  const std::vector<double> expected = solved(mesh);
  mesh.stiffness = points;
  EXPECT_LT(difference(expected, solved(mesh)), 1e-10);
}

// Forces and stiffness of 1e250 are no more than their ratio.
TEST(Stiffness, MayBeLarge) {
  const Mixed body = pulled({4, 3, 4}, Kind::both);
  Mesh mesh = body.mesh();
  const Stiffness small = in_all_directions(1);
  mesh.stiffness = small;
  const std::vector<double> expected = solved(mesh);
  const Stiffness large = in_all_directions(1e250);
  mesh.stiffness = large;
  std::vector<double> load(body.load);
  for (double& value : load) value *= 1e250;
  mesh.load = load;
  EXPECT_LT(difference(expected, solved(mesh)), 1e-10);
}

TEST(Stiffness, BadOnesAreRefused) {
  const Mixed body = pulled({3, 3, 3}, Kind::hexahedra);
  const auto refusal = [&](const std::vector<double>& stiffness) {
    Mesh mesh = body.mesh();
    mesh.stiffness = stiffness;
    std::vector<double> displacement(mesh.coordinates.size());
    try {
      (void)solve(mesh, {}, displacement);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const Stiffness good = in_all_directions(1);
  std::vector<double> given(good.begin(), good.end());
  given.pop_back();
  const std::string expected =
      " values; expected 21 for all elements, for each of 8, or for each of their 64 points of integration";
  EXPECT_EQ(refusal(given), "stiffness has 20" + expected);
  given.clear();
  append(good, 2, given);
  EXPECT_EQ(refusal(given), "stiffness has 42" + expected);
  given.clear();
  append(good, 8, given);
  EXPECT_EQ(refusal(given), "accepted");
  given[21 * 3 + 1] = 10;  // of xx and yy
  EXPECT_EQ(refusal(given), "stiffness 3 is not positive definite; expected one under which every strain takes energy");
  given[21 * 3 + 1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(given), "stiffness[64] is inf; expected a finite number");
  given.assign(stiffness_values, 0);
  EXPECT_EQ(refusal(given).substr(0, 35), "stiffness 0 is not positive definit");
}

}  // namespace
