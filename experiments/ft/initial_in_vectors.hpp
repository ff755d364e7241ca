/// U0 drawn with the widest vectors that the processor has. For one source of a program: it is compiled for each.
#pragma once

// GCC 12 ends with an internal error where its header of SVE comes after precompiled ones. NEON serves.
#if defined(__aarch64__) && !defined(HWY_DISABLED_TARGETS)
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "initial-inl.hpp"
#include <hwy/foreach_target.h>

#include "initial-inl.hpp"

namespace ft {

HWY_EXPORT(draw_in_vectors);

/// As draw_initial() does, faster where `count` is large, as in a plane.
inline void draw_initial_in_vectors(Index first, Index count, Complex* values) {
  HWY_DYNAMIC_DISPATCH(draw_in_vectors)(first, count, values);
}

}  // namespace ft
