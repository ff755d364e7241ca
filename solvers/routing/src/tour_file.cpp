// Tours: read_tour(), write_tour() and write_tour_file().
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "node_table.hpp"
#include "rooftop/tsplib.hpp"
#include "scanner.hpp"
#include "specification.hpp"

namespace rooftop::routing {
namespace {

constexpr Key section = Key::tour_section;

/// The first place in `order` of a city that has come before, or order.size(). Cities are below order.size().
std::size_t find_repetition(const std::vector<std::int32_t>& order) {
  std::vector<bool> seen(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto city = static_cast<std::size_t>(order[i]);
    if (seen[city]) return i;
    seen[city] = true;
  }
  return order.size();
}

/// Without DIMENSION, which some files lack, there are as many cities as the tour has.
std::vector<std::int32_t> read_order(Scanner& scanner, const Specification& entries) {
  const Scanner::Position begin = scanner.position();
  const std::int32_t cities = entries.dimension.value_or(std::numeric_limits<std::int32_t>::max());
  std::vector<std::int32_t> order;
  order.reserve(std::min(static_cast<std::size_t>(cities), scanner.left() / 2 + 1));
  std::int64_t node = 0;
  bool ended = false;
  while (scanner.integer(node, "a city's number")) {
    ended = node == -1;
    if (ended) break;
    const std::int32_t city = to_index(scanner, node, section, cities);
    if (order.size() == static_cast<std::size_t>(cities)) {
      scanner.fail("TOUR_SECTION goes on after " + std::to_string(cities) + " cities; expected -1");
    }
    order.push_back(city);
  }
  // A tour of all cities is taken without its -1 too.
  const std::size_t expected =
      entries.dimension ? static_cast<std::size_t>(cities) : std::max<std::size_t>(order.size(), 3);
  if (order.size() != expected) {
    if (!ended) fail_at_end(scanner, section, order.size(), expected, "cities");
    scanner.fail("TOUR_SECTION has a tour of " + std::to_string(order.size()) + " cities; expected " +
                 std::to_string(expected));
  }
  const auto fail_at = [&](std::size_t i, const std::string& message) {
    scanner.rewind(begin);
    for (std::size_t words = i + 1; words > 0; --words) scanner.word();
    scanner.fail("TOUR_SECTION has city " + std::to_string(order[i] + 1) + message);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (static_cast<std::size_t>(order[i]) >= expected) fail_at(i, "; expected 1 to " + std::to_string(expected));
  }
  const std::size_t repetition = find_repetition(order);
  if (repetition != order.size()) fail_at(repetition, " a second time; expected each once");
  // The list of tours may have a -1 of its own.
  if (ended && scanner.integer(node, "a city's number") && node != -1) {
    scanner.fail("TOUR_SECTION has a second tour; expected one");
  }
  return order;
}

/// NAME and COMMENT hold a line each: what would be read back differently is refused.
void require_line(std::string_view text, const char* what) {
  constexpr std::string_view blanks = " \t\v\f";
  if (text.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) {
    throw InvalidInput(std::string("a tour's ") + what + " is " + quoted(text) + "; expected text without line breaks");
  }
  if (!text.empty() && (blanks.find(text.front()) != blanks.npos || blanks.find(text.back()) != blanks.npos)) {
    throw InvalidInput(std::string("a tour's ") + what + " is " + quoted(text) + "; expected no blanks around it");
  }
}

void append_comment(std::string& text, std::string_view comment) {
  for (std::size_t begin = 0; !comment.empty() && begin <= comment.size();) {
    const std::size_t end = std::min(comment.find('\n', begin), comment.size());
    const std::string_view line = comment.substr(begin, end - begin);
    require_line(line, "comment");
    text.append("COMMENT : ").append(line) += '\n';
    begin = end + 1;
  }
}

void require_tour(const std::vector<std::int32_t>& order) {
  if (order.size() < 3) {
    throw InvalidInput("a tour of " + std::to_string(order.size()) + " cities; expected at least 3");
  }
  const std::string range = "0 to " + std::to_string(order.size() - 1);
  for (const std::int32_t city : order) {
    if (city < 0 || static_cast<std::size_t>(city) >= order.size()) {
      throw InvalidInput("a tour with city " + std::to_string(city) + "; expected " + range);
    }
  }
  const std::size_t repetition = find_repetition(order);
  if (repetition != order.size()) {
    throw InvalidInput("a tour with city " + std::to_string(order[repetition]) + " twice; expected each of " + range +
                       " once");
  }
}

std::string text_of(const Tour& tour) {
  require_tour(tour.order);
  require_line(tour.name, "name");
  std::string text;
  if (!tour.name.empty()) text += "NAME : " + tour.name + "\n";
  append_comment(text, tour.comment);
  text += "TYPE : TOUR\nDIMENSION : " + std::to_string(tour.order.size()) + "\nTOUR_SECTION\n";
  for (const std::int32_t city : tour.order) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, city + std::int64_t{1}).ptr;
    *end = '\n';
    text.append(digits, end + 1);
  }
  return text + "-1\nEOF\n";
}

}  // namespace

Tour read_tour(std::istream& in, const std::string& source) {
  Scanner scanner(in, source);
  Specification entries{Wanted::tour};
  Tour tour;
  while (const std::optional<Key> key = next_section(scanner, entries)) {
    if (*key != section) scanner.fail(std::string(name_of(*key)) + " in a tour; expected TOUR_SECTION");
    tour.order = read_order(scanner, entries);
  }
  if (entries.type != FileType::tour) {
    scanner.fail(std::string(entries.type ? "TYPE is that of a problem" : "no TYPE up to the end") + "; expected TOUR");
  }
  if (tour.order.empty()) scanner.fail("no TOUR_SECTION up to the end; expected one");
  tour.name = std::move(entries.name);
  tour.comment = std::move(entries.comment);
  return tour;
}

void write_tour(std::ostream& out, const Tour& tour) {
  const std::string text = text_of(tour);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void write_tour_file(const std::string& path, const Tour& tour) {
  const std::string text = text_of(tour);  // before the file is opened, which empties it
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) throw InvalidInput(path + ": cannot be written; expected a path for a new file");
}

}  // namespace rooftop::routing
