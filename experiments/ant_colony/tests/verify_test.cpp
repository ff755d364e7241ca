// threads: none, but the verifier's, which every check of a rung starts
#include "verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "data.hpp"
#include "lower_bound.hpp"

namespace {

using ants::City;
using ants::Length;

/// A case with a good tour in place: along the nearest neighbour, then by exchanges of two edges.
class VerifyTours : public testing::Test {
 protected:
  VerifyTours() {
    experiment_.set_up({{"cities", 60}, {"tours", 64}}, 1, 1);
    p_ = static_cast<const ants::Problem*>(experiment_.problem());
    std::iota(p_->tour, p_->tour + 60, 0);
    for (int i = 1; i < 60; ++i) {
      std::swap(p_->tour[i], *std::min_element(p_->tour + i, p_->tour + 60, [&](City a, City b) {
                  return ants::distance(*p_, p_->tour[i - 1], a) < ants::distance(*p_, p_->tour[i - 1], b);
                }));
    }
    for (bool better = true; better;) {
      better = false;
      for (int i = 0; i + 2 < 60; ++i) {
        for (int j = i + 2; j < 60; ++j) {
          const Length before = ants::tour_length(*p_, p_->tour);
          std::reverse(p_->tour + i + 1, p_->tour + j + 1);
          if (ants::tour_length(*p_, p_->tour) < before) {
            better = true;
          } else {
            std::reverse(p_->tour + i + 1, p_->tour + j + 1);
          }
        }
      }
    }
    claim();
  }
  void claim() { *p_->length = ants::tour_length(*p_, p_->tour); }
  /// The message about a tour that is wrong by itself.
  std::string wrong() {
    const auto verdict = experiment_.verify("construction among all");
    EXPECT_FALSE(verdict.ok);
    return verdict.message;
  }

