// Compiled with -ffp-contract=off: a fused multiply-add may round to the neighbouring integer.
#include "distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>

namespace rooftop::routing {
namespace {

constexpr double pi = 3.141592;            // as the format has it
constexpr double earth_radius = 6378.388;  // km
constexpr double att_divisor = 10.0;
constexpr double full_turn = 360.0;  // degrees

std::int32_t nearest(double x) { return static_cast<std::int32_t>(x + 0.5); }

double norm(double dx, double dy, double dz = 0) { return std::sqrt(dx * dx + dy * dy + dz * dz); }

std::int32_t pseudo_euclidean(double dx, double dy) {
  const double r = std::sqrt((dx * dx + dy * dy) / att_divisor);
  const std::int32_t t = nearest(r);
  return t < r ? t + 1 : t;
}

std::int32_t geographical(double latitude_i, double longitude_i, double latitude_j, double longitude_j) {
  const double q1 = std::cos(geo_radians(longitude_i) - geo_radians(longitude_j));
  const double q2 = std::cos(geo_radians(latitude_i) - geo_radians(latitude_j));
  const double q3 = std::cos(geo_radians(latitude_i) + geo_radians(latitude_j));
  // Rounding may leave the cosine a little beyond 1.
  const double cosine = std::clamp(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0);
  return static_cast<std::int32_t>(earth_radius * std::acos(cosine) + 1.0);
}

/// Speeds of the motors for x, y and z.
std::int32_t slowest_motor(double dx, double dy, double dz, double sx, double sy, double sz) {
  const double turn = std::min(dx, std::abs(dx - full_turn));
  return nearest(100.0 * std::max({turn / sx, dy / sy, dz / sz}));
}

}  // namespace

double geo_radians(double degrees_minutes) {
  const double degrees = std::trunc(degrees_minutes);
  const double minutes = degrees_minutes - degrees;
  return pi * (degrees + 5.0 * minutes / 3.0) / 180.0;
}

int coordinates_of(Metric metric) {
  switch (metric) {
    case Metric::matrix:
      return 0;
    case Metric::euc_3d:
    case Metric::max_3d:
    case Metric::man_3d:
    case Metric::xray1:
    case Metric::xray2:
      return 3;
    default:
      return 2;
  }
}

double distance_bound(Metric metric, double dx, double dy, double dz) {
  // Rounding adds at most 1.
  switch (metric) {
    case Metric::euc_2d:
    case Metric::euc_3d:
    case Metric::ceil_2d:
      return norm(dx, dy, dz) + 1;
    case Metric::att:
      return norm(dx, dy) / std::sqrt(att_divisor) + 1;
    case Metric::max_2d:
    case Metric::max_3d:
      return std::max({dx, dy, dz}) + 1;
    case Metric::man_2d:
    case Metric::man_3d:
      return dx + dy + dz + 1;
    case Metric::xray1:
    case Metric::xray2:
      return 100 * std::max({dx, dy, dz}) + 1;
    case Metric::geo:
      return 3.15 * earth_radius + 1;
    case Metric::matrix:
      break;
  }
  return 0;
}

std::int32_t distance(const Instance& instance, std::int32_t from, std::int32_t to) {
  const auto i = static_cast<std::size_t>(from), j = static_cast<std::size_t>(to);
  if (instance.metric == Metric::matrix) return instance.matrix[i * static_cast<std::size_t>(instance.cities) + j];
  if (i == j) return 0;
  const auto& [x, y, z] = std::tie(instance.x, instance.y, instance.z);
  if (instance.metric == Metric::geo) return geographical(x[i], y[i], x[j], y[j]);
  const double dx = std::abs(x[i] - x[j]), dy = std::abs(y[i] - y[j]);
  const double dz = coordinates_of(instance.metric) == 3 ? std::abs(z[i] - z[j]) : 0;
  switch (instance.metric) {
    case Metric::ceil_2d:
      return static_cast<std::int32_t>(std::ceil(norm(dx, dy)));
    case Metric::max_2d:
    case Metric::max_3d:
      return std::max({nearest(dx), nearest(dy), nearest(dz)});
    case Metric::man_2d:
    case Metric::man_3d:
      return nearest(dx + dy + dz);
    case Metric::att:
      return pseudo_euclidean(dx, dy);
    case Metric::xray1:
      return slowest_motor(dx, dy, dz, 1, 1, 1);
    case Metric::xray2:
      return slowest_motor(dx, dy, dz, 1.25, 1.5, 1.15);
    default:
      return nearest(norm(dx, dy, dz));
  }
}

void require_distances(const Instance& instance) {
  const auto n = static_cast<std::size_t>(instance.cities);
  if (instance.metric != Metric::matrix) {
    const std::vector<double>* const columns[] = {&instance.x, &instance.y, &instance.z};
    for (int c = 0; c < coordinates_of(instance.metric); ++c) {
      if (columns[c]->size() == n) continue;
      throw InvalidInput(std::to_string(columns[c]->size()) + " coordinates " + "xyz"[c] +
                         "; expected one for each of " + std::to_string(n) + " cities");
    }
    return;
  }
  const std::vector<std::int32_t>& matrix = instance.matrix;
  if (matrix.size() != n * n) {
    throw InvalidInput("a matrix of " + std::to_string(matrix.size()) + " distances; expected " +
                       std::to_string(n * n));
  }
  const auto found = std::find(matrix.begin(), matrix.end(), std::numeric_limits<std::int32_t>::min());
  if (found == matrix.end()) return;
  const auto place = static_cast<std::size_t>(found - matrix.begin());
  throw InvalidInput("the distance from city " + std::to_string(place / n) + " to city " + std::to_string(place % n) +
                     " is " + std::to_string(*found) + "; expected -2147483647 to 2147483647");
}

std::int64_t length(const Instance& instance, std::span<const std::int32_t> order) {
  if (order.size() != static_cast<std::size_t>(instance.cities)) {
    throw InvalidInput("a tour of " + std::to_string(order.size()) + " cities; expected " +
                       std::to_string(instance.cities));
  }
  for (const std::int32_t city : order) {
    if (city < 0 || city >= instance.cities) {
      throw InvalidInput("a tour with city " + std::to_string(city) + "; expected 0 to " +
                         std::to_string(instance.cities - 1));
    }
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sum += distance(instance, order[i], order[i + 1 == order.size() ? 0 : i + 1]);
  }
  return sum;
}

}  // namespace rooftop::routing
