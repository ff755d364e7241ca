#include "line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace rooftop::fft::internal {
namespace {

/// Odd factors one by one, 2s together in as few passes of at most 16 as there can be, alike in size.
std::vector<int> radices_of(Index n) {
  std::vector<int> radices;
  for (const int factor : {7, 5, 3}) {
    for (; n % factor == 0; n /= factor) radices.push_back(factor);
  }
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  for (int passes = (twos + 3) / 4; passes > 0; --passes) {
    const int here = (twos + passes - 1) / passes;
    radices.push_back(1 << here);
    twos -= here;
  }
  return radices;
}

/// exp(-2 pi i place / n), in more than double precision until it is rounded
struct Root {
  double re, im;
};
Root root_of_unity(Index place, Index n) {
  const long double turn = static_cast<long double>(place % n) / static_cast<long double>(n);
  const long double angle = 2 * std::numbers::pi_v<long double> * turn;
  return {static_cast<double>(std::cos(angle)), static_cast<double>(-std::sin(angle))};
}

/// What a butterfly does, as butterflies-inl.hpp has it.
Operations butterfly_operations(int radix) {
  switch (radix) {
    case 2:
      return {4, 0};
    case 4:
      return {16, 0};
    case 8:
      return {56, 0};
    case 16:
      return {153, 16};
    default: {
      const double half = (radix - 1) / 2;
      return {10 * half, 8 * half * half};
    }
  }
}

}  // namespace

Operations Line::operations() const {
  Operations sum;
  for (const Pass& pass : passes) {
    const double count = static_cast<double>(n) / pass.radix;
    const double products = pass.rest > 1 ? pass.radix - 1 : 0;
    const Operations one = butterfly_operations(pass.radix);
    sum.lone += count * (one.lone + 2 * products);
    sum.fused += count * (one.fused + 4 * products);
  }
  return sum;
}

bool transformable(Index n) {
  if (n < 1) return false;
  for (const Index factor : {2, 3, 5, 7}) {
    for (; n % factor == 0; n /= factor) {
    }
  }
  return n == 1;
}

Line make_line(Index n) {
  Line line;
  line.n = n;
  Index length = n, groups = 1;
  for (const int radix : radices_of(n)) {
    Pass pass{radix, length / radix, groups, {}};
    for (Index row = 0; row < pass.rest && pass.rest > 1; ++row) {
      for (int k = 1; k < radix; ++k) {
        const Root root = root_of_unity(row * k, length);
        pass.roots.push_back(root.re);
        pass.roots.push_back(root.im);
      }
    }
    line.passes.push_back(std::move(pass));
    length /= radix;
    groups *= radix;
  }
  if (line.passes.empty()) return line;
  const Index last_groups = line.passes.back().groups;
  line.places.resize(static_cast<std::size_t>(last_groups));
  for (Index group = 0; group < last_groups; ++group) {
    // A group's number has one digit for each pass before, the first the most significant; a place the other way round.
    Index place = 0, unit = 1, below = last_groups, left = group;
    for (std::size_t i = 0; i + 1 < line.passes.size(); ++i) {
      const Index radix = line.passes[i].radix;
      below /= radix;
      place += left / below * unit;
      left %= below;
      unit *= radix;
    }
    line.places[static_cast<std::size_t>(group)] = place;
  }
  return line;
}

}  // namespace rooftop::fft::internal
