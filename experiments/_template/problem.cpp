#include <limits>
#include <nlohmann/json.hpp>
#include <rooftop/random.hpp>
#include <stdexcept>

#include "data.hpp"

namespace dot {

void DotProduct::set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const auto n = parameters.find("n");
  if (n == parameters.end() || !n->is_number_integer() || n->get<std::int64_t>() < 1 || n->get<std::int64_t>() > most) {
    throw std::invalid_argument("'n' is " + (n == parameters.end() ? "missing" : n->dump()) +
                                ": expected the vectors' length, a whole number from 1 to 2^40");
  }
  const auto size = n->get<std::size_t>();
  x_ = rooftop::AlignedArray<double>(size);
  y_ = rooftop::AlignedArray<double>(size);
  rooftop::fill_uniform(x_.span(), 2 * seed);
  rooftop::fill_uniform(y_.span(), 2 * seed + 1);
  problem_ = {size, threads, x_.data(), y_.data(), &result_};
}

void DotProduct::poison() { result_ = std::numeric_limits<double>::quiet_NaN(); }

}  // namespace dot

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<dot::DotProduct>(); }
std::string_view experiment_name() { return "_template"; }
}  // namespace rooftop
