// Rows of blocks, compiled once per instruction set that Highway knows for this architecture.
#include "block_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "block_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rooftop::elasticity::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using Lanes = hn::CappedTag<Real, lanes_of_row>;

/// So many values, at most a vector; zeros behind them. No value beyond them is read.
template <std::size_t count, class D>
hn::Vec<D> first(D tag, const hn::TFromD<D>* from) {
  if constexpr (count >= hn::MaxLanes(tag)) {
    return hn::LoadU(tag, from);
  } else {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    return hn::MaskedLoad(hn::FirstN(tag, count), tag, from);
#else  // which reads whole vectors there
    HWY_ALIGN hn::TFromD<D> all[hn::MaxLanes(tag)] = {};
    for (std::size_t i = 0; i < count; ++i) all[i] = from[i];
    return hn::Load(tag, all);
#endif
  }
}

/// The same, in the precision of the result.
template <std::size_t count, class D, class Value>
hn::Vec<D> values_of(D tag, const Value* from) {
  if constexpr (sizeof(Value) < sizeof(hn::TFromD<D>)) {
    const hn::Rebind<Value, D> narrow;
    return hn::PromoteTo(tag, first<count>(narrow, from));
  } else {
    return first<count>(tag, from);
  }
}

/// Value by value, where a vector is shorter than a column's part of x.
template <class Real, int size, class Value>
void multiply_values(const BlockRow<Value, size, size>& row, const Real* x, const Real* own, Real* result) {
  Real sum[size] = {};
  for (std::int64_t b = 0; b < row.count; ++b) {
    const Value* a = row.block[b].value.data();
    const Real* in = x + std::int64_t{size} * row.column[b];
    for (int c = 0; c < size; ++c) {
      const Real value = own == nullptr ? in[c] : in[c] - own[c];
      for (int r = 0; r < size; ++r) sum[r] += a[r * size + c] * value;
    }
  }
  for (int r = 0; r < size; ++r) result[r] = sum[r];
}

/// All values of a block at once, each with the value of x that it is for. Rows are summed up at the end.
template <class Real, int size, class Value>
void multiply_blocks(const BlockRow<Value, size, size>& row, const Real* x, const Real* own, Real* result) {
  const Lanes<Real> tag;
  constexpr std::size_t lanes = hn::MaxLanes(tag), values = std::size_t{size} * size;
  if constexpr (lanes < static_cast<std::size_t>(size)) {
    multiply_values(row, x, own, result);
  } else {
    constexpr std::size_t whole = values / lanes, left = values % lanes;
    using Vector = hn::Vec<Lanes<Real>>;
    using Signed = hwy::MakeSigned<Real>;
    using Which = decltype(hn::SetTableIndices(tag, static_cast<const Signed*>(nullptr)));
    Which which[whole + 1];
    for (std::size_t v = 0; v <= whole; ++v) {
      Signed index[lanes];
      for (std::size_t i = 0; i < lanes; ++i) index[i] = static_cast<Signed>((v * lanes + i) % size);
      which[v] = hn::SetTableIndices(tag, index);
    }
    Vector sum[whole + 1];
    for (Vector& one : sum) one = hn::Zero(tag);
    const Vector origin = own == nullptr ? hn::Zero(tag) : first<size>(tag, own);
    for (std::int64_t b = 0; b < row.count; ++b) {
      const Value* a = row.block[b].value.data();
      const Vector in = hn::Sub(first<size>(tag, x + std::int64_t{size} * row.column[b]), origin);
      for (std::size_t v = 0; v < whole; ++v) {
        sum[v] = hn::MulAdd(values_of<lanes>(tag, a + v * lanes), hn::TableLookupLanes(in, which[v]), sum[v]);
      }
      if constexpr (left > 0) {
        sum[whole] =
            hn::MulAdd(values_of<left>(tag, a + whole * lanes), hn::TableLookupLanes(in, which[whole]), sum[whole]);
      }
    }
    Real each[(whole + 1) * lanes];
    for (std::size_t v = 0; v <= whole; ++v) hn::StoreU(sum[v], tag, each + v * lanes);
    for (std::size_t r = 0; r < size; ++r) {
      Real total = 0;
      for (std::size_t c = 0; c < size; ++c) total += each[r * size + c];
      result[r] = total;
    }
  }
}