  ants::Tours experiment_;
  const ants::Problem* p_ = nullptr;
};

TEST_F(VerifyTours, GoodTourIsOk) {
  const auto verdict = experiment_.verify("construction");
  EXPECT_TRUE(verdict.ok) << verdict.message;
  EXPECT_GT(verdict.error, 0);
}

TEST_F(VerifyTours, UntouchedResultIsCaught) {
  experiment_.poison();
  EXPECT_NE(wrong().find("city -1"), std::string::npos);
}

TEST_F(VerifyTours, CityTwiceAndOneMissingIsCaught) {
  for (int i = 0; i < 60; ++i) {
    const City kept = p_->tour[i];
    p_->tour[i] = p_->tour[(i + 7) % 60];
    claim();
    EXPECT_NE(wrong().find("which is also at place"), std::string::npos) << i;
    p_->tour[i] = kept;
  }
}

TEST_F(VerifyTours, CityOutOfRangeIsCaught) {
  const City kept = p_->tour[59];
  for (const City city : {60, -2, std::numeric_limits<City>::max()}) {
    p_->tour[59] = city;
    EXPECT_NE(wrong().find("expected 0 to 59"), std::string::npos) << city;
  }
  p_->tour[59] = kept;
  EXPECT_TRUE(experiment_.verify("construction").ok);
}

TEST_F(VerifyTours, WrongLengthIsCaught) {
  for (const Length off : {-1, 1}) {
    claim();
    *p_->length += off;
    EXPECT_NE(wrong().find("was said to be"), std::string::npos) << off;
  }
  // A length of float's precision, or of distances that are not rounded.
  claim();
  double unrounded = 0;
  for (int i = 0; i < 60; ++i) {
    const City a = p_->tour[i], b = p_->tour[(i + 1) % 60];
    unrounded += std::hypot(p_->x[a] - p_->x[b], p_->y[a] - p_->y[b]);
  }
  ASSERT_NE(*p_->length, std::llround(unrounded));
  *p_->length = std::llround(unrounded);
  EXPECT_NE(wrong().find("was said to be"), std::string::npos);
}

TEST_F(VerifyTours, OpenPathIsCaught) {
  *p_->length -= ants::distance(*p_, p_->tour[59], p_->tour[0]);
  EXPECT_NE(wrong().find("was said to be"), std::string::npos);
}

TEST_F(VerifyTours, PoorTourIsCaught) {
  std::iota(p_->tour, p_->tour + 60, 0);
  claim();
  for (const char* algorithm :
       {"construction among all", "construction", "local search", "variable depth", "focused", "solver"}) {
    const auto verdict = experiment_.verify(algorithm);
    EXPECT_FALSE(verdict.ok) << algorithm;
    EXPECT_NE(verdict.message.find("times the lower bound"), std::string::npos);
  }
}

TEST_F(VerifyTours, NearestNeighboursAreNoLocalSearch) {
  std::iota(p_->tour, p_->tour + 60, 0);
  for (int i = 1; i < 60; ++i) {
    std::swap(p_->tour[i], *std::min_element(p_->tour + i, p_->tour + 60, [&](City a, City b) {
                return ants::distance(*p_, p_->tour[i - 1], a) < ants::distance(*p_, p_->tour[i - 1], b);
              }));
  }
  claim();
  EXPECT_FALSE(experiment_.verify("local search").ok);
}

TEST_F(VerifyTours, UnknownAlgorithmIsRefused) { EXPECT_FALSE(experiment_.verify("guessing").ok); }

TEST_F(VerifyTours, FactsTellTheLedger) {
  experiment_.poison();
  EXPECT_TRUE(p_->ledger->timed);
  p_->ledger->allocations += 7;
  EXPECT_EQ(experiment_.facts()["figures"]["allocations"], 7);
  EXPECT_FALSE(p_->ledger->timed);
}

TEST_F(VerifyTours, FactsTellTheGapToTheBestKnownTour) {
  EXPECT_TRUE(experiment_.verify("construction among all").ok);
  EXPECT_FALSE(experiment_.facts()["figures"].contains("gap_to_best_known_percent"));
  const Length length = *p_->length;
  const std::vector<City> tour(p_->tour, p_->tour + 60);
  experiment_.set_up({{"cities", 60}, {"tours", 64}, {"best_known", length / 2}}, 1, 1);
  std::ranges::copy(tour, p_->tour);
  claim();
  EXPECT_TRUE(experiment_.verify("construction among all").ok);
  EXPECT_NEAR(experiment_.facts()["figures"]["gap_to_best_known_percent"], 100, 0.01);
}

TEST(HeldKarpBound, IsBelowTheShortestTourAndNearIt) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    ants::Tours experiment;
    experiment.set_up({{"cities", 8}, {"tours", 64}}, seed, 1);
    const auto& p = *static_cast<const ants::Problem*>(experiment.problem());
    std::vector<City> tour(8);
    std::iota(tour.begin(), tour.end(), 0);
    Length shortest = ants::tour_length(p, tour.data());
    while (std::next_permutation(tour.begin() + 1, tour.end())) {
      shortest = std::min(shortest, ants::tour_length(p, tour.data()));
    }
    const double bound = ants::held_karp_bound(p, 200);
    EXPECT_LE(bound, static_cast<double>(shortest) * (1 + 1e-12));
    EXPECT_GE(bound, 0.95 * static_cast<double>(shortest));
  }
}

TEST(HeldKarpBound, OfManyUniformCitiesIsAsKnown) {
  ants::Tours experiment;
  experiment.set_up({{"cities", 1000}, {"tours", 64}}, 1, 1);
  const auto& p = *static_cast<const ants::Problem*>(experiment.problem());
  // 0.7080 (1 + 0.551 / n) sqrt(n area): Johnson and McGeoch 2002.
  const double expected = 0.7080 * (1 + 0.551 / 1000) * std::sqrt(1000.0) * 1e6;
  EXPECT_NEAR(ants::held_karp_bound(p, 120) / expected, 1, 0.06);
}

