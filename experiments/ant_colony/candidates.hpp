/// The nearest cities of every city: where an ant goes next, but seldom elsewhere.
#pragma once

#include <algorithm>
#include <array>
#include <rooftop/aligned.hpp>
#include <utility>
#include <vector>

#include "months.hpp"

namespace ants {

/// Candidates of a city: two vectors of eight floats, a cache line.
inline constexpr int width = 16;

/// Row c has city c's nearest cities, the nearest first. Where there are fewer than 16, it is filled up with c itself,
/// at attraction 0.
class Candidates {
 public:
  explicit Candidates(City cities) : ids_(at(cities) * width), attractions_(at(cities) * width) {}

  /// By a grid of fields for some three cities each, looked through in rings around a city, by all threads.
  void find(const Problem& p) {
    const Fields fields(p);
#pragma omp parallel for num_threads(p.threads) schedule(static)
    for (City city = 0; city < p.cities; ++city) {
      const Nearest nearest = fields.near(p, city);
      for (int i = 0; i < width; ++i) {
        const bool real = i < nearest.count;
        const auto& [square, other] = nearest.of[at(i)];
        ids_[at(city) * width + at(i)] = real ? other : city;
        attractions_[at(city) * width + at(i)] = real ? static_cast<float>(attraction(std::sqrt(square))) : 0;
      }
    }
  }

  [[nodiscard]] const City* ids(City c) const { return ids_.data() + at(c) * width; }
  [[nodiscard]] const float* attractions(City c) const { return attractions_.data() + at(c) * width; }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }

 private:
  struct Nearest {
    std::array<std::pair<double, City>, width> of;  ///< squared distances, ascending
    int count = 0;

    void add(double square, City city) {
      if (count == width && square >= of.back().first) return;
      int i = count < width ? count++ : width - 1;
      for (; i > 0 && of[at(i - 1)].first > square; --i) of[at(i)] = of[at(i - 1)];
      of[at(i)] = {square, city};
    }
  };

  /// Cities by the square field that they lie in.
  class Fields {
   public:
    explicit Fields(const Problem& p) {
      const auto [left, right] = std::minmax_element(p.x, p.x + p.cities);
      const auto [lower, upper] = std::minmax_element(p.y, p.y + p.cities);
      x_ = *left, y_ = *lower;
      const double longest = std::max({*right - x_, *upper - y_, 1.0});
      across_ = std::max(1, static_cast<int>(std::sqrt(p.cities / 3.0)));
      side_ = longest / across_ * (1 + 1e-9);
      first_.assign(at(across_) * at(across_) + 1, 0);
      for (City city = 0; city < p.cities; ++city) ++first_[field_of(p, city) + 1];
      for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
      cities_.resize(at(p.cities));
      std::vector<City> filled(first_.begin(), first_.end() - 1);
      for (City city = 0; city < p.cities; ++city) cities_[at(filled[field_of(p, city)]++)] = city;
    }

    [[nodiscard]] Nearest near(const Problem& p, City city) const {
      Nearest found;
      const int column = column_of(p.x[city] - x_), row = column_of(p.y[city] - y_);
      for (int ring = 0; ring < across_; ++ring) {
        // Whatever lies in this ring or farther is at least so far away.
        const double least = (ring - 1) * side_;
        if (found.count == width && ring > 0 && found.of.back().first <= least * least) break;
        for (int r = std::max(row - ring, 0); r <= std::min(row + ring, across_ - 1); ++r) {
          const bool whole = r == row - ring || r == row + ring;
          for (int c = column - ring; c <= column + ring; c += whole || ring == 0 ? 1 : 2 * ring) {
            if (c >= 0 && c < across_) look(p, city, at(r) * at(across_) + at(c), found);
          }
        }
      }
      return found;
    }

   private:
    [[nodiscard]] int column_of(double offset) const { return std::min(static_cast<int>(offset / side_), across_ - 1); }
    [[nodiscard]] std::size_t field_of(const Problem& p, City city) const {
      return at(column_of(p.y[city] - y_)) * at(across_) + at(column_of(p.x[city] - x_));
    }
    void look(const Problem& p, City city, std::size_t field, Nearest& found) const {
      for (City i = first_[field]; i < first_[field + 1]; ++i) {
        const City other = cities_[at(i)];
        const double dx = p.x[city] - p.x[other], dy = p.y[city] - p.y[other];
        if (other != city) found.add(dx * dx + dy * dy, other);
      }
    }

    double x_ = 0, y_ = 0, side_ = 1;
    int across_ = 1;
    std::vector<City> first_, cities_;
  };

  rooftop::AlignedArray<City> ids_;
  rooftop::AlignedArray<float> attractions_;
};

}  // namespace ants
