/// The contract between the labs' driver and a lab: one shared module that holds every variant of one effect.
#pragma once

#include <cstdint>
#include <memory>
#include <rooftop/parameters.hpp>
#include <rooftop/rung.hpp>
#include <rooftop/verdict.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rooftop {

/// What a case has beside its parameters.
struct Setting {
  int threads = 1;
  std::uint64_t seed = 1;
  int rank = 0;  ///< Of an MPI program, whose rank 0 verifies.
  int ranks = 1;
};

/// A number beside the time. Its name ends with what it is, as in `read_bytes` or `wait_ns`; otherwise it is a count.
struct LabFigure {
  std::string name;
  double value = 0;
};

/// The data of one case, and the check of what a variant made of it. A class derived from it has
///   Parameters  a struct of what experiment.py may set
///   fields      its members, described by field()
///   checks()    the parameters on which the tests verify every variant: the smallest, and what is odd
///   a constructor from (const Parameters&, const Setting&)
/// and, where threads beside the first call MPI, `static constexpr bool mpi_from_all_threads = true`.
class ROOFTOP_VISIBLE Lab {
 public:
  Lab() = default;
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;
  virtual ~Lab() = default;

  /// Overwrites the result, so that a variant that leaves some of it untouched is caught.
  virtual void poison() = 0;
  /// Compares the result with what must come out, by the tolerance of the algorithm that the variant's work() names.
  [[nodiscard]] virtual Verdict verify(std::string_view algorithm) const = 0;
  /// Changes a right result in the smallest way that verify() must catch. Called by the tests alone.
  virtual void spoil() = 0;
  /// What this rank knows of the last run besides its time: what a prediction with `figure` is held against.
  [[nodiscard]] virtual std::vector<LabFigure> figures() const { return {}; }
};

/// One way to do a lab's work. Where it does not override work(), its limit is not known.
class ROOFTOP_VISIBLE LabRung : public Rung {
 public:
  [[nodiscard]] Work work() const override { return {}; }
};

/// A rung of the lab's ladder: NN-idea or NN-idea.ISA, and the idea in one sentence.
struct Variant {
  const char* name;
  const char* idea;
  Rung* (*create)(Lab& lab);
};

/// The contract's number: it rises with that of rungs, and where Lab changes.
inline constexpr std::uint32_t lab_abi = 5;

/// The one symbol that a lab exports, as `rooftop_lab`.
struct LabModule {
  std::uint32_t abi;  ///< Must equal lab_abi.
  const char* name;   ///< Of its folder below experiments/.
  std::span<const Field> fields;
  std::span<const Variant> variants;
  /// The values of all fields, for each case of the tests.
  std::vector<std::vector<ParameterValue>> (*checks)();
  Lab* (*create)(const std::vector<ParameterValue>& values, const Setting& setting);
  bool mpi_from_all_threads;  ///< Costs every message its locks.
};

namespace detail {

template <typename Made>
std::vector<std::vector<ParameterValue>> checks_of() {
  std::vector<std::vector<ParameterValue>> all;
  for (const typename Made::Parameters& parameters : Made::checks()) {
    auto& values = all.emplace_back();
    for (const Field& field : Made::fields) values.push_back(field.read(&parameters));
  }
  return all;
}

template <typename Made>
Lab* create_lab(const std::vector<ParameterValue>& values, const Setting& setting) {
  typename Made::Parameters parameters{};
  auto value = values.begin();
  for (const Field& field : Made::fields) field.write(&parameters, *value++);  // as many as there are fields
  return new Made(parameters, setting);
}

template <typename Made>
constexpr bool mpi_from_all_threads() {
  if constexpr (requires { Made::mpi_from_all_threads; }) return Made::mpi_from_all_threads;
  return false;
}

}  // namespace detail

/// The variant MADE, a rung that is constructible from OF&.
template <typename Made, typename Of>
constexpr Variant variant(const char* name, const char* idea) {
  return {name, idea, [](Lab& lab) -> Rung* { return new Made(static_cast<Of&>(lab)); }};
}

}  // namespace rooftop