void multiply_row_f3(const BlockRow<float, 3, 3>& row, const float* x, const float* own, float* sum) {
  multiply_blocks(row, x, own, sum);
}
void multiply_row_f6(const BlockRow<float, 6, 6>& row, const float* x, const float* own, float* sum) {
  multiply_blocks(row, x, own, sum);
}
void multiply_row_d3(const BlockRow<double, 3, 3>& row, const double* x, const double* own, double* sum) {
  multiply_blocks(row, x, own, sum);
}
void multiply_row_d6(const BlockRow<double, 6, 6>& row, const double* x, const double* own, double* sum) {
  multiply_blocks(row, x, own, sum);
}
void multiply_row_df3(const BlockRow<float, 3, 3>& row, const double* x, const double* own, double* sum) {
  multiply_blocks(row, x, own, sum);
}

template <class Real, int size>
void multiply_transposed_blocks(const TransposedRow<Real, size>& from, const Real* x, Real* result) {
  const Lanes<Real> tag;
  using Vector = hn::Vec<Lanes<Real>>;
  constexpr std::size_t lanes = hn::MaxLanes(tag), left = rigid_motions % lanes, whole = rigid_motions - left;
  Vector sum[rigid_motions / lanes + 1];
  for (Vector& one : sum) one = hn::Zero(tag);
  for (std::int64_t b = 0; b < from.count; ++b) {
    const Real* a = from.block[from.number[b]].value.data();
    const Real* in = x + std::int64_t{size} * from.row[b];
    for (int r = 0; r < size; ++r, a += rigid_motions) {
      const Vector value = hn::Set(tag, in[r]);
      for (std::size_t at = 0; at < whole; at += lanes) {
        sum[at / lanes] = hn::MulAdd(hn::LoadU(tag, a + at), value, sum[at / lanes]);
      }
      if constexpr (left > 0) {
        sum[whole / lanes] = hn::MulAdd(first<left>(tag, a + whole), value, sum[whole / lanes]);
      }
    }
  }
  Real all[rigid_motions + lanes];
  for (std::size_t v = 0; v <= rigid_motions / lanes; ++v) hn::StoreU(sum[v], tag, all + v * lanes);
  for (std::size_t m = 0; m < rigid_motions; ++m) result[m] = all[m];
}

void multiply_transposed_f3(const TransposedRow<float, 3>& from, const float* x, float* sum) {
  multiply_transposed_blocks(from, x, sum);
}
void multiply_transposed_f6(const TransposedRow<float, 6>& from, const float* x, float* sum) {
  multiply_transposed_blocks(from, x, sum);
}
void multiply_transposed_d3(const TransposedRow<double, 3>& from, const double* x, double* sum) {
  multiply_transposed_blocks(from, x, sum);
}
void multiply_transposed_d6(const TransposedRow<double, 6>& from, const double* x, double* sum) {
  multiply_transposed_blocks(from, x, sum);
}

/// to += a b, of `height` rows. a(r, m) is at r * row + m * next; b has `middle` rows of motions.
template <int height, int middle, int row, int next, class Real>
void add_block(const Real* a, const Real* b, Real* to) {
  const Lanes<Real> tag;
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  using Vector = hn::Vec<Lanes<Real>>;
  constexpr std::size_t left = rigid_motions % lanes, whole = rigid_motions - left;
  const auto add = [&](std::size_t at, const auto& in) {
    for (int r = 0; r < height; ++r) {
      Vector total = hn::LoadU(tag, to + r * lanes_of_row + at);
      for (int m = 0; m < middle; ++m) total = hn::MulAdd(hn::Set(tag, a[r * row + m * next]), in[m], total);
      hn::StoreU(total, tag, to + r * lanes_of_row + at);
    }
  };
  Vector in[middle];
  for (std::size_t at = 0; at < whole; at += lanes) {
    for (int m = 0; m < middle; ++m) in[m] = hn::LoadU(tag, b + rigid_motions * m + at);
    add(at, in);
  }
  if constexpr (left > 0) {
    for (int m = 0; m < middle; ++m) in[m] = first<left>(tag, b + rigid_motions * m + whole);
    add(whole, in);
  }
}

