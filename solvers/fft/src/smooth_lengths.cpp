#include "smooth_lengths.hpp"

#include <algorithm>

namespace rooftop::fft::internal {

std::vector<Index> smooth_lengths(Index first, Index last) {
  std::vector<Index> lengths;
  for (Index sevens = 1; sevens <= last; sevens *= 7) {
    for (Index fives = sevens; fives <= last; fives *= 5) {
      for (Index threes = fives; threes <= last; threes *= 3) {
        for (Index length = threes; length <= last; length *= 2) {
          if (length >= first) lengths.push_back(length);
        }
      }
    }
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

}  // namespace rooftop::fft::internal
