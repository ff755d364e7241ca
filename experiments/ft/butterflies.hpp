/// Transforms of 2, 4 and 8 values, real and imaginary parts in variables of their own: doubles, or vectors of them.
#pragma once

#include <numbers>

namespace ft {

template <typename Value>
struct Split {
  Value re, im;
};

template <typename Value>
Split<Value> operator+(const Split<Value>& a, const Split<Value>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <typename Value>
Split<Value> operator-(const Split<Value>& a, const Split<Value>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <typename Value, typename Root>
Split<Value> product(const Split<Value>& a, Root re, Root im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
/// -i a
template <typename Value>
Split<Value> quarter_back(const Split<Value>& a) {
  return {a.im, -a.re};
}

/// In place: values[k] becomes the sum over i of exp(-2 pi i k / Count) values[i].
template <int Count, typename Value>
inline void butterfly(Split<Value>* values) {
  if constexpr (Count == 2) {
    const Split<Value> a = values[0], b = values[1];
    values[0] = a + b;
    values[1] = a - b;
  } else if constexpr (Count == 4) {
    const Split<Value> a = values[0] + values[2], b = values[0] - values[2];
    const Split<Value> c = values[1] + values[3], d = quarter_back(values[1] - values[3]);
    values[0] = a + c, values[1] = b + d, values[2] = a - c, values[3] = b - d;
  } else {
    static_assert(Count == 8);
    Split<Value> even[4] = {values[0], values[2], values[4], values[6]};
    Split<Value> odd[4] = {values[1], values[3], values[5], values[7]};
    butterfly<4>(even);
    butterfly<4>(odd);
    // exp(-i pi k / 4) for k = 1 and 3 is (1 - i) / sqrt 2 and (-1 - i) / sqrt 2.
    constexpr double s = 1 / std::numbers::sqrt2;
    odd[1] = {(odd[1].re + odd[1].im) * s, (odd[1].im - odd[1].re) * s};
    odd[2] = quarter_back(odd[2]);
    odd[3] = {(odd[3].im - odd[3].re) * s, (odd[3].re + odd[3].im) * -s};
    for (int k = 0; k < 4; ++k) {
      values[k] = even[k] + odd[k];
      values[k + 4] = even[k] - odd[k];
    }
  }
}

/// Lone additions and multiplications, and flops in multiply-adds, 2 for each.
struct Operations {
  double lone = 0, fused = 0;
};

/// What a butterfly of this many values does with the products that follow it, all but the first by a root.
constexpr Operations butterfly_operations(int count) {
  const double products = count - 1;
  return {(count == 2 ? 4.0 : count == 4 ? 16.0 : 56.0) + 2 * products, 4 * products};
}

}  // namespace ft
