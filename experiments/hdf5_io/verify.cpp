/// Every value that was read, against the formula by which the file was written. Nothing is rounded on the way.
#include <stdexcept>
#include <string>

#include "data.hpp"

namespace hdf5_io {

rooftop::Verdict Reading::verify(std::string_view algorithm) {
  if (algorithm != "exact") {
    throw std::invalid_argument("algorithm '" + std::string(algorithm) + "' has no tolerance: expected 'exact'");
  }
  const Parameters& p = problem_.parameters;
  rooftop::Verdict verdict{.ok = true, .error = 0, .tolerance = 0, .message = ""};
  std::int64_t wrong = 0, k = 0;
  for (std::int64_t row = 0; row < p.rows; ++row) {
    for (std::int64_t block = 0; block < p.blocks(); ++block) {
      for (std::int64_t i = 0; i < p.block; ++i, ++k) {
        const std::int64_t column = block * p.stride + i;
        const float expected = value(static_cast<std::uint64_t>(row * p.columns + column));
        if (problem_.out[k] == expected) continue;
        if (wrong++ == 0) {
          verdict.message = "element " + std::to_string(column) + " of row " + std::to_string(row) + " is " +
                            std::to_string(problem_.out[k]) + ", expected " + std::to_string(expected);
        }
      }
    }
  }
  verdict.ok = wrong == 0;
  verdict.error = static_cast<double>(wrong) / static_cast<double>(p.selected());
  return verdict;
}

}  // namespace hdf5_io
