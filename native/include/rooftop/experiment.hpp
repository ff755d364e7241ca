/// The contract between the driver's main loop and the experiment it is linked with.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <rooftop/verdict.hpp>
#include <string_view>

namespace rooftop {

/// A problem and its verifier. Holds one case's data at a time.
class Experiment {
 public:
  Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  virtual ~Experiment() = default;

  /// Under MPI, before each set_up: this process is `rank` of `ranks` that hold the case together. Rank 0 verifies.
  virtual void set_ranks(int /*rank*/, int /*ranks*/) {}
  /// Allocates and fills the data of a case. Throws std::invalid_argument naming the parameter and its value.
  virtual void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) = 0;
  /// The problem that every rung takes, and its type's name as rungs write it in ROOFTOP_RUNG.
  [[nodiscard]] virtual const void* problem() const = 0;
  [[nodiscard]] virtual std::string_view problem_type() const = 0;
  /// Overwrites the output, so that a rung that leaves some of it untouched is caught; where rungs work in place, with
  /// their input.
  virtual void poison() = 0;
  /// Compares the output with an independent reference, by the tolerance of the algorithm that the rung named.
  [[nodiscard]] virtual Verdict verify(std::string_view algorithm) = 0;
  /// What else this rank knows of the result that was verified last, by name; null by default, on all ranks alike.
  /// Asked once after each verified run. "events", if any, are what the rank did when, shown by the report: a list of
  /// [phase, step, begin, end], the times in ns of one clock; "exchange" runs beside the other phases.
  [[nodiscard]] virtual nlohmann::json facts();
  /// Changes a right result in a way that verify() must catch. For the checks of labs; does nothing by default.
  virtual void spoil() {}
};

/// Defined once by each experiment, in its problem.cpp.
std::unique_ptr<Experiment> make_experiment();
/// The experiment's name: that of its folder.
std::string_view experiment_name();

}  // namespace rooftop
