// threads: none, but the verifier's, which every check of a rung starts
#include "listed_body.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <rooftop/random.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "data.hpp"
#include "forces.hpp"
#include "verify.hpp"

namespace {

using elasticity_solution::components;
using elasticity_solution::Index;
using elasticity_solution::Problem;
using elasticity_solution::Tetrahedron;

constexpr const char* algorithm = "preconditioned conjugate gradients";

const Problem& problem_of(const elasticity_solution::Solution& experiment) {
  return *static_cast<const Problem*>(experiment.problem());
}

/// A box of tetrahedra as a list of them.
nlohmann::json listed(const Problem& box) {
  const auto size = static_cast<std::size_t>(components * box.mesh.nodes());
  std::vector<Index> corner, held;
  for (Index k = 0; k + 1 < box.mesh.nz; ++k) {
    for (Index j = 0; j + 1 < box.mesh.ny; ++j) {
      for (Index i = 0; i + 1 < box.mesh.nx; ++i) {
        for (const auto& one : elasticity_solution::tetrahedra) {
          for (const std::size_t a : one) corner.push_back(box.mesh.corners_of(i, j, k)[a]);
        }
      }
    }
  }
  for (std::size_t at = 0; at < size; ++at) {
    if (box.held[at] != 0) held.push_back(static_cast<Index>(at));
  }
  return {{"mesh", "listed"},
          {"coordinates", std::vector<double>(box.coordinates, box.coordinates + size)},
          {"tetrahedra", corner},
          {"load", std::vector<double>(box.load, box.load + size)},
          {"held", held}};
}

/// The same body twice: as a box, and as a list.
class Listed : public testing::Test {
 protected:
  Listed() {
    box_.set_up({{"nx", 4}, {"ny", 3}, {"nz", 5}, {"mesh", "tetrahedra"}}, 7, 1);
    body_ = listed(b_);
    experiment_.set_up(body_, 1, 1);
  }

  elasticity_solution::Solution box_, experiment_;
  const Problem &b_ = problem_of(box_), &p_ = problem_of(experiment_);
  nlohmann::json body_;
};

TEST_F(Listed, HasTheForcesAndVolumesOfTheBox) {
  const auto size = static_cast<std::size_t>(components * p_.mesh.nodes());
  ASSERT_EQ(p_.mesh.nodes(), b_.mesh.nodes());
  EXPECT_EQ(p_.mesh.elements(), 6 * b_.mesh.elements());
  std::vector<double> u(size);
  rooftop::fill_uniform(std::span<double>(u), 5);
  const auto force = elasticity_solution::forces(p_, u.data()), expected = elasticity_solution::forces(b_, u.data());
  for (std::size_t at = 0; at < size; ++at) EXPECT_NEAR(force[at], expected[at], 1e-12) << at;
  const auto volume = elasticity_solution::volumes(p_), of_box = elasticity_solution::volumes(b_);
  for (std::size_t node = 0; node < volume.size(); ++node) EXPECT_NEAR(volume[node], of_box[node], 1e-13) << node;
}

TEST_F(Listed, ExactDisplacementIsOkAndErrorsAreCaught) {
  const Index size = components * p_.mesh.nodes();
  for (Index at = 0; at < size; ++at)
    p_.displacement[at] = elasticity_solution::exact(p_, at / components, static_cast<int>(at % components));
  const auto verdict = experiment_.verify(algorithm);
  EXPECT_TRUE(verdict.ok) << verdict.message;
  EXPECT_LT(verdict.error, 1e-14);
  const double last = p_.displacement[size - 1];
  p_.displacement[size - 1] = last * (1 + 1e-6);
  EXPECT_FALSE(experiment_.verify(algorithm).ok);
  p_.displacement[size - 1] = last;
  p_.displacement[0] = 1e-6;
  EXPECT_FALSE(experiment_.verify(algorithm).ok);
  p_.displacement[0] = 0;
  for (Index at = 0; at < size; ++at) p_.displacement[at] *= 1 - 2e-8;
  EXPECT_FALSE(experiment_.verify(algorithm).ok);
  experiment_.poison();
  EXPECT_FALSE(experiment_.verify(algorithm).ok);
}

TEST_F(Listed, IsTheSameInAFile) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const std::string name = (folder / ("body" + std::to_string(std::random_device{}()) + ".json")).string();
  std::ofstream(name) << body_;
  elasticity_solution::Solution other;
  other.set_up({{"mesh", "listed"}, {"file", name}}, 1, 1);
  const Problem& q = problem_of(other);
  EXPECT_TRUE(std::equal(q.load, q.load + components * q.mesh.nodes(), p_.load));
  EXPECT_TRUE(std::ranges::equal(q.mesh.listed, p_.mesh.listed));
  std::ofstream(name) << "[1, 2";
  EXPECT_THROW(other.set_up({{"mesh", "listed"}, {"file", name}}, 1, 1), std::invalid_argument);
  std::filesystem::remove(name);
  EXPECT_THROW(other.set_up({{"mesh", "listed"}, {"file", name}}, 1, 1), std::invalid_argument);
  EXPECT_THROW(other.set_up({{"mesh", "listed"}, {"file", 1}}, 1, 1), std::invalid_argument);
}

TEST_F(Listed, HasNoLoadWhereItIsHeld) {
  body_["load"][0] = 5;
  experiment_.set_up(body_, 1, 1);
  ASSERT_EQ(p_.held[0], 1);
  EXPECT_EQ(p_.load[0], 0);
}

TEST_F(Listed, RefusesWhatIsNoBody) {
  const Index nodes = p_.mesh.nodes();
  const auto refuses = [](const nlohmann::json& wrong) {
    elasticity_solution::Solution experiment;
    EXPECT_THROW(experiment.set_up(wrong, 1, 1), std::invalid_argument);
  };
  for (const char* name : {"coordinates", "tetrahedra", "load", "held"}) {
    nlohmann::json wrong = body_;
    wrong.erase(name);
    refuses(wrong);
    wrong[name] = "many";
    refuses(wrong);
    wrong[name] = {"one"};
    refuses(wrong);
  }
  for (const char* name : {"coordinates", "tetrahedra", "load"}) {
    nlohmann::json wrong = body_;
    wrong[name].erase(0);
    refuses(wrong);
    wrong[name] = nlohmann::json::array();
    refuses(wrong);
  }
  for (const nlohmann::json& node : {nlohmann::json(nodes), nlohmann::json(-1), nlohmann::json(0.5)}) {
    nlohmann::json wrong = body_;
    wrong["tetrahedra"][3] = node;
    refuses(wrong);
  }
  nlohmann::json wrong = body_;
  wrong["held"].push_back(components * nodes);
  refuses(wrong);
  wrong = body_;
  std::swap(wrong["tetrahedra"][0], wrong["tetrahedra"][1]);
  refuses(wrong);
  wrong = body_;
  for (const double apart : {1, 2, 3}) wrong["coordinates"].push_back(apart), wrong["load"].push_back(0);
  refuses(wrong);
  wrong = body_;
  for (auto& force : wrong["load"]) force = 0;
  refuses(wrong);
}

}  // namespace
