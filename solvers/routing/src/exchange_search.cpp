// Compiled once per instruction set that Highway knows for this architecture; the best one is chosen at run time. All
// find the same exchanges.
#include "exchange_search.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exchange_search.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rooftop::routing::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Steps that are followed further, by the number of edges that have left.
constexpr std::array<int, most_exchanged> breadth{0, 3, 2, 1, 1};

/// What may enter from a city on and what then leaves behind it: step s to candidate s % 8, and there the edge to the
/// next city in steps 0 to 7, to the previous one in steps 8 to 15.
struct Steps {
  const CandidateRow* near;
  unsigned possible = 0, closing = 0;  ///< bits
  HWY_ALIGN std::array<City, 2 * most_candidates> cut, place;

  [[nodiscard]] City to(unsigned step) const { return near->city[step % most_candidates]; }
  [[nodiscard]] City after(unsigned step, const ArrayTour& tour) const {
    return tour.at(step < most_candidates ? tour.position_after(cut[step]) : cut[step]);
  }
  /// Of what has left over what has entered, which was `gain` before.
  [[nodiscard]] Length gain(unsigned step, Length gain, const ArrayTour& tour) const {
    return gain - near->cost[step % most_candidates] + tour.cost_behind(cut[step]);
  }
};

template <class D>
HWY_INLINE unsigned bits_of(D d, hn::Mask<D> mask) {
  std::array<std::uint8_t, 8> bits{};
  hn::StoreMaskBits(d, mask, bits.data());
  return bits[0] & ((1U << hn::Lanes(d)) - 1);
}

/// With which city an edge that has entered joins the last end of what has left; -1: none does.
template <int left>
HWY_INLINE City joined(const Exchange& exchange) {
  const City from = exchange.ends[index(2 * left - 1)];
  City with = -1;
  for (int end = 1; end < 2 * left - 1; ++end) {
    if (exchange.ends[index(end)] == from) with = exchange.ends[index(end % 2 == 1 ? end + 1 : end - 1)];
  }
  return with;
}

/// Looks at all candidates of the last end of what has left.
template <int left>
HWY_INLINE void look(const ExchangeSearch& search, Length gain, unsigned closing, Steps& steps) {
  const ArrayTour& tour = *search.tour;
  const City from = search.exchange.ends[index(2 * left - 1)], n = tour.cities();
  steps.near = &search.candidates->of[index(from)];

  const hn::CappedTag<City, most_candidates> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto lanes = static_cast<City>(hn::Lanes(d));
  const auto none = hn::Zero(d), one = hn::Set(d, 1), last = hn::Set(d, n - 1);
  const auto most = hn::Set(d, static_cast<Cost>(std::clamp<Length>(gain - 1, std::numeric_limits<Cost>::min(),
                                                                    std::numeric_limits<Cost>::max())));
  const auto previous = hn::Set(d, tour.previous(from)), next = hn::Set(d, tour.next(from));
  const auto entered = hn::Set(d, joined<left>(search.exchange));
  for (City k = 0; k < most_candidates; k += lanes) {
    const auto to = hn::Load(d, steps.near->city.data() + k);
    const auto position = hn::GatherIndex(d, tour.positions(), to);
    const auto excluded = hn::Or(hn::Or(hn::Gt(hn::Load(d, steps.near->cost.data() + k), most), hn::Eq(to, entered)),
                                 hn::Or(hn::Eq(to, previous), hn::Eq(to, next)));
    for (const City backward : {0, 1}) {
      auto cut = position;
      if (backward == 1) cut = hn::IfThenElse(hn::Eq(position, none), last, hn::Sub(position, one));
      auto impossible = excluded;
      auto before = none;  // less the number of edges that lie before it
      for (int e = 0; e < left; ++e) {
        const auto other = hn::Set(d, search.cuts[index(e)]);
        impossible = hn::Or(impossible, hn::Eq(other, cut));
        before = hn::Add(before, hn::VecFromMask(d, hn::Lt(other, cut)));
      }
      // As Arrangements::place() has it.
      const auto place = hn::Sub(hn::Set(d, 1 - backward), hn::Add(before, before));
      const auto shifted = hn::Shr(hn::Set(du, closing), hn::BitCast(du, place));
      const auto closes = hn::RebindMask(d, hn::Ne(hn::And(shifted, hn::Set(du, 1U)), hn::Zero(du)));
      const City first = backward * most_candidates + k;
      hn::Store(cut, d, steps.cut.data() + first);
      hn::Store(place, d, steps.place.data() + first);
      steps.possible |= bits_of(d, hn::Not(impossible)) << static_cast<unsigned>(first);
      steps.closing |= bits_of(d, closes) << static_cast<unsigned>(first);
    }
  }
  constexpr unsigned both = 1U | 1U << static_cast<unsigned>(most_candidates);
  steps.possible &= ((1U << static_cast<unsigned>(search.candidates->width)) - 1) * both;
}

