#include "problem.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iomanip>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <rooftop/aligned.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/random.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "data.hpp"
#include "verify.hpp"

namespace winograd {
namespace {

// Rungs address an array with 32-bit offsets.
constexpr double largest_array = 2147483647.0;

int integer(const nlohmann::json& parameters, const char* name, int lowest, int highest) {
  const auto found = parameters.find(name);
  const std::string expected =
      ", expected an integer from " + std::to_string(lowest) + " to " + std::to_string(highest);
  if (found == parameters.end())
    throw std::invalid_argument(std::string("parameter '") + name + "' is missing" + expected);
  if (!found->is_number_integer() || *found < lowest || *found > highest) {
    throw std::invalid_argument(std::string("parameter '") + name + "' is " + found->dump() + expected);
  }
  return found->get<int>();
}

template <std::size_t Count>
int choice(const nlohmann::json& parameters, const char* name, const std::array<const char*, Count>& values) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return 0;
  std::string expected;
  for (std::size_t i = 0; i < Count; ++i) {
    if (*found == values[i]) return static_cast<int>(i);
    expected += (i == 0 ? "" : i + 1 == Count ? " or " : ", ") + std::string(values[i]);
  }
  throw std::invalid_argument(std::string("parameter '") + name + "' is " + found->dump() + ", expected " + expected);
}

class Winograd : public rooftop::Experiment {
 public:
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override {
    verifier_.reset();
    Problem p{};
    constexpr int most = 1 << 20;
    p.c = integer(parameters, "c", 1, most);
    p.k = integer(parameters, "k", 1, most);
    p.n = integer(parameters, "n", 1, most);
    p.padding = parameters.contains("padding") ? integer(parameters, "padding", 0, 1) : 0;
    p.h = integer(parameters, "h", 3 - 2 * p.padding, most);
    p.w = integer(parameters, "w", 3 - 2 * p.padding, most);
    p.layout = static_cast<Layout>(choice<2>(parameters, "layout", {"nchw", "blocked"}));
    p.filter_terms = static_cast<Filter>(choice<2>(parameters, "filter", {"timed", "prepared"}));
    p.accuracy = parameters.contains("accuracy")
                     ? static_cast<Accuracy>(choice<3>(parameters, "accuracy", {"strict", "balanced", "relaxed"}))
                     : Accuracy::balanced;
    p.instructions = static_cast<Instructions>(choice<2>(parameters, "instructions", {"any", "avx2"}));
    const bool structured = choice<2>(parameters, "data", {"random", "structured"}) == 1;
    p.threads = threads;

    const double image = 1.0 * p.n * p.c * p.h * p.w;
    const double filter = 9.0 * p.k * p.c;
    const double output = 1.0 * p.n * p.k * p.out_h() * p.out_w();
    if (const double largest = std::max({image, filter, output}); largest > largest_array) {
      std::ostringstream message;  // more than any integer holds, perhaps
      message << "the case's largest array has " << std::setprecision(15) << largest
              << " elements, expected at most 2147483647";
      throw std::invalid_argument(message.str());
    }
    image_ = rooftop::AlignedArray<float>(static_cast<std::size_t>(image));
    filter_ = rooftop::AlignedArray<float>(static_cast<std::size_t>(filter));
    output_ = rooftop::AlignedArray<float>(static_cast<std::size_t>(output));
    // Independent streams of one seed.
    const std::uint64_t image_seed = 2 * seed;
    const std::uint64_t filter_seed = 2 * seed + 1;
    if (structured) {
      fill_structured(image_.span(), p.h, p.w, image_seed);
      fill_structured(filter_.span(), 3, 3, filter_seed);
    } else {
      rooftop::fill_uniform(image_.span(), image_seed);
      rooftop::fill_uniform(filter_.span(), filter_seed);
    }
    p.image = image_.data();
    p.filter = filter_.data();
    p.output = output_.data();
    problem_ = p;
  }

  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "winograd::Problem"; }

  void poison() override {
#pragma omp parallel for schedule(static)
    for (float& value : output_) value = std::bit_cast<float>(poison_bits);
  }

  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override {
    if (!verifier_) verifier_.emplace(problem_);
    return verifier_->check(algorithm);
  }

 private:
  Problem problem_{};
  rooftop::AlignedArray<float> image_, filter_, output_;
  std::optional<Verifier> verifier_;
};

}  // namespace
}  // namespace winograd

namespace rooftop {

std::unique_ptr<Experiment> make_experiment() { return std::make_unique<winograd::Winograd>(); }
std::string_view experiment_name() { return "winograd"; }

}  // namespace rooftop
