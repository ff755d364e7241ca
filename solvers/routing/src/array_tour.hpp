/// A tour as an array of cities. An exchange writes all pieces anew but the longest, so that what happens at one place
/// takes the same time whatever the number of cities. What each of its edges costs lies beside it.
#pragma once

#include <array>
#include <vector>

#include "city.hpp"
#include "costs.hpp"
#include "cuts.hpp"
#include "exchange.hpp"

namespace rooftop::routing {

class ArrayTour {
 public:
  /// The pieces that an exchange leaves, as positions, and the order in which it joins them.
  struct Pieces : Joined {
    struct Piece {
      City first, length;
    };
    int count = 0;
    std::array<Piece, most_exchanged> piece{};
  };

  /// `costs` outlives it.
  ArrayTour(const Costs& costs, std::vector<City> order);

  [[nodiscard]] City cities() const { return static_cast<City>(order_.size()); }
  [[nodiscard]] const std::vector<City>& order() const { return order_; }
  [[nodiscard]] City position(City c) const { return position_[index(c)]; }
  [[nodiscard]] City at(City position) const { return order_[index(position)]; }
  /// Of all cities.
  [[nodiscard]] const City* positions() const { return position_.data(); }
  [[nodiscard]] City position_after(City position) const { return position + 1 == cities() ? 0 : position + 1; }
  [[nodiscard]] City position_before(City position) const { return position == 0 ? cities() - 1 : position - 1; }
  [[nodiscard]] City next(City c) const { return at(position_after(position(c))); }
  [[nodiscard]] City previous(City c) const { return at(position_before(position(c))); }
  /// What it costs to go from the city at a position to the next one.
  [[nodiscard]] Cost cost_behind(City position) const { return behind_[index(position)]; }
  [[nodiscard]] bool has_edge(City a, City b) const { return next(a) == b || previous(a) == b; }

  /// Whether an exchange of edges of the tour leaves one tour, and of which pieces.
  [[nodiscard]] bool joins(const Exchange& exchange, Pieces& pieces) const;
  /// What joins() found.
  void apply(const Pieces& pieces);

  /// From now on what apply() does is noted, until undo() takes it back or keep() forgets it.
  void begin();
  void undo();
  void keep() { begin(); }
  /// The other tour, which has as many cities, takes this one's order.
  void copy_to(ArrayTour& other) const;

 private:
  /// What apply() wrote anew: `length` positions from `first` on, in parts where `parts` says.
  struct Written {
    struct Part {
      City was_at, length;  ///< positions behind `first` where the part began before
      bool backwards;
    };
    City first, length;
    int count;
    std::array<Part, most_exchanged - 1> parts;  ///< in the order in which they lie now
  };

  [[nodiscard]] City wrapped(City position) const { return position >= cities() ? position - cities() : position; }
  /// Turns the only part round, in its place: it does not lie across the end.
  void turn(const Written& written);
  /// Copies the cities at `length` positions from `first` on into the buffer, the last one first where backwards, and
  /// the costs between them.
  void copy_piece(City first, City length, bool backwards, City to);
  /// Puts the buffer's first cities at the positions from `first` on.
  void write_buffer(City first, City length);
  /// Counts anew what the edges at both ends of each part cost, as they lie now or as they lay before.
  void count_joints(const Written& written, bool now);
  void count_behind(City position) { behind_[index(position)] = (*costs_)(at(position), at(position_after(position))); }

  const Costs* costs_;
  std::vector<City> order_, position_;
  std::vector<Cost> behind_;  ///< by position
  std::vector<City> buffer_;  ///< cities, and what lies behind them
  std::vector<Cost> behind_buffer_;
  std::vector<Written> written_;
};

}  // namespace rooftop::routing
