#include "specification.hpp"

#include <array>
#include <limits>
#include <string_view>

namespace rooftop::routing {
namespace {

template <class Value>
struct Choice {
  std::string_view word;
  Value value;
};

constexpr std::array types = {
    Choice<FileType>{"TSP", FileType::tsp},
    Choice<FileType>{"ATSP", FileType::atsp},
    Choice<FileType>{"TOUR", FileType::tour},
};
constexpr std::string_view problem_types = "TSP or ATSP", tour_type = "TOUR";
constexpr std::array metrics = {
    Choice<Metric>{"EUC_2D", Metric::euc_2d}, Choice<Metric>{"EUC_3D", Metric::euc_3d},
    Choice<Metric>{"MAX_2D", Metric::max_2d}, Choice<Metric>{"MAX_3D", Metric::max_3d},
    Choice<Metric>{"MAN_2D", Metric::man_2d}, Choice<Metric>{"MAN_3D", Metric::man_3d},
    Choice<Metric>{"ATT", Metric::att},       Choice<Metric>{"CEIL_2D", Metric::ceil_2d},
    Choice<Metric>{"GEO", Metric::geo},       Choice<Metric>{"XRAY1", Metric::xray1},
    Choice<Metric>{"XRAY2", Metric::xray2},   Choice<Metric>{"EXPLICIT", Metric::matrix},
};
constexpr std::array formats = {
    Choice<WeightFormat>{"FULL_MATRIX", WeightFormat::full_matrix},
    Choice<WeightFormat>{"UPPER_ROW", WeightFormat::upper_row},
    Choice<WeightFormat>{"LOWER_ROW", WeightFormat::lower_row},
    Choice<WeightFormat>{"UPPER_DIAG_ROW", WeightFormat::upper_diag_row},
    Choice<WeightFormat>{"LOWER_DIAG_ROW", WeightFormat::lower_diag_row},
    Choice<WeightFormat>{"UPPER_COL", WeightFormat::upper_col},
    Choice<WeightFormat>{"LOWER_COL", WeightFormat::lower_col},
    Choice<WeightFormat>{"UPPER_DIAG_COL", WeightFormat::upper_diag_col},
    Choice<WeightFormat>{"LOWER_DIAG_COL", WeightFormat::lower_diag_col},
    Choice<WeightFormat>{"FUNCTION", WeightFormat::function},
};
constexpr std::array coordinate_types = {
    Choice<int>{"TWOD_COORDS", 2},
    Choice<int>{"THREED_COORDS", 3},
    Choice<int>{"NO_COORDS", 0},
};
constexpr std::array displays = {
    Choice<DisplayType>{"COORD_DISPLAY", DisplayType::coordinates},
    Choice<DisplayType>{"TWOD_DISPLAY", DisplayType::two_dimensions},
    Choice<DisplayType>{"NO_DISPLAY", DisplayType::none},
};
constexpr std::array edge_formats = {
    Choice<bool>{"EDGE_LIST", false},
    Choice<bool>{"ADJ_LIST", true},
};

template <class Choices>
std::string listed(const Choices& choices) {
  std::string text;
  for (const auto& choice : choices) {
    if (!text.empty()) text += &choice == &choices.back() ? " or " : ", ";
    text += choice.word;
  }
  return text;
}

/// The first word of an entry's value. What follows it may be a remark in parentheses, or a comment, and nothing else.
std::string_view first_word(const Scanner& scanner, Key key, std::string_view value) {
  const std::size_t end = value.find_first_of(" \t\v\f(#");
  const std::string_view word = value.substr(0, end);
  const std::size_t remark = value.find_first_not_of(" \t\v\f", word.size());
  if (remark != std::string_view::npos && value[remark] != '(' && value[remark] != '#') {
    scanner.fail(std::string(name_of(key)) + " is " + quoted(value) + "; expected one word");
  }
  return word;
}

template <class Choices>
auto chosen(const Scanner& scanner, Key key, std::string_view value, const Choices& choices) {
  const std::string_view word = first_word(scanner, key, value);
  for (const auto& choice : choices) {
    if (same_word(choice.word, word)) return choice.value;
  }
  scanner.fail(std::string(name_of(key)) + " is " + quoted(word) + "; expected " + listed(choices));
}

FileType file_type(const Scanner& scanner, std::string_view value, Wanted wanted) {
  const std::string_view word = first_word(scanner, Key::type, value);
  for (const auto& choice : types) {
    if (same_word(choice.word, word)) return choice.value;
  }
  const std::string expected(wanted == Wanted::problem ? problem_types : tour_type);
  for (const std::string_view other : {"SOP", "HCP", "CVRP"}) {
    if (same_word(word, other)) {
      scanner.fail("TYPE is " + std::string(other) + ", which is not supported; expected " + expected);
    }
  }
  scanner.fail("TYPE is " + quoted(word) + "; expected " + expected);
}

Metric weight_type(const Scanner& scanner, std::string_view value) {
  if (same_word(first_word(scanner, Key::edge_weight_type, value), "SPECIAL")) {
    scanner.fail("EDGE_WEIGHT_TYPE is SPECIAL, a distance that the file does not define; expected " + listed(metrics));
  }
  return chosen(scanner, Key::edge_weight_type, value, metrics);
}

/// A value without the comment behind it, and the blanks between them.
std::string_view without_comment(std::string_view value) {
  constexpr std::string_view blanks = " \t\v\f";
  for (std::size_t at = value.find('#'); at != value.npos; at = value.find('#', at + 1)) {
    if (at == 0 || blanks.find(value[at - 1]) == blanks.npos) continue;
    return value.substr(0, value.find_last_not_of(blanks, at - 1) + 1);
  }
  return value;
}

std::int32_t dimension(const Scanner& scanner, std::string_view value) {
  const std::optional<std::int64_t> cities = to_integer(without_comment(value));
  if (!cities || *cities < 3 || *cities > std::numeric_limits<std::int32_t>::max()) {
    scanner.fail("DIMENSION is " + quoted(value) + "; expected a number of cities from 3 to 2147483647");
  }
  return static_cast<std::int32_t>(*cities);
}

void take_entry(Scanner& scanner, Specification& all, Key key) {
  const std::string_view value = scanner.rest_of_line();
  switch (key) {
    case Key::name:
      all.name = value;
      break;
    case Key::comment:
      if (all.has(Key::comment)) all.comment += '\n';
      all.comment += value;
      break;
    case Key::type:
      all.type = file_type(scanner, value, all.wanted);
      break;
    case Key::dimension:
      all.dimension = dimension(scanner, value);
      break;
    case Key::edge_weight_type:
      all.metric = weight_type(scanner, value);
      break;
    case Key::edge_weight_format:
      all.format = chosen(scanner, key, value, formats);
      break;
    case Key::node_coord_type:
      all.coordinates = chosen(scanner, key, value, coordinate_types);
      break;
    case Key::display_data_type:
      all.display = chosen(scanner, key, value, displays);
      break;
    case Key::edge_data_format:
      chosen(scanner, key, value, edge_formats);
      break;
    case Key::capacity:
      // Of a CVRP's vehicles: to a tour it means nothing.
      if (!to_integer(without_comment(value))) scanner.fail("CAPACITY is " + quoted(value) + "; expected an integer");
      break;
    default:
      break;
  }
}

/// Nothing for a name that is no keyword, which is skipped with what belongs to it.
std::optional<Key> next_key(Scanner& scanner, const Specification& all) {
  const bool named = scanner.at_key();
  const std::string_view word = scanner.key();
  if (const std::optional<Key> key = keyword(word)) return key;
  if (all.seen.none() && !named) {
    scanner.fail("not a TSPLIB file: it begins with " + quoted(word) + "; expected a keyword, such as NAME");
  }
  if (!is_name(word) && all.last_section) {
    scanner.fail(quoted(word) + " after the data of " + std::string(name_of(*all.last_section)) +
                 "; expected a keyword, such as EOF: is there more than DIMENSION says?");
  }
  if (!is_name(word)) scanner.fail(quoted(word) + "; expected a keyword, such as DIMENSION");
  scanner.remark("the keyword " + quoted(word) + " is unknown and skipped");
  scanner.skip_to_name();
  return std::nullopt;
}

/// Takes the entries that are left up to EOF, of which the sections may need some, and returns to where it began.
void look_ahead(Scanner& scanner, Specification& all) {
  const Scanner::Position begin = scanner.position();
  while (!scanner.at_end()) {
    const std::optional<Key> key = keyword(scanner.key());
    if (key == Key::eof) break;
    if (key && !begins_section(*key) && *key != Key::name && *key != Key::comment && !all.has(*key)) {
      take_entry(scanner, all, *key);
      all.seen.set(static_cast<std::size_t>(*key));
      all.ahead.set(static_cast<std::size_t>(*key));
    }
    scanner.skip_to_name();
  }
  scanner.rewind(begin);
}

}  // namespace

std::string_view name_of(Metric metric) {
  for (const auto& choice : metrics) {
    if (choice.value == metric) return choice.word;
  }
  return "";
}

std::string_view name_of(WeightFormat format) {
  for (const auto& choice : formats) {
    if (choice.value == format) return choice.word;
  }
  return "";
}

std::optional<Key> next_section(Scanner& scanner, Specification& specification) {
  if (scanner.at_end() && specification.seen.none()) scanner.fail("empty; expected a TSPLIB file");
  while (!scanner.at_end()) {
    const std::optional<Key> key = next_key(scanner, specification);
    if (!key) continue;
    if (key == Key::eof) return std::nullopt;
    const auto bit = static_cast<std::size_t>(*key);
    if (specification.ahead.test(bit)) {
      specification.ahead.reset(bit);
      scanner.rest_of_line();
      continue;
    }
    if (key != Key::comment && specification.has(*key)) {
      scanner.fail("a second " + std::string(name_of(*key)) + "; expected one");
    }
    if (begins_section(*key)) {
      if (!specification.last_section) look_ahead(scanner, specification);
      specification.last_section = key;
      specification.seen.set(bit);
      return key;
    }
    take_entry(scanner, specification, *key);
    specification.seen.set(bit);
  }
  return std::nullopt;
}

std::int32_t dimension_for(Key section, const Scanner& scanner, const Specification& specification) {
  if (!specification.dimension) {
    scanner.fail(std::string(name_of(section)) + " without DIMENSION; expected one");
  }
  return *specification.dimension;
}

}  // namespace rooftop::routing
