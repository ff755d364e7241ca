/// A tour as an array of cities. An exchange writes all pieces anew but the longest, so that what happens at one place
/// takes the same time whatever the number of cities.
#pragma once

#include <array>
#include <vector>

#include "city.hpp"
#include "exchange.hpp"

namespace rooftop::routing {

class ArrayTour {
 public:
  /// The pieces that an exchange leaves, as positions, and the order in which it joins them.
  struct Pieces {
    struct Piece {
      City first, length;
    };
    int count = 0;
    std::array<Piece, most_exchanged> piece{};
    std::array<int, most_exchanged> order{};       ///< pieces one behind the other, from piece 0, which lies as it did
    std::array<bool, most_exchanged> backwards{};  ///< by place in `order`
  };

  explicit ArrayTour(std::vector<City> order);

  [[nodiscard]] City cities() const { return static_cast<City>(order_.size()); }
  [[nodiscard]] const std::vector<City>& order() const { return order_; }
  [[nodiscard]] City position(City c) const { return position_[index(c)]; }
  [[nodiscard]] City at(City position) const { return order_[index(position)]; }
  [[nodiscard]] City next(City c) const {
    const City p = position(c) + 1;
    return at(p == cities() ? 0 : p);
  }
  [[nodiscard]] City previous(City c) const {
    const City p = position(c);
    return at(p == 0 ? cities() - 1 : p - 1);
  }

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
  /// Copies the cities at `length` positions from `first` on, the last one first where backwards. Returns out's end.
  City* copy_piece(City first, City length, bool backwards, City* out) const;
  /// Puts the buffer's first cities at the positions from `first` on.
  void write_buffer(City first, City length);

  std::vector<City> order_, position_;
  std::vector<City> buffer_;
  std::vector<Written> written_;
};

}  // namespace rooftop::routing
