// read_instance(): the sections of a problem, and that what the file says of itself agrees.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "distance.hpp"
#include "fixed_edges.hpp"
#include "node_table.hpp"
#include "rooftop/tsplib.hpp"
#include "scanner.hpp"
#include "specification.hpp"
#include "weight_matrix.hpp"

namespace rooftop::routing {
namespace {

/// As few digits as give the same double again.
std::string shown(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

class InstanceReader {
 public:
  InstanceReader(std::istream& in, const std::string& source) : scanner_(in, source) {}

  Instance read() {
    while (const std::optional<Key> section = next_section(scanner_, entries_)) {
      if (entries_.type == FileType::tour) fail_for_tour();
      cities_ = dimension_for(*section, scanner_, entries_);
      read_section(*section);
    }
    if (entries_.type == FileType::tour) fail_for_tour();
    require_entries();
    require_agreement();
    instance_.name = std::move(entries_.name);
    instance_.comment = std::move(entries_.comment);
    instance_.remarks = scanner_.remarks();
    instance_.cities = *entries_.dimension;
    instance_.symmetric = *entries_.type == FileType::tsp;
    instance_.metric = *entries_.metric;
    if (instance_.metric == Metric::matrix) {
      if (instance_.symmetric) require_symmetric(scanner_, instance_.matrix, instance_.cities);
    } else {
      require_coordinates_in_bounds();
    }
    return std::move(instance_);
  }

 private:
  void read_section(Key section) {
    switch (section) {
      case Key::node_coord_section: {
        auto [columns] = read_node_table(scanner_, section, cities_, coordinates_to_read());
        instance_.x = std::move(columns[0]);
        instance_.y = std::move(columns[1]);
        instance_.z = std::move(columns[2]);
        break;
      }
      case Key::display_data_section: {
        if (entries_.display && entries_.display != DisplayType::two_dimensions) {
          scanner_.fail("DISPLAY_DATA_SECTION; expected none, or DISPLAY_DATA_TYPE TWOD_DISPLAY");
        }
        auto [columns] = read_node_table(scanner_, section, cities_, 2);
        instance_.display_x = std::move(columns[0]);
        instance_.display_y = std::move(columns[1]);
        break;
      }
      case Key::edge_weight_section:
        instance_.matrix = read_weight_matrix(scanner_, matrix_format(), cities_);
        break;
      case Key::fixed_edges_section:
        instance_.fixed_edges = read_fixed_edges(scanner_, cities_);
        break;
      // Depots and demands are a CVRP's: to a tour they mean nothing.
      case Key::demand_section:
        read_node_table(scanner_, section, cities_, 1);
        break;
      case Key::depot_section:
        skip_depots();
        break;
      case Key::edge_data_section:
        scanner_.fail(
            "EDGE_DATA_SECTION, a graph without some of the edges, is not supported; expected a complete one");
      default:
        scanner_.fail(std::string(name_of(section)) + " in a problem; expected it in a file of TYPE TOUR");
    }
  }

  /// Of the metric, or of drawing where the distances are a matrix.
  int coordinates_to_read() {
    if (!entries_.metric) {
      scanner_.fail("NODE_COORD_SECTION without EDGE_WEIGHT_TYPE; expected one");
    }
    if (entries_.coordinates == 0)
      scanner_.fail("NODE_COORD_SECTION with NODE_COORD_TYPE NO_COORDS; expected one of them");
    require_coordinate_type();
    const int needed = coordinates_of(*entries_.metric);
    return needed > 0 ? needed : entries_.coordinates.value_or(2);
  }

  void require_coordinate_type() {
    const int needed = coordinates_of(*entries_.metric);
    if (needed > 0 && entries_.coordinates && *entries_.coordinates != needed) {
      scanner_.fail("EDGE_WEIGHT_TYPE " + std::string(name_of(*entries_.metric)) + " with a NODE_COORD_TYPE of " +
                    std::to_string(*entries_.coordinates) + " coordinates; expected " + std::to_string(needed));
    }
  }

  WeightFormat matrix_format() {
    if (!entries_.metric || entries_.metric != Metric::matrix) {
      scanner_.fail(
          "EDGE_WEIGHT_SECTION with " +
          (entries_.metric ? "EDGE_WEIGHT_TYPE " + std::string(name_of(*entries_.metric)) : "no EDGE_WEIGHT_TYPE") +
          "; expected EDGE_WEIGHT_TYPE EXPLICIT");
    }
    if (!entries_.format || entries_.format == WeightFormat::function) {
      scanner_.fail("EDGE_WEIGHT_SECTION with " +
                    std::string(entries_.format ? "EDGE_WEIGHT_FORMAT FUNCTION" : "no EDGE_WEIGHT_FORMAT") +
                    "; expected a form of matrix, such as FULL_MATRIX");
    }
    return *entries_.format;
  }

  void skip_depots() {
    while (true) {
      std::int64_t node = 0;
      if (!scanner_.integer(node, "a city's number")) scanner_.fail("DEPOT_SECTION breaks off; expected -1 at its end");
      if (node == -1) return;
      to_index(scanner_, node, Key::depot_section, cities_);
    }
  }

  [[noreturn]] void fail_for_tour() { scanner_.fail("TYPE is TOUR, which is no problem; expected TSP or ATSP"); }

  void require_entries() {
    for (const Key key : {Key::type, Key::dimension, Key::edge_weight_type}) {
      if (!entries_.has(key)) scanner_.fail("no " + std::string(name_of(key)) + " up to the end; expected one");
    }
  }

  void require_agreement() {
    const std::string type = "EDGE_WEIGHT_TYPE " + std::string(name_of(*entries_.metric));
    if (entries_.metric == Metric::matrix) {
      if (instance_.matrix.empty()) scanner_.fail(type + " without EDGE_WEIGHT_SECTION; expected one");
    } else {
      require_coordinate_type();
      if (instance_.x.empty()) scanner_.fail(type + " without NODE_COORD_SECTION; expected one");
      if (entries_.format && entries_.format != WeightFormat::function) {
        scanner_.fail(type + " with EDGE_WEIGHT_FORMAT " + std::string(name_of(*entries_.format)) +
                      "; expected FUNCTION or none");
      }
    }
    if (entries_.display == DisplayType::two_dimensions && instance_.display_x.empty()) {
      scanner_.fail("DISPLAY_DATA_TYPE TWOD_DISPLAY without DISPLAY_DATA_SECTION; expected one");
    }
    if (entries_.display == DisplayType::coordinates && instance_.x.empty()) {
      scanner_.fail("DISPLAY_DATA_TYPE COORD_DISPLAY without NODE_COORD_SECTION; expected one");
    }
    if (entries_.coordinates.value_or(0) > 0 && instance_.x.empty()) {
      scanner_.fail("NODE_COORD_TYPE of " + std::to_string(*entries_.coordinates) +
                    " coordinates without NODE_COORD_SECTION; expected one");
    }
  }

  /// Where the box around the cities has a diagonal that fits, every distance does.
  void require_coordinates_in_bounds() {
    double span[3] = {0, 0, 0};
    const std::vector<double>* const columns[3] = {&instance_.x, &instance_.y, &instance_.z};
    for (int c = 0; c < coordinates_of(instance_.metric); ++c) {
      const auto [least, most] = std::minmax_element(columns[c]->begin(), columns[c]->end());
      span[c] = *most - *least;
      // Longitudes may count from 0 to 360.
      const double limit = c == 0 ? 90 : 360;
      if (instance_.metric == Metric::geo && (*least < -limit || *most > limit)) {
        scanner_.fail(std::string("a ") + (c == 0 ? "latitude" : "longitude") + " of " +
                      shown(*least < -limit ? *least : *most) + " degrees; expected at most " +
                      std::to_string(static_cast<int>(limit)) + " either way");
      }
    }
    const double bound = distance_bound(instance_.metric, span[0], span[1], span[2]);
    if (!(bound <= std::numeric_limits<std::int32_t>::max())) {
      scanner_.fail("coordinates that differ by up to " + shown(*std::max_element(span, span + 3)) +
                    "; expected distances of at most 2147483647");
    }
  }

  Scanner scanner_;
  Specification entries_{Wanted::problem};
  Instance instance_;
  std::int32_t cities_ = 0;
};

}  // namespace

Instance read_instance(std::istream& in, const std::string& source) { return InstanceReader(in, source).read(); }

}  // namespace rooftop::routing
