#include "problem.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "data.hpp"
#include "steps.hpp"
#include "verify_diffusion.hpp"
#include "verify_transform.hpp"

namespace ft {
namespace {

Index whole_number(const nlohmann::json& parameters, const char* name, Index least, Index most) {
  const auto found = parameters.find(name);
  const std::string expected =
      ", expected a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (found == parameters.end())
    throw std::invalid_argument(std::string("parameter '") + name + "' is missing" + expected);
  if (!found->is_number_integer() || *found < least || *found > most) {
    throw std::invalid_argument(std::string("parameter '") + name + "' is " + found->dump() + expected);
  }
  return found->get<Index>();
}

bool yes(const nlohmann::json& parameters, const char* name, bool otherwise) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return otherwise;
  if (!found->is_boolean()) {
    throw std::invalid_argument(std::string("parameter '") + name + "' is " + found->dump() +
                                ", expected true or false");
  }
  return found->get<bool>();
}

}  // namespace

void Diffusion::set_up(const nlohmann::json& parameters, std::uint64_t /*seed*/, int threads) {
  verifier_.reset();
  constexpr Index longest = 1 << 16, most_points = Index{1} << 40;
  Problem p{};
  p.nx = whole_number(parameters, "nx", 1, longest);
  p.ny = whole_number(parameters, "ny", 1, longest);
  p.nz = whole_number(parameters, "nz", 1, longest);
  p.iterations = static_cast<int>(whole_number(parameters, "iterations", 0, 1'000'000));
  p.threads = threads;
  p.rank = rank_, p.ranks = ranks_;
  p.exchange.messages = yes(parameters, "messages", p.exchange.messages);
  p.exchange.pipelined = yes(parameters, "pipelined", p.exchange.pipelined);
  if (parameters.contains("pieces")) {
    p.exchange.pieces = static_cast<int>(whole_number(parameters, "pieces", 1, 4096));
  }
  asked_ = yes(parameters, "facts", false);
  p.timeline = &timeline_;
  p.digest = &digest_;
  if (p.size() > most_points) {
    throw std::invalid_argument("the grid has " + std::to_string(p.size()) + " points, expected at most " +
                                std::to_string(most_points));
  }
  field_ = rooftop::AlignedArray<Complex>(static_cast<std::size_t>(ranks_ == 1 ? p.size() : 0));
  checksums_ = rooftop::AlignedArray<Complex>(static_cast<std::size_t>(p.iterations));
  p.field = field_.data();
  p.checksums = checksums_.data();
  problem_ = p;
}

// The transform alone has its input here. Timed runs transform what the one before left, and are not to wait for U0 to
// be drawn again: values grow by the square root of N a run, to infinity and NaN after some 85 runs of 256^3.
// Arithmetic of SSE2 and later takes no longer for these, and rungs and FFTW were seen to take the same time on both;
// it does take longer for subnormal values, which nothing shrinks to.
void Diffusion::poison() {
  ++problem_.draws;
  timeline_.start();
  digest_ = {};
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(checksums_.begin(), checksums_.end(), Complex{nan, nan});
  if (ranks_ > 1) return;
  if (problem_.transform_only()) return draw_initial(problem_, problem_.field, problem_.threads);
#pragma omp parallel for num_threads(problem_.threads) schedule(static)
  for (Index i = 0; i < problem_.size(); ++i) problem_.field[i] = {nan, nan};
}

rooftop::Verdict Diffusion::verify(std::string_view algorithm) {
  if (!verifier_ && problem_.transform_only()) {
    verifier_ = std::make_unique<TransformVerifier>(problem_);
  } else if (!verifier_) {
    verifier_ = std::make_unique<DiffusionVerifier>(problem_);
  }
  return verifier_->check(algorithm);
}

nlohmann::json Diffusion::facts() {
  timeline_.stop();
  constexpr std::size_t most = 20'000;  // of more, nobody makes a picture
  const std::vector<Event>& events = timeline_.events();
  if (!asked_ && events.empty()) return nullptr;
  nlohmann::json told = {{"events", nlohmann::json::array()}};
  if (asked_) {
    told["checksums"] = nlohmann::json::array();
    for (const Complex& sum : checksums_) told["checksums"].push_back({sum.re, sum.im});
  }
  if (!asked_ && events.size() > most) return told;
  for (const Event& event : events) {
    told["events"].push_back({event.phase, event.transform, event.begin_ns, event.end_ns});
  }
  return told;
}

}  // namespace ft

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<ft::Diffusion>(); }
std::string_view experiment_name() { return "ft"; }
}  // namespace rooftop
