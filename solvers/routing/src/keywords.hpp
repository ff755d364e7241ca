/// The words that begin an entry or a section of a TSPLIB file.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rooftop::routing {

enum class Key : std::uint8_t {
  name,
  type,
  comment,
  dimension,
  capacity,
  edge_weight_type,
  edge_weight_format,
  edge_data_format,
  node_coord_type,
  display_data_type,
  node_coord_section,  ///< the first that begins a section
  depot_section,
  demand_section,
  edge_data_section,
  fixed_edges_section,
  display_data_section,
  tour_section,
  edge_weight_section,
  eof,
};

inline constexpr std::array<std::string_view, 19> key_names = {
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "CAPACITY",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "EDGE_DATA_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
    "NODE_COORD_SECTION",
    "DEPOT_SECTION",
    "DEMAND_SECTION",
    "EDGE_DATA_SECTION",
    "FIXED_EDGES_SECTION",
    "DISPLAY_DATA_SECTION",
    "TOUR_SECTION",
    "EDGE_WEIGHT_SECTION",
    "EOF",
};

inline std::string_view name_of(Key key) { return key_names[static_cast<std::size_t>(key)]; }

inline bool begins_section(Key key) { return key >= Key::node_coord_section && key != Key::eof; }

/// Whether two words are the same but for upper and lower case of ASCII letters.
inline bool same_word(std::string_view a, std::string_view b) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char c, char d) { return upper(c) == upper(d); });
}

/// Nothing for a word that is no keyword. Lower case is taken too.
inline std::optional<Key> keyword(std::string_view word) {
  for (std::size_t i = 0; i < key_names.size(); ++i) {
    if (same_word(key_names[i], word)) return static_cast<Key>(i);
  }
  return std::nullopt;
}

}  // namespace rooftop::routing
