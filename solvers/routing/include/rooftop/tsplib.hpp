/// Travelling salesman problems and tours in the files of TSPLIB 95 (G. Reinelt, "TSPLIB 95", Heidelberg 1995).
///
/// Cities are numbered from 1 in files and from 0 here.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rooftop::routing {

/// Invalid input. what() is one line: the file and its line, what is wrong, the value seen, and what is expected.
class InvalidInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How distances are computed (EDGE_WEIGHT_TYPE). Every distance is an integer, rounded as TSPLIB defines it.
enum class Metric : std::uint8_t {
  euc_2d,   ///< Euclidean, to the nearest integer
  euc_3d,   ///< the same in space
  ceil_2d,  ///< Euclidean, up
  max_2d,   ///< the largest difference of a coordinate, to the nearest integer
  max_3d,
  man_2d,  ///< the sum of the coordinates' differences, to the nearest integer
  man_3d,
  att,     ///< Euclidean over the root of 10, up
  geo,     ///< in km on a sphere; x is the latitude and y the longitude in degrees.minutes
  xray1,   ///< a diffractometer's positioning time, that of the slowest of three motors; x is an angle in degrees
  xray2,   ///< the same with motor speeds 1.25, 1.5 and 1.15
  matrix,  ///< an explicit matrix
};

/// A symmetric or asymmetric problem. Distances lie within ±(2^31 - 1), so a tour's length fits an int64.
struct Instance {
  std::string name, comment;  ///< several comments are joined as lines
  std::int32_t cities = 0;    ///< at least 3
  bool symmetric = true;      ///< TYPE is TSP, not ATSP
  Metric metric = Metric::euc_2d;
  std::vector<double> x, y;          ///< [cities] if the file has coordinates, even with a matrix; else empty
  std::vector<double> z;             ///< [cities] if coordinates are three-dimensional; else empty
  std::vector<std::int32_t> matrix;  ///< Metric::matrix: from city i to city j at i * cities + j; may be negative
  std::vector<double> display_x, display_y;                        ///< [cities] if the file has DISPLAY_DATA_SECTION
  std::vector<std::pair<std::int32_t, std::int32_t>> fixed_edges;  ///< edges that every tour must have
  std::vector<std::string> remarks;  ///< skipped keywords of the file, each with the file's name and line
};

/// The order in which cities are visited.
struct Tour {
  std::string name, comment;
  std::vector<std::int32_t> order;
};

/// Reads a problem of TYPE TSP or ATSP on a complete graph. Keywords are case-insensitive, entries and sections may
/// come in any order, a word that starts with # starts a comment, and unknown keywords are skipped with a remark. Time
/// and memory are linear in the size of the input, whatever DIMENSION says. `source` names the stream in messages.
/// Throws InvalidInput for invalid input, which includes explicit matrices of more than 30 000 cities, matrices of TYPE
/// TSP that are not symmetric, and coordinates so far apart that a distance may exceed 2^31 - 1.
[[nodiscard]] Instance read_instance(std::istream& in, const std::string& source = "input");
[[nodiscard]] Instance read_instance_file(const std::string& path);

/// Reads a file of TYPE TOUR with one tour that visits each of its cities once. Throws InvalidInput.
[[nodiscard]] Tour read_tour(std::istream& in, const std::string& source = "input");
[[nodiscard]] Tour read_tour_file(const std::string& path);

/// Writes a tour that read_tour() reads back. Throws InvalidInput if `order` is not a tour of 3 cities or more, or if
/// the name or comment has line breaks or leading or trailing blanks. Check the stream's state for write errors.
void write_tour(std::ostream& out, const Tour& tour);
/// Writes a tour to a file, which is left unchanged if the tour is invalid. Throws InvalidInput, also if the file
/// cannot be written.
void write_tour_file(const std::string& path, const Tour& tour);

/// Returns the distance from city i to city j by the instance's metric. It is 0 for i = j, except in a matrix, whose
/// diagonal is used as given. Requires 0 <= i, j < cities, which is not checked.
[[nodiscard]] std::int32_t distance(const Instance& instance, std::int32_t i, std::int32_t j);

/// Converts a coordinate of Metric::geo from degrees.minutes to radians. TSPLIB's text rounds the degrees, but the
/// published optima hold if they are truncated, as here.
[[nodiscard]] double geo_radians(double degrees_minutes);

/// Returns the length of the closed tour. Throws InvalidInput unless `order` has `cities` values from 0 to cities - 1.
/// Repeated cities are not detected.
[[nodiscard]] std::int64_t length(const Instance& instance, std::span<const std::int32_t> order);

}  // namespace rooftop::routing
