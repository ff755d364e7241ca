/// The entries of a TSPLIB file, KEYWORD : VALUE.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

#include "keywords.hpp"
#include "rooftop/tsplib.hpp"
#include "scanner.hpp"

namespace rooftop::routing {

enum class FileType : std::uint8_t { tsp, atsp, tour };
/// What a reader is asked for: a message names no type that it does not take.
enum class Wanted : std::uint8_t { problem, tour };

/// What is given of a matrix, and in which order.
enum class WeightFormat : std::uint8_t {
  function,
  full_matrix,
  upper_row,
  lower_row,
  upper_diag_row,
  lower_diag_row,
  upper_col,
  lower_col,
  upper_diag_col,
  lower_diag_col,
};

enum class DisplayType : std::uint8_t { coordinates, two_dimensions, none };

/// Entries that are absent are empty.
struct Specification {
  explicit Specification(Wanted what) : wanted(what) {}

  Wanted wanted;
  std::string name, comment;
  std::optional<FileType> type;
  std::optional<std::int32_t> dimension;
  std::optional<Metric> metric;
  std::optional<WeightFormat> format;
  std::optional<int> coordinates;  ///< of a city: 0, 2 or 3
  std::optional<DisplayType> display;

  std::bitset<key_names.size()> seen;
  std::bitset<key_names.size()> ahead;  ///< of these, what was taken before its place was reached
  std::optional<Key> last_section;

  [[nodiscard]] bool has(Key key) const { return seen[static_cast<std::size_t>(key)]; }
};

/// The words of the file for what the entries say, for messages.
std::string_view name_of(Metric metric);
std::string_view name_of(WeightFormat format);

/// Takes entries up to the next section, whose data follow; before the first one also those that stand after it. Skips
/// keywords that it does not know, with a remark. Nothing at the end of the file. Throws InvalidInput.
std::optional<Key> next_section(Scanner& scanner, Specification& specification);

/// DIMENSION, without which `section` cannot be read. Throws InvalidInput.
std::int32_t dimension_for(Key section, const Scanner& scanner, const Specification& specification);

}  // namespace rooftop::routing
