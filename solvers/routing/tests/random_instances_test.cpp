// Random instances come back from every form of a file as they were written.
// threads: none
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "rooftop/tsplib.hpp"
#include "tsplib_text.hpp"

namespace rooftop::routing::testing {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

std::string blank(Random& random) {
  constexpr const char* blanks[] = {" ", "  ", "\t", "\n", "\r\n", " \n ", "\n\n"};
  return blanks[below(random, std::size(blanks))];
}

std::string entry(Random& random, const std::string& key, const std::string& value) {
  constexpr const char* colons[] = {" : ", ": ", ":", " ", "\t:"};
  constexpr const char* ends[] = {"\n", "\r\n", " \n"};
  return key + colons[below(random, std::size(colons))] + value + ends[below(random, std::size(ends))];
}

/// As few digits as give the same double again.
std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

TEST(RandomInstances, MatricesComeBackFromEveryForm) {
  Random random(11);
  const std::string forms[] = {"FULL_MATRIX", "UPPER_ROW", "LOWER_ROW",      "UPPER_DIAG_ROW", "LOWER_DIAG_ROW",
                               "UPPER_COL",   "LOWER_COL", "UPPER_DIAG_COL", "LOWER_DIAG_COL"};
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + below(random, 70);
    const std::string& form = forms[below(random, std::size(forms))];
    const bool full = form == "FULL_MATRIX", asymmetric = full && below(random, 2) == 1;
    std::vector<std::int32_t> matrix(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j && !full && form.find("DIAG") == std::string::npos) continue;
        if (i > j || asymmetric || i == j) {
          matrix[i * n + j] = static_cast<std::int32_t>(below(random, 2000001)) - 1000000;
          if (!asymmetric) matrix[j * n + i] = matrix[i * n + j];
        }
      }
    }
    std::string numbers;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        // Rows of the upper triangle and columns of the lower one run to the right of the diagonal.
        const bool right = (form.find("UPPER") == 0) == (form.find("ROW") != std::string::npos);
        const bool inside = full || (right ? b > a : b < a) || (a == b && form.find("DIAG") != std::string::npos);
        if (inside) numbers += std::to_string(matrix[a * n + b]) + blank(random);
      }
    }
    const Instance instance =
        instance_of(entry(random, "TYPE", asymmetric ? "ATSP" : "TSP") + entry(random, "EDGE_WEIGHT_TYPE", "EXPLICIT") +
                    entry(random, "DIMENSION", std::to_string(n)) + entry(random, "EDGE_WEIGHT_FORMAT", form) +
                    "EDGE_WEIGHT_SECTION\n" + numbers + (below(random, 2) == 0 ? "EOF\n" : ""));
    ASSERT_EQ(instance.matrix, matrix) << form;
    ASSERT_EQ(instance.symmetric, !asymmetric);
  }
}

TEST(RandomInstances, CoordinatesComeBackToTheLastBit) {
  Random random(12);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + below(random, 100);
    std::uniform_real_distribution<double> value(-1000, 1000);
    const bool space = below(random, 2) == 1;
    std::vector<double> x(n), y(n), z(space ? n : 0);
    for (auto* column : {&x, &y, &z}) {
      for (double& v : *column) v = below(random, 4) == 0 ? std::round(value(random)) : value(random);
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    if (below(random, 2) == 0) std::shuffle(order.begin(), order.end(), random);
    std::string nodes;
    for (const std::size_t i : order) {
      nodes += std::to_string(i + 1) + blank(random) + shortest(x[i]) + blank(random) + shortest(y[i]) + blank(random);
      if (space) nodes += shortest(z[i]) + blank(random);
    }
    const Instance instance =
        instance_of(entry(random, "DIMENSION", std::to_string(n)) + entry(random, "TYPE", "TSP") +
                    entry(random, "EDGE_WEIGHT_TYPE", space ? "MAN_3D" : "EUC_2D") + "NODE_COORD_SECTION\n" + nodes);
    ASSERT_EQ(instance.x, x);
    ASSERT_EQ(instance.y, y);
    ASSERT_EQ(instance.z, z);
  }
}

}  // namespace
}  // namespace rooftop::routing::testing