/// One left block and a row of right ones.
template <int height, int middle, int row, int next, class Real>
void add_row(const Real* left, const BlockRow<Real, middle, rigid_motions>& right, WideBlocks<Real> to) {
  for (std::int64_t p = 0; p < right.count; ++p) {
    add_block<height, middle, row, next>(left, right.block[p].value.data(),
                                         to.value + std::int64_t{height} * lanes_of_row * to.place[right.column[p]]);
  }
}

/// A row of left blocks and one right block.
template <int size, class Real>
void add_left_row(const BlockRow<Real, size, size>& left, const Real* right, WideBlocks<Real> to) {
  for (std::int64_t p = 0; p < left.count; ++p) {
    add_block<size, size, 1, size>(left.block[p].value.data(), right,
                                   to.value + std::int64_t{size} * lanes_of_row * to.place[left.column[p]]);
  }
}

void add_product_f3(const Block<float, 3, 3>& left, const BlockRow<float, 3, rigid_motions>& right,
                    WideBlocks<float> to) {
  add_row<3, 3, 3, 1>(left.value.data(), right, to);
}
void add_transposed_row_f3(const BlockRow<float, 3, 3>& left, const Block<float, 3, rigid_motions>& right,
                           WideBlocks<float> to) {
  add_left_row(left, right.value.data(), to);
}
void add_wide_product_f3(const float* left, const BlockRow<float, 3, rigid_motions>& right, WideBlocks<float> to) {
  add_row<rigid_motions, 3, 1, lanes_of_row>(left, right, to);
}
void add_product_f6(const Block<float, 6, 6>& left, const BlockRow<float, 6, rigid_motions>& right,
                    WideBlocks<float> to) {
  add_row<6, 6, 6, 1>(left.value.data(), right, to);
}
void add_transposed_row_f6(const BlockRow<float, 6, 6>& left, const Block<float, 6, rigid_motions>& right,
                           WideBlocks<float> to) {
  add_left_row(left, right.value.data(), to);
}
void add_wide_product_f6(const float* left, const BlockRow<float, 6, rigid_motions>& right, WideBlocks<float> to) {
  add_row<rigid_motions, 6, 1, lanes_of_row>(left, right, to);
}
void add_product_d3(const Block<double, 3, 3>& left, const BlockRow<double, 3, rigid_motions>& right,
                    WideBlocks<double> to) {
  add_row<3, 3, 3, 1>(left.value.data(), right, to);
}
void add_transposed_row_d3(const BlockRow<double, 3, 3>& left, const Block<double, 3, rigid_motions>& right,
                           WideBlocks<double> to) {
  add_left_row(left, right.value.data(), to);
}
void add_wide_product_d3(const double* left, const BlockRow<double, 3, rigid_motions>& right, WideBlocks<double> to) {
  add_row<rigid_motions, 3, 1, lanes_of_row>(left, right, to);
}
void add_product_d6(const Block<double, 6, 6>& left, const BlockRow<double, 6, rigid_motions>& right,
                    WideBlocks<double> to) {
  add_row<6, 6, 6, 1>(left.value.data(), right, to);
}
void add_transposed_row_d6(const BlockRow<double, 6, 6>& left, const Block<double, 6, rigid_motions>& right,
                           WideBlocks<double> to) {
  add_left_row(left, right.value.data(), to);
}
void add_wide_product_d6(const double* left, const BlockRow<double, 6, rigid_motions>& right, WideBlocks<double> to) {
  add_row<rigid_motions, 6, 1, lanes_of_row>(left, right, to);
}

}  // namespace rooftop::elasticity::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::elasticity {

HWY_EXPORT(multiply_row_f3);
HWY_EXPORT(multiply_row_f6);
HWY_EXPORT(multiply_row_d3);
HWY_EXPORT(multiply_row_d6);
HWY_EXPORT(multiply_row_df3);
HWY_EXPORT(multiply_transposed_f3);
HWY_EXPORT(multiply_transposed_f6);
HWY_EXPORT(multiply_transposed_d3);
HWY_EXPORT(multiply_transposed_d6);
HWY_EXPORT(add_product_f3);
HWY_EXPORT(add_transposed_row_f3);
HWY_EXPORT(add_wide_product_f3);
HWY_EXPORT(add_product_f6);
HWY_EXPORT(add_transposed_row_f6);
HWY_EXPORT(add_wide_product_f6);
HWY_EXPORT(add_product_d3);
HWY_EXPORT(add_transposed_row_d3);
HWY_EXPORT(add_wide_product_d3);
HWY_EXPORT(add_product_d6);
HWY_EXPORT(add_transposed_row_d6);
HWY_EXPORT(add_wide_product_d6);

