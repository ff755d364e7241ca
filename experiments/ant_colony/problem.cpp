#include "problem.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>
#include <rooftop/random.hpp>
#include <stdexcept>

#include "data.hpp"
#include "verify.hpp"

namespace ants {
namespace {

constexpr double side = 1'000'000;

std::int64_t whole_number(const nlohmann::json& parameters, const char* name, std::int64_t least, std::int64_t most) {
  const auto found = parameters.find(name);
  if (found == parameters.end() || !found->is_number_integer() || *found < least || *found > most) {
    throw std::invalid_argument(
        std::string("parameter '") + name + "' is " + (found == parameters.end() ? "missing" : found->dump()) +
        ": expected a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return found->get<std::int64_t>();
}

/// A coordinate of all cities: whole numbers from 0 to 1 000 000.
std::vector<double> coordinates(const nlohmann::json& parameters, const char* name) {
  const nlohmann::json& found = parameters.at(name);
  const auto fits = [](const nlohmann::json& one) {
    return one.is_number() && one >= 0 && one <= side && one == std::floor(one.get<double>());
  };
  if (!found.is_array() || found.size() < 8 || !std::ranges::all_of(found, fits)) {
    throw std::invalid_argument(std::string("parameter '") + name +
                                "' is no list of 8 or more whole numbers from 0 to 1000000");
  }
  return found.get<std::vector<double>>();
}

/// Uniform in [0, 1).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed) {}
  double next() { return 0.5 + 0.5 * stream_.uniform_double(drawn_++); }
  /// Normal with mean 0 and deviation 1, by Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - next()));
    return radius * std::cos(2 * std::numbers::pi * next());
  }

 private:
  rooftop::RandomStream stream_;
  std::uint64_t drawn_ = 0;
};

double onto_grid(double value) { return std::floor(std::clamp(value, 0.0, side)); }

/// As the DIMACS challenge's generators have it (D. S. Johnson, L. A. McGeoch, "Experimental analysis of heuristics for
/// the STSP", 2002): uniform in a square, or normal around one uniform centre for 100 cities.
void place(std::vector<double>& x, std::vector<double>& y, bool clustered, std::uint64_t seed) {
  Draws draws(seed);
  const std::size_t n = x.size();
  const std::size_t centres = clustered ? std::max<std::size_t>(n / 100, 1) : 0;
  std::vector<double> centre(2 * centres);
  for (double& value : centre) value = side * draws.next();
  const double deviation = side / std::sqrt(static_cast<double>(n));
  for (std::size_t city = 0; city < n; ++city) {
    if (clustered) {
      const auto chosen = static_cast<std::size_t>(draws.next() * static_cast<double>(centres));
      x[city] = onto_grid(centre[2 * chosen] + deviation * draws.normal());
      y[city] = onto_grid(centre[2 * chosen + 1] + deviation * draws.normal());
    } else {
      x[city] = onto_grid(side * draws.next());
      y[city] = onto_grid(side * draws.next());
    }
  }
}

}  // namespace

void Tours::place_cities(const nlohmann::json& parameters, std::uint64_t seed) {
  if (parameters.contains("x") && parameters.contains("y")) {
    x_ = coordinates(parameters, "x"), y_ = coordinates(parameters, "y");
    if (x_.size() == y_.size()) return;
    throw std::invalid_argument("parameter 'y' has " + std::to_string(y_.size()) + " coordinates, expected " +
                                std::to_string(x_.size()) + " as 'x' has");
  }
  if (parameters.contains("published")) {
    throw std::invalid_argument("the cities of " + parameters["published"].dump() +
                                " are not here: python benchmarks tours --fetch gets them");
  }
  const auto cities = static_cast<City>(whole_number(parameters, "cities", 8, 10'000'000));
  const nlohmann::json layout = parameters.contains("layout") ? parameters["layout"] : nlohmann::json("uniform");
  if (layout != "uniform" && layout != "clustered") {
    throw std::invalid_argument("parameter 'layout' is " + layout.dump() + ", expected \"uniform\" or \"clustered\"");
  }
  x_.assign(at(cities), 0), y_.assign(at(cities), 0);
  place(x_, y_, layout == "clustered", seed);
}

void Tours::set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) {
  const std::int64_t tours = whole_number(parameters, "tours", 64, std::int64_t{1} << 40);
  if (tours % 64 != 0) {
    throw std::invalid_argument("parameter 'tours' is " + std::to_string(tours) + ", expected a multiple of 64");
  }
  place_cities(parameters, seed);
  best_known_ =
      parameters.contains("best_known") ? whole_number(parameters, "best_known", 1, std::int64_t{1} << 50) : 0;
  bound_ = 0;
  tour_.assign(x_.size(), -1);
  problem_ = {.cities = static_cast<City>(x_.size()),
              .tours = tours,
              .seed = seed,
              .threads = threads,
              .x = x_.data(),
              .y = y_.data(),
              .tour = tour_.data(),
              .length = &length_,
              .ledger = &ledger_,
              .rank = rank_,
              .ranks = ranks_};
}

void Tours::poison() {
  std::ranges::fill(tour_, -1);
  length_ = -1;
  ledger_.clear();
  ledger_.timed = true;
}

nlohmann::json Tours::facts() {
  ledger_.timed = false;
  nlohmann::json figures = {{"memory_bytes", ledger_.memory_bytes.load()},
                            {"serial_ns", ledger_.serial_ns.load()},
                            {"waiting_ns", ledger_.waiting_ns.load()},
                            {"allocations", ledger_.allocations.load()},
                            {"allocation_ns", ledger_.allocation_ns.load()}};
  if (bound_ > 0) {  // of several ranks only the first has a tour
    figures["length"] = length_;
    if (best_known_ > 0) {
      figures["gap_to_best_known_percent"] =
          100 * (static_cast<double>(length_) / static_cast<double>(best_known_) - 1);
    }
    figures["excess_over_bound_percent"] = 100 * excess(problem_, bound_);
  }
  if (ledger_.construction_steps > 0) {
    figures["construction_ns_per_step"] =
        static_cast<double>(ledger_.construction_ns) / static_cast<double>(ledger_.construction_steps);
  }
  return {{"figures", figures}};
}

}  // namespace ants

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<ants::Tours>(); }
std::string_view experiment_name() { return "ant_colony"; }
}  // namespace rooftop