TEST(HeldKarpBound, ComesAndGoesBetweenTwoClusters) {
  // Two rings of 40 cities with a radius of 1000, a million apart: the shortest tour crosses between them twice, and
  // follows each ring but for one edge.
  constexpr int ring = 40;
  std::vector<double> x(2 * ring), y(2 * ring);
  for (int i = 0; i < 2 * ring; ++i) {
    const double angle = 2 * 3.141592653589793 * i / ring;
    x[ants::at(i)] = std::round(1000 * std::cos(angle)) + (i < ring ? 0 : 1e6);
    y[ants::at(i)] = std::round(1000 * std::sin(angle));
  }
  ants::Problem p{};
  p.cities = 2 * ring, p.x = x.data(), p.y = y.data();
  const double edge = 2000 * std::sin(3.141592653589793 / ring);
  const double shortest = 2 * (ring - 1) * edge + 2 * (1e6 - 2000);
  const double bound = ants::held_karp_bound(p, 300);
  EXPECT_LE(bound, shortest * 1.003);
  EXPECT_GE(bound, shortest * 0.99);
}

TEST(HeldKarpBound, OfCitiesAtOnePointIsZero) {
  const std::vector<double> x(9, 7);
  ants::Problem p{};
  p.cities = 9, p.x = x.data(), p.y = x.data();
  EXPECT_EQ(ants::held_karp_bound(p, 20), 0);
}

TEST(ToursSetUp, RefusesWhatMakesNoSense) {
  ants::Tours experiment;
  for (const auto& parameters :
       {nlohmann::json::object(), nlohmann::json{{"cities", 7}, {"tours", 64}}, nlohmann::json{{"cities", 100}},
        nlohmann::json{{"cities", 100}, {"tours", 0}}, nlohmann::json{{"cities", 100}, {"tours", 65}},
        nlohmann::json{{"cities", 1.5}, {"tours", 64}},
        nlohmann::json{{"cities", 100}, {"tours", 64}, {"layout", "rings"}},
        nlohmann::json{{"cities", 100}, {"tours", 64}, {"best_known", 0}},
        nlohmann::json{{"published", "pr1002"}, {"tours", 64}}}) {
    EXPECT_THROW(experiment.set_up(parameters, 1, 1), std::invalid_argument) << parameters;
  }
}

TEST(ToursSetUp, TakesTheCitiesThatAreGiven) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6, 7, 1'000'000}, y{8, 8, 8, 0, 0, 0, 9, 9, 9};
  ants::Tours experiment;
  experiment.set_up({{"x", x}, {"y", y}, {"tours", 64}, {"published", "nine"}}, 1, 1);
  const auto& p = *static_cast<const ants::Problem*>(experiment.problem());
  EXPECT_EQ(p.cities, 9);
  EXPECT_TRUE(std::equal(x.begin(), x.end(), p.x) && std::equal(y.begin(), y.end(), p.y));
  const nlohmann::json nan = nullptr;  // as JSON has what is no number
  for (const auto& wrong :
       {nlohmann::json{1, 2, 3, 4, 5, 6, 7}, nlohmann::json{0, 1, 2, 3, 4, 5, 6, 7, 0.5}, nlohmann::json("all"),
        nlohmann::json{0, 1, 2, 3, 4, 5, 6, 7, -1}, nlohmann::json{0, 1, 2, 3, 4, 5, 6, 7, 1'000'001},
        nlohmann::json{0, 1, 2, 3, 4, 5, 6, 7, nan}, nlohmann::json{0, 1, 2, 3, 4, 5, 6, 7}}) {
    const nlohmann::json parameters = {{"x", x}, {"y", wrong}, {"tours", 64}};
    EXPECT_THROW(experiment.set_up(parameters, 1, 1), std::invalid_argument) << wrong;
  }
}

TEST(ToursSetUp, IsTheSameForASeed) {
  ants::Tours one, other;
  const nlohmann::json parameters = {{"cities", 500}, {"tours", 64}, {"layout", "clustered"}};
  one.set_up(parameters, 3, 1);
  other.set_up(parameters, 3, 2);
  const auto& a = *static_cast<const ants::Problem*>(one.problem());
  const auto& b = *static_cast<const ants::Problem*>(other.problem());
  EXPECT_TRUE(std::equal(a.x, a.x + 500, b.x) && std::equal(a.y, a.y + 500, b.y));
  other.set_up(parameters, 4, 1);
  EXPECT_FALSE(std::equal(a.x, a.x + 500, b.x));
}

}  // namespace