void multiply_row(const BlockRow<float, 3, 3>& row, const float* x, const float* own, float* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_row_f3)(row, x, own, sum);
}
void multiply_row(const BlockRow<float, 6, 6>& row, const float* x, const float* own, float* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_row_f6)(row, x, own, sum);
}
void multiply_row(const BlockRow<double, 3, 3>& row, const double* x, const double* own, double* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_row_d3)(row, x, own, sum);
}
void multiply_row(const BlockRow<double, 6, 6>& row, const double* x, const double* own, double* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_row_d6)(row, x, own, sum);
}
void multiply_row(const BlockRow<float, 3, 3>& row, const double* x, const double* own, double* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_row_df3)(row, x, own, sum);
}
void multiply_transposed(const TransposedRow<float, 3>& from, const float* x, float* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed_f3)(from, x, sum);
}
void multiply_transposed(const TransposedRow<float, 6>& from, const float* x, float* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed_f6)(from, x, sum);
}
void multiply_transposed(const TransposedRow<double, 3>& from, const double* x, double* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed_d3)(from, x, sum);
}
void multiply_transposed(const TransposedRow<double, 6>& from, const double* x, double* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed_d6)(from, x, sum);
}
void add_product(const Block<float, 3, 3>& left, const BlockRow<float, 3, rigid_motions>& right, WideBlocks<float> to) {
  HWY_DYNAMIC_DISPATCH(add_product_f3)(left, right, to);
}
void add_transposed_row(const BlockRow<float, 3, 3>& left, const Block<float, 3, rigid_motions>& right,
                        WideBlocks<float> to) {
  HWY_DYNAMIC_DISPATCH(add_transposed_row_f3)(left, right, to);
}
void add_wide_product(const float* left, const BlockRow<float, 3, rigid_motions>& right, WideBlocks<float> to) {
  HWY_DYNAMIC_DISPATCH(add_wide_product_f3)(left, right, to);
}
void add_product(const Block<float, 6, 6>& left, const BlockRow<float, 6, rigid_motions>& right, WideBlocks<float> to) {
  HWY_DYNAMIC_DISPATCH(add_product_f6)(left, right, to);
}
void add_transposed_row(const BlockRow<float, 6, 6>& left, const Block<float, 6, rigid_motions>& right,
                        WideBlocks<float> to) {
  HWY_DYNAMIC_DISPATCH(add_transposed_row_f6)(left, right, to);
}
void add_wide_product(const float* left, const BlockRow<float, 6, rigid_motions>& right, WideBlocks<float> to) {
  HWY_DYNAMIC_DISPATCH(add_wide_product_f6)(left, right, to);
}
void add_product(const Block<double, 3, 3>& left, const BlockRow<double, 3, rigid_motions>& right,
                 WideBlocks<double> to) {
  HWY_DYNAMIC_DISPATCH(add_product_d3)(left, right, to);
}
void add_transposed_row(const BlockRow<double, 3, 3>& left, const Block<double, 3, rigid_motions>& right,
                        WideBlocks<double> to) {
  HWY_DYNAMIC_DISPATCH(add_transposed_row_d3)(left, right, to);
}
void add_wide_product(const double* left, const BlockRow<double, 3, rigid_motions>& right, WideBlocks<double> to) {
  HWY_DYNAMIC_DISPATCH(add_wide_product_d3)(left, right, to);
}
void add_product(const Block<double, 6, 6>& left, const BlockRow<double, 6, rigid_motions>& right,
                 WideBlocks<double> to) {
  HWY_DYNAMIC_DISPATCH(add_product_d6)(left, right, to);
}
void add_transposed_row(const BlockRow<double, 6, 6>& left, const Block<double, 6, rigid_motions>& right,
                        WideBlocks<double> to) {
  HWY_DYNAMIC_DISPATCH(add_transposed_row_d6)(left, right, to);
}
void add_wide_product(const double* left, const BlockRow<double, 6, rigid_motions>& right, WideBlocks<double> to) {
  HWY_DYNAMIC_DISPATCH(add_wide_product_d6)(left, right, to);
}

}  // namespace rooftop::elasticity
#endif
