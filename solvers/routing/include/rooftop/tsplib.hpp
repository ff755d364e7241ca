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

/// Input that cannot be taken. what() is one line: the source and its line, what is wrong, what was seen and expected.
class InvalidInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a distance follows from what the file gives. Every distance is an integer, rounded as the format says.
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
  xray1,   ///< a diffractometer's time: the slowest of three motors, x being an angle in degrees
  xray2,   ///< the same with motors of speeds 1.25, 1.5 and 1.15
  matrix,  ///< given one by one
};

/// A symmetric or asymmetric problem. Distances lie within ±(2^31 - 1), so a tour's length fits an int64.
struct Instance {
  std::string name, comment;  ///< several comments are lines of one
  std::int32_t cities = 0;    ///< at least 3
  bool symmetric = true;      ///< TYPE is TSP, not ATSP
  Metric metric = Metric::euc_2d;
  std::vector<double> x, y;          ///< `cities` values where the file has coordinates, also beside a matrix
  std::vector<double> z;             ///< `cities` values where it has three
  std::vector<std::int32_t> matrix;  ///< of Metric::matrix: from city i to city j at i cities + j; it may be negative
  std::vector<double> display_x, display_y;  ///< `cities` values where the file has some for drawing alone
  std::vector<std::pair<std::int32_t, std::int32_t>> fixed_edges;  ///< which every tour must use
  std::vector<std::string> remarks;  ///< keywords of the file that were skipped, a line each: its source and line, too
};

/// The order in which cities are visited.
struct Tour {
  std::string name, comment;
  std::vector<std::int32_t> order;
};

/// Takes TYPE TSP and ATSP with a complete graph. Keywords may be in lower case, entries and sections in any order, and
/// a word that begins with # begins a comment; a keyword that is unknown is skipped with a remark. Time and memory are
/// linear in what is read, whatever DIMENSION says. `source` names the stream in messages. Throws InvalidInput, also
/// for explicit matrices of more than 30 000 cities, for a matrix of TYPE TSP that is not symmetric, and for cities so
/// far apart that distances may exceed 2^31 - 1.
[[nodiscard]] Instance read_instance(std::istream& in, const std::string& source = "input");
[[nodiscard]] Instance read_instance_file(const std::string& path);

/// Takes TYPE TOUR with one tour that visits each of 1 to its number of cities once. Throws InvalidInput.
[[nodiscard]] Tour read_tour(std::istream& in, const std::string& source = "input");
[[nodiscard]] Tour read_tour_file(const std::string& path);

/// Writes what read_tour() reads back. Throws InvalidInput for an order that is no tour of 3 cities or more, and for a
/// name or comment that a file cannot hold; the stream's state tells whether writing went well.
void write_tour(std::ostream& out, const Tour& tour);
/// The same into a file, which stays as it was where the tour is refused. Throws InvalidInput also where the file
/// cannot be written.
void write_tour_file(const std::string& path, const Tour& tour);

/// From city i to city j, as the format defines it for the metric. A city is 0 from itself, except in a matrix, whose
/// diagonal is as given. 0 <= i, j < cities is not checked.
[[nodiscard]] std::int32_t distance(const Instance& instance, std::int32_t i, std::int32_t j);

/// Radians of a coordinate of Metric::geo, in degrees.minutes. The format's text rounds the degrees; the published
/// optima are those of truncating them, as is done here.
[[nodiscard]] double geo_radians(double degrees_minutes);

/// The length of the closed tour. Throws InvalidInput unless `order` has `cities` values from 0 to cities - 1; that
/// none comes twice is not checked.
[[nodiscard]] std::int64_t length(const Instance& instance, std::span<const std::int32_t> order);

}  // namespace rooftop::routing
