/// The smallest problem there is: double every element.
#pragma once

#include <cstddef>

namespace fake {

struct Problem {
  std::size_t size;
  int threads;
  const double* in;
  double* out;  ///< size values, out[i] = 2 in[i]
};

}  // namespace fake
