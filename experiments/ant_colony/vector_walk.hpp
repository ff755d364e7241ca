/// Ants that choose by vectors, several of them step by step in turn (AVX2).
#pragma once

#include <array>
#include <vector>

#include "candidate_months.hpp"
#include "curve_walk.hpp"
#include "roulette.hpp"

namespace ants {

template <int together, bool prefetched>
class VectorWalk {
  static_assert(ants_of_group % together == 0);

 public:
  explicit VectorWalk(const Ground& ground) : ground_(ground) {
    for (int ant = 0; ant < together; ++ant) left_.emplace_back(ground);
  }

  void walk(const Trails& trails, std::int64_t month, int process, const Group& tours) {
    for (int first = 0; first < ants_of_group; first += together) walk(trails, month, process, tours, first);
  }

 private:
  void walk(const Trails& trails, std::int64_t month, int process, const Group& tours, int first) {
    std::vector<Chance> chances;
    std::array<City, together> here;
    for (int ant = 0; ant < together; ++ant) {
      chances.emplace_back(ground_.problem(), month, process, first + ant);
      here[at(ant)] = chances.back().below(ground_.cities());
      left_[at(ant)].start();
    }
    const City n = ground_.cities();
    for (City step = 0;; ++step) {
      for (int ant = 0; ant < together; ++ant) {
        tours[at(first + ant)][step] = here[at(ant)];
        left_[at(ant)].visit(here[at(ant)]);
      }
      if (step + 1 == n) return;
      for (int ant = 0; ant < together; ++ant) {
        City& city = here[at(ant)];
        const City* const ids = ground_.candidates().ids(city);
        const int chosen = drawn(trails.choices(city), ids, left_[at(ant)].states(), chances[at(ant)].next());
        city = chosen >= 0 ? ids[chosen] : left_[at(ant)].near(city);
        if constexpr (prefetched) {
          _mm_prefetch(reinterpret_cast<const char*>(trails.choices(city)), _MM_HINT_T0);
          _mm_prefetch(reinterpret_cast<const char*>(ground_.candidates().ids(city)), _MM_HINT_T0);
        }
      }
    }
  }

  const Ground& ground_;
  std::vector<CurveWalk> left_;
};

}  // namespace ants
