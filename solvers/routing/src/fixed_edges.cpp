#include "fixed_edges.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>

#include "node_table.hpp"

namespace rooftop::routing {
namespace {

/// The paths that edges make: each end of a path knows the other. Memory is for cities that have an edge, no others.
class Paths {
 public:
  enum class Joined : std::uint8_t { yes, already_inside, closed };

  Joined join(std::int32_t a, std::int32_t b) {
    if (!is_end(a) || !is_end(b)) return Joined::already_inside;
    const std::int32_t far_a = other_end(a), far_b = other_end(b);
    const bool closes = far_a == b;
    ends_[a] = inside;
    ends_[b] = inside;
    if (closes) return Joined::closed;
    ends_[far_a] = far_b;
    ends_[far_b] = far_a;
    return Joined::yes;
  }

 private:
  static constexpr std::int32_t inside = -1;

  [[nodiscard]] std::int32_t other_end(std::int32_t city) const {
    const auto found = ends_.find(city);
    return found == ends_.end() ? city : found->second;
  }
  [[nodiscard]] bool is_end(std::int32_t city) const { return other_end(city) != inside; }

  std::unordered_map<std::int32_t, std::int32_t> ends_;
};

}  // namespace

Edges read_fixed_edges(Scanner& scanner, std::int32_t cities) {
  constexpr Key section = Key::fixed_edges_section;
  Edges edges;
  Paths paths;
  bool closed = false;
  while (true) {
    std::int64_t a = 0, b = 0;
    if (!scanner.integer(a, "a city's number") || a == -1) return edges;
    const std::int32_t from = to_index(scanner, a, section, cities);
    if (!scanner.integer(b, "a city's number")) scanner.fail("FIXED_EDGES_SECTION breaks off; expected an edge's end");
    const std::int32_t to = to_index(scanner, b, section, cities);
    const std::string edge = "FIXED_EDGES_SECTION has edge " + std::to_string(a) + " " + std::to_string(b);
    if (from == to) scanner.fail(edge + "; expected two cities");
    const Paths::Joined joined = closed ? Paths::Joined::already_inside : paths.join(from, to);
    if (joined == Paths::Joined::already_inside) {
      scanner.fail(edge + ", the third of one of its cities; expected at most two of each");
    }
    edges.emplace_back(from, to);
    closed = joined == Paths::Joined::closed;
    if (closed && edges.size() != static_cast<std::size_t>(cities)) {
      scanner.fail(edge + ", which closes a tour of some cities; expected edges that one tour of all can hold");
    }
  }
}

}  // namespace rooftop::routing
