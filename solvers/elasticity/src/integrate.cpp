// Stiffness of elements, a lane for each, compiled once per instruction set that Highway knows for this architecture.
#include <cmath>
#include <cstddef>

#include "kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "integrate.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rooftop::elasticity::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, elements_at_once>;
using Vector = hn::Vec<D>;

/// Slope in direction d of corner a's shape function at point q of integration, in the unit cube.
double slope(int a, int d, int q) {
  const double near = (1 - 1 / std::sqrt(3.0)) / 2;
  double result = 1;
  for (int e = 0; e < components; ++e) {
    const double at = (q >> e & 1) != 0 ? 1 - near : near;
    const bool far = (a >> e & 1) != 0;
    result *= e == d ? (far ? 1 : -1) : (far ? at : 1 - at);
  }
  return result;
}

struct Slopes {
  double at[corners][corners][components];  // point, corner, direction

  Slopes() {
    for (int q = 0; q < corners; ++q) {
      for (int a = 0; a < corners; ++a) {
        for (int d = 0; d < components; ++d) at[q][a][d] = slope(a, d, q);
      }
    }
  }
};

/// With G = integral of (grad N_a)(grad N_b)^T, the block of corners a and b is lame G + shear (G^T + tr G I).
void integrate_lanes(const ElementsJob& job, ElementsResult& result) {
  static const Slopes slopes;
  const D tag;
  for (std::size_t e = 0; e < elements_at_once; e += hn::Lanes(tag)) {
    for (auto& block : result.blocks) {
      for (auto& value : block) hn::StoreU(hn::Zero(tag), tag, value.data() + e);
    }
    Vector least = hn::Set(tag, HUGE_VAL);
    for (int q = 0; q < corners; ++q) {
      Vector jacobian[components][components];  // d x_c / d xi_d
      for (int c = 0; c < components; ++c) {
        for (int d = 0; d < components; ++d) {
          Vector sum = hn::Zero(tag);
          for (int a = 0; a < corners; ++a) {
            const Vector x =
                hn::LoadU(tag, job.at[static_cast<std::size_t>(a)][static_cast<std::size_t>(c)].data() + e);
            sum = hn::MulAdd(hn::Set(tag, slopes.at[q][a][d]), x, sum);
          }
          jacobian[c][d] = sum;
        }
      }
      Vector cofactor[components][components];
      for (int c = 0; c < components; ++c) {
        for (int d = 0; d < components; ++d) {
          const int c1 = (c + 1) % 3, c2 = (c + 2) % 3, d1 = (d + 1) % 3, d2 = (d + 2) % 3;
          cofactor[c][d] =
              hn::NegMulAdd(jacobian[c1][d2], jacobian[c2][d1], hn::Mul(jacobian[c1][d1], jacobian[c2][d2]));
        }
      }
      const Vector determinant =
          hn::MulAdd(jacobian[0][0], cofactor[0][0],
                     hn::MulAdd(jacobian[0][1], cofactor[0][1], hn::Mul(jacobian[0][2], cofactor[0][2])));
      least = hn::Min(least, determinant);
      const Vector inverse = hn::Div(hn::Set(tag, 1.0), determinant);
      Vector gradient[corners][components];
      for (int a = 0; a < corners; ++a) {
        for (int c = 0; c < components; ++c) {
          Vector sum = hn::Zero(tag);
          for (int d = 0; d < components; ++d) {
            sum = hn::MulAdd(hn::Set(tag, slopes.at[q][a][d]), cofactor[c][d], sum);
          }
          gradient[a][c] = hn::Mul(sum, inverse);
        }
      }
      const Vector weight = hn::Mul(determinant, hn::Set(tag, 1.0 / corners));
      std::size_t pair = 0;
      for (int a = 0; a < corners; ++a) {
        Vector weighted[components];
        for (int c = 0; c < components; ++c) weighted[c] = hn::Mul(weight, gradient[a][c]);
        for (int b = a; b < corners; ++b, ++pair) {
          for (std::size_t r = 0; r < components; ++r) {
            for (std::size_t c = 0; c < components; ++c) {
              double* value = result.blocks[pair][components * r + c].data() + e;
              hn::StoreU(hn::MulAdd(weighted[r], gradient[b][c], hn::LoadU(tag, value)), tag, value);
            }
          }
        }
      }
    }
    hn::StoreU(least, tag, result.least.data() + e);
    const Vector lame = hn::LoadU(tag, job.lame.data() + e), shear = hn::LoadU(tag, job.shear.data() + e);
    for (auto& block : result.blocks) {
      Vector g[components * components];
      for (std::size_t v = 0; v < block.size(); ++v) g[v] = hn::LoadU(tag, block[v].data() + e);
      const Vector trace = hn::Add(hn::Add(g[0], g[4]), g[8]);
      for (std::size_t r = 0; r < components; ++r) {
        for (std::size_t c = 0; c < components; ++c) {
          const Vector turned = g[components * c + r];
          const Vector sheared = r == c ? hn::Add(turned, trace) : turned;
          hn::StoreU(hn::MulAdd(lame, g[components * r + c], hn::Mul(shear, sheared)), tag,
                     block[components * r + c].data() + e);
        }
      }
    }
  }
}

}  // namespace rooftop::elasticity::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::elasticity {

HWY_EXPORT(integrate_lanes);

void integrate(const ElementsJob& job, ElementsResult& result) { HWY_DYNAMIC_DISPATCH(integrate_lanes)(job, result); }

}  // namespace rooftop::elasticity
#endif
