#include "node_table.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace rooftop::routing {
namespace {

/// Puts the columns into the cities' order. A city that comes twice is looked for again from `begin`, to give its line.
void sort_by_city(NodeTable& table, const std::vector<std::int32_t>& order, Scanner& scanner, Scanner::Position begin,
                  Key section, int width) {
  const std::size_t cities = order.size();
  std::vector<bool> seen(cities);
  for (std::size_t i = 0; i < cities; ++i) {
    const auto city = static_cast<std::size_t>(order[i]);
    if (seen[city]) {
      scanner.rewind(begin);
      for (std::size_t words = i * (static_cast<std::size_t>(width) + 1) + 1; words > 0; --words) scanner.word();
      scanner.fail(std::string(name_of(section)) + " gives city " + std::to_string(city + 1) +
                   " a second time; expected each of 1 to " + std::to_string(cities) + " once");
    }
    seen[city] = true;
  }
  for (auto& column : table.columns) {
    if (column.empty()) continue;
    std::vector<double> sorted(cities);
    for (std::size_t i = 0; i < cities; ++i) sorted[static_cast<std::size_t>(order[i])] = column[i];
    column = std::move(sorted);
  }
}

}  // namespace

void fail_at_end(Scanner& scanner, Key section, std::size_t done, std::size_t expected, const char* what) {
  const std::string at = scanner.at_end() ? "the end of the file" : quoted(scanner.word());
  scanner.fail(std::string(name_of(section)) + " ends at " + at + " after " + std::to_string(done) + " " + what +
               "; expected " + std::to_string(expected));
}

std::int32_t to_index(const Scanner& scanner, std::int64_t node, Key section, std::int32_t cities) {
  if (node < 1 || node > cities) {
    scanner.fail(std::string(name_of(section)) + " has city " + std::to_string(node) + "; expected 1 to " +
                 std::to_string(cities));
  }
  return static_cast<std::int32_t>(node - 1);
}

NodeTable read_node_table(Scanner& scanner, Key section, std::int32_t cities, int width) {
  const Scanner::Position begin = scanner.position();
  const auto expected = static_cast<std::size_t>(cities);
  // A number takes at least a digit and a blank: DIMENSION alone makes no memory be taken.
  const std::size_t likely = std::min(expected, scanner.left() / (2 * (static_cast<std::size_t>(width) + 1)) + 1);
  NodeTable table;
  for (int column = 0; column < width; ++column) table.columns[static_cast<std::size_t>(column)].reserve(likely);
  std::vector<std::int32_t> order;
  order.reserve(likely);
  bool sorted = true;
  for (std::size_t i = 0; i < expected; ++i) {
    std::int64_t node = 0;
    if (!scanner.integer(node, "a city's number")) fail_at_end(scanner, section, i, expected, "cities");
    const std::int32_t city = to_index(scanner, node, section, cities);
    sorted = sorted && static_cast<std::size_t>(city) == i;
    order.push_back(city);
    for (int column = 0; column < width; ++column) {
      double value = 0;
      if (!scanner.real(value, "a city's value")) fail_at_end(scanner, section, i, expected, "cities");
      table.columns[static_cast<std::size_t>(column)].push_back(value);
    }
  }
  if (!sorted) sort_by_city(table, order, scanner, begin, section, width);
  return table;
}

}  // namespace rooftop::routing
