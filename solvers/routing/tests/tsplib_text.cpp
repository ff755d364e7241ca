#include "tsplib_text.hpp"

#include <sstream>

namespace rooftop::routing::testing {

Instance instance_of(const std::string& text) {
  std::istringstream in(text);
  return read_instance(in);
}

Tour tour_of(const std::string& text) {
  std::istringstream in(text);
  return read_tour(in);
}

std::string complaint(const std::string& text) {
  try {
    (void)instance_of(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

std::string tour_complaint(const std::string& text) {
  try {
    (void)tour_of(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

std::string problem(const std::string& cities, const std::string& entries_and_sections) {
  return "NAME : test\nTYPE : TSP\nDIMENSION : " + cities + "\n" + entries_and_sections + "EOF\n";
}

std::string plane(const std::string& metric, const std::string& cities, const std::string& nodes) {
  return problem(cities, "EDGE_WEIGHT_TYPE : " + metric + "\nNODE_COORD_SECTION\n" + nodes);
}

}  // namespace rooftop::routing::testing