/// Edges that every tour has may not leave.
void keep_fixed(const ExchangeSearch& search, Steps& steps) {
  for (unsigned bits = steps.possible; bits != 0; bits &= bits - 1) {
    const auto step = static_cast<unsigned>(std::countr_zero(bits));
    if (search.costs->fixed(steps.to(step), steps.after(step, *search.tour))) steps.possible &= ~(1U << step);
  }
}

/// What leaves as the last of so many edges.
template <int edges>
HWY_INLINE void end_with(ExchangeSearch& search, const Steps& steps, unsigned step) {
  search.exchange.ends[index(2 * edges - 2)] = steps.to(step);
  search.exchange.ends[index(2 * edges - 1)] = steps.after(step, *search.tour);
  search.cuts[index(edges - 1)] = steps.cut[step];
}

/// Takes the step that closes the tour with the largest gain.
template <int left>
HWY_INLINE bool close(ExchangeSearch& search, const Steps& steps, Length gain) {
  const City start = search.exchange.ends[0];
  search.gain = 0;
  unsigned best = 0;
  for (unsigned bits = steps.possible & steps.closing; bits != 0; bits &= bits - 1) {
    const auto step = static_cast<unsigned>(std::countr_zero(bits));
    const City after = steps.after(step, *search.tour);
    const Length closed = steps.gain(step, gain, *search.tour) - (*search.costs)(after, start);
    if (closed <= search.gain || !search.costs->may_join(after, start)) continue;
    search.gain = closed;
    best = step;
  }
  if (search.gain == 0) return false;
  end_with<left + 1>(search, steps, best);
  search.exchange.edges = left + 1;
  return true;
}

/// Goes on from the last end of what has left, `gain` being what has left less what has entered so far.
template <int left>
bool extend(ExchangeSearch& search, Length gain, Arrangements::Number arrangement) {
  constexpr bool last = left + 1 == most_exchanged;
  const unsigned closing = search.arrangements->closing(arrangement);
  if (last && closing == 0) return false;
  Steps steps;
  look<left>(search, gain, closing, steps);
  if (search.costs->some_fixed()) keep_fixed(search, steps);
  if (close<left>(search, steps, gain)) return true;
  if constexpr (!last) {
    std::array<Length, breadth[left]> top{};  // gains, and in the lowest four bits their steps
    for (unsigned bits = steps.possible; bits != 0; bits &= bits - 1) {
      const auto step = static_cast<unsigned>(std::countr_zero(bits));
      Length entry = steps.gain(step, gain, *search.tour) * 16 + step;
      for (Length& other : top) {
        const Length larger = std::max(other, entry);
        entry = std::min(other, entry);
        other = larger;
      }
    }
    for (const Length entry : top) {
      if (entry == 0) break;
      const auto step = static_cast<unsigned>(entry % 16);
      end_with<left + 1>(search, steps, step);
      if (extend<left + 1>(search, entry / 16, search.arrangements->with(arrangement, steps.place[step]))) return true;
    }
  }
  return false;
}

bool find(ExchangeSearch& search, City city) {
  const ArrayTour& tour = *search.tour;
  for (const bool forward : {true, false}) {
    const City before = forward ? tour.previous(city) : tour.next(city);
    if (search.costs->fixed(before, city)) continue;
    search.exchange.ends[0] = before;
    search.exchange.ends[1] = city;
    search.cuts[0] = tour.position(forward ? before : city);
    const auto arrangement = search.arrangements->with(0, Arrangements::place(0, forward));
    if (extend<1>(search, tour.cost_behind(search.cuts[0]), arrangement)) return true;
  }
  return false;
}

}  // namespace rooftop::routing::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rooftop::routing {

HWY_EXPORT(find);

bool find_exchange(ExchangeSearch& search, City city) { return HWY_DYNAMIC_DISPATCH(find)(search, city); }

}  // namespace rooftop::routing
#endif
