/// What a verification found.
#pragma once

#include <string>
#include <utility>

namespace rooftop {

/// The outcome of a verification. `error` is in the experiment's own dimensionless measure.
struct Verdict {
  bool ok = false;
  double error = 0;
  double tolerance = 0;
  std::string message;  ///< What is wrong and where, empty when ok.
};

/// The verdict on a result that must be exact, from what is wrong with it: nothing if it is empty.
[[nodiscard]] inline Verdict exact(std::string wrong) {
  const bool ok = wrong.empty();
  return {.ok = ok, .error = ok ? 0.0 : 1.0, .tolerance = 0, .message = std::move(wrong)};
}

}  // namespace rooftop
