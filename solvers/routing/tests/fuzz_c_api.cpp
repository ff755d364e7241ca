// Any sequence of calls of the C interface with any arguments: statuses with a message of one line, or tours that are
// what they say. Problems and searches are small.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <draw.hpp>
#include <iterator>
#include <string>
#include <vector>

#include "rooftop/routing.h"

namespace {

using rooftop::fuzzing::Draw;

void require(bool kept) {
  if (!kept) std::abort();
}

bool fine(int status) {
  if (status == ROOFTOP_ROUTING_OK) return true;
  require(status == ROOFTOP_ROUTING_INVALID_ARGUMENT);
  const std::string said = rooftop_routing_last_error();
  require(!said.empty());
  for (const char c : said) require(static_cast<unsigned char>(c) >= ' ');
  return false;
}

/// A file in memory, which others open by its path.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& text) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

constexpr std::int32_t most_cities = 24;

/// TSPLIB text of few cities, whose sections are right and whose values may be anything.
std::string instance_text(Draw& draw) {
  constexpr const char* metrics[] = {"EUC_2D", "CEIL_2D", "ATT", "GEO", "MAX_2D", "MAN_2D", "EUC_3D", "XRAY1", "XRAY2"};
  const auto cities = draw.within<std::int32_t>(3, most_cities);
  const bool explicit_weights = draw.rarely(2), directed = explicit_weights && draw.rarely(2);
  const unsigned metric = draw.below(std::size(metrics));
  const bool space = metric >= 6;
  std::string text = std::string("TYPE : ") + (directed ? "ATSP" : "TSP") + "\nDIMENSION : " + std::to_string(cities);
  text += std::string("\nEDGE_WEIGHT_TYPE : ") + (explicit_weights ? "EXPLICIT" : metrics[metric]) + "\n";
  if (explicit_weights) {
    text += std::string("EDGE_WEIGHT_FORMAT : ") + (directed ? "FULL_MATRIX" : "UPPER_ROW") + "\nEDGE_WEIGHT_SECTION\n";
    const std::int32_t weights = directed ? cities * cities : cities * (cities - 1) / 2;
    for (std::int32_t i = 0; i < weights; ++i) text += std::to_string(draw.integer<std::int32_t>(-20, 200)) + " ";
  } else {
    text += "NODE_COORD_SECTION\n";
    for (std::int32_t i = 1; i <= cities; ++i) {
      text += std::to_string(i);
      for (int c = 0; c < (space ? 3 : 2); ++c) text += " " + std::to_string(draw.real());
      text += "\n";
    }
  }
  if (draw.rarely(3)) {
    text += "\nFIXED_EDGES_SECTION\n";
    const unsigned edges = draw.below(static_cast<unsigned>(cities) + 1);
    const bool in_a_row = draw.rarely(2);
    for (unsigned i = 0; i < edges; ++i) {
      const auto from = in_a_row ? static_cast<std::int32_t>(i) + 1 : draw.within<std::int32_t>(1, cities);
      const auto to = in_a_row ? from % cities + 1 : draw.within<std::int32_t>(1, cities);
      text += std::to_string(from) + " " + std::to_string(to) + "\n";
    }
    text += "-1\n";
  }
  return text + "\nEOF\n";
}

rooftop_routing_problem* new_problem(Draw& draw) {
  rooftop_routing_problem* problem = reinterpret_cast<rooftop_routing_problem*>(1);
  rooftop_routing_problem** const there = draw.rarely(64) ? nullptr : &problem;
  bool made = false;
  const unsigned kind = draw.below(4);
  if (kind == 0) {
    const std::int32_t cities = draw.within<std::int32_t>(0, most_cities);
    std::vector<double> x, y;
    for (std::int32_t i = 0; i < cities; ++i) x.push_back(draw.real()), y.push_back(draw.real());
    const std::int32_t told = draw.rarely(32) ? -cities : cities;
    made = fine(rooftop_routing_problem_in_plane(told, draw.rarely(64) ? nullptr : x.data(),
                                                 draw.rarely(64) ? nullptr : y.data(), there));
  } else if (kind == 1) {
    const std::int32_t cities = draw.within<std::int32_t>(0, 12);
    const bool symmetric = draw.rarely(2);
    std::vector<std::int32_t> matrix;
    for (std::int32_t i = 0; i < cities * cities; ++i) matrix.push_back(draw.integer<std::int32_t>(-20, 200));
    const auto n = static_cast<std::size_t>(cities);
    for (std::size_t i = 0; symmetric && i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) matrix[i * n + j] = matrix[j * n + i];
    }
    const std::int32_t told = draw.rarely(32) ? draw.within<std::int32_t>(-1000, 2) : cities;
    made = fine(rooftop_routing_problem_of_matrix(told, draw.rarely(64) ? nullptr : matrix.data(), there));
  } else if (kind == 2) {
    constexpr const char* paths[] = {nullptr, "", "/", "/nonexistent/file.tsp", "/dev/null"};
    require(!fine(rooftop_routing_problem_read(paths[draw.below(std::size(paths))], there)));
  } else {
    const std::string text = instance_text(draw);
    if (draw.rarely(2)) {
      const std::int64_t size = draw.rarely(32) ? draw.integer<std::int64_t>(-9, 0) : std::ssize(text);
      made = fine(rooftop_routing_problem_of_text(draw.rarely(64) ? nullptr : text.data(), size,
                                                  draw.rarely(64) ? nullptr : "a\ntext", there));
    } else {
      const MemoryFile file(text);
      made = fine(rooftop_routing_problem_read(file.path().c_str(), there));
    }
  }
  require(made == (there != nullptr && problem != nullptr && problem != reinterpret_cast<rooftop_routing_problem*>(1)));
  return made ? problem : nullptr;
}

std::int32_t cities_of(const rooftop_routing_problem* problem) {
  std::int32_t cities = 0;
  require(fine(rooftop_routing_problem_cities(problem, &cities)) && cities >= 3);
  return cities;
}

struct Watcher {
  unsigned calls_left;
  const rooftop_routing_problem* problem;
};

int watch(const rooftop_routing_progress* progress, void* with) {
  auto& watcher = *static_cast<Watcher*>(with);
  require(progress->seconds >= 0 && progress->iterations >= 0);
  if (watcher.calls_left == 0) return 0;
  --watcher.calls_left;
  return 1;
}

void show(const rooftop_routing_progress* progress, const std::int32_t* order, void* with) {
  std::int64_t length = 0;
  require(fine(rooftop_routing_problem_length(static_cast<Watcher*>(with)->problem, order, &length)));
  require(length == progress->length);
}

/// The tour of a file, or nearly one.
std::vector<std::int32_t> initial_tour(Draw& draw, const rooftop_routing_problem* problem) {
  const std::int32_t cities = problem == nullptr ? 3 : cities_of(problem), turn = draw.within<std::int32_t>(0, cities);
  std::string text = "TYPE : TOUR\nTOUR_SECTION\n";
  for (std::int32_t i = 0; i < cities; ++i) text += std::to_string((i + turn) % cities + 1) + " ";
  if (draw.rarely(16)) text += std::to_string(draw.integer<std::int32_t>(-2, cities + 1));
  std::vector<std::int32_t> order(static_cast<std::size_t>(cities), -1);
  const bool read = fine(rooftop_routing_problem_tour_of_text(problem, text.data(), std::ssize(text),
                                                              draw.rarely(64) ? nullptr : "tour", order.data()));
  require(!read || problem != nullptr);
  if (draw.rarely(16)) order[draw.below(static_cast<unsigned>(cities))] = draw.integer<std::int32_t>(-1, cities);
  return order;
}

rooftop_routing_solution* new_solution(Draw& draw, const rooftop_routing_problem* problem) {
  rooftop_routing_options options;
  rooftop_routing_default_options(&options);
  Watcher watcher{draw.below(3), problem};
  options.seconds = draw.real();
  options.iterations = draw.integer<std::int64_t>(1, 20);
  options.seed = draw.byte();
  options.threads = draw.rarely() ? draw.wild<std::int32_t>() : draw.within<std::int32_t>(1, 2);
  options.watch = draw.rarely(4) ? watch : nullptr;
  options.watch_with = &watcher;
  const std::vector<std::int32_t> initial = draw.rarely(3) ? initial_tour(draw, problem) : std::vector<std::int32_t>();
  options.initial = initial.empty() ? nullptr : initial.data();
  options.show = draw.rarely(4) ? show : nullptr;
  options.show_with = &watcher;
  options.show_every = draw.rarely(4) ? draw.real() : 0;
  // A search ends soon: by its ants, by its time, or because whoever watches ends it.
  if (options.iterations > 20 && options.watch != nullptr) watcher.calls_left = 0;
  if (options.iterations > 20 && options.watch == nullptr) options.iterations = 20;
  if (options.iterations == 0 && options.seconds > 0) options.seconds = 1e-4;
  if (options.threads == 0 || (options.threads > 2 && options.threads <= 4096)) options.threads = 2;
  rooftop_routing_solution* solution = reinterpret_cast<rooftop_routing_solution*>(1);
  rooftop_routing_solution** const there = draw.rarely(64) ? nullptr : &solution;
  const bool found = fine(rooftop_routing_solve(problem, &options, there));
  require(!found || (problem != nullptr && there != nullptr && solution != nullptr));
  require(found || there == nullptr || solution == nullptr);
  return found ? solution : nullptr;
}

void check_solution(Draw& draw, const rooftop_routing_problem* problem, const rooftop_routing_solution* solution) {
  rooftop_routing_result result{};
  require(!fine(rooftop_routing_solution_result(solution, nullptr)));
  if (!fine(rooftop_routing_solution_result(solution, &result))) {
    require(solution == nullptr);
    return;
  }
  require(result.cities >= 3 && result.history_count >= 1);
  require(result.history[result.history_count - 1].length == result.length);
  std::vector<bool> seen(static_cast<std::size_t>(result.cities));
  for (std::int32_t i = 0; i < result.cities; ++i) {
    const auto city = static_cast<std::size_t>(result.order[i]);
    require(city < seen.size() && !seen[city]);
    seen[city] = true;
  }
  // The solution may be another problem's, which was destroyed since.
  std::int64_t length = 0;
  if (problem != nullptr && cities_of(problem) == result.cities) {
    (void)fine(rooftop_routing_problem_length(problem, result.order, &length));
  }
  constexpr const char* names[] = {"name", "", " blanks ", "two\nlines", "\xff\x01", nullptr};
  const MemoryFile file("");
  const std::string path = file.path();
  const char* const paths[] = {path.c_str(), path.c_str(), path.c_str(), "/dev/full", "/nonexistent/tour", "", nullptr};
  (void)fine(rooftop_routing_solution_write(solution, names[draw.below(std::size(names))],
                                            paths[draw.below(std::size(paths))]));
}

void ask_problem(Draw& draw, const rooftop_routing_problem* problem) {
  const char* const name = rooftop_routing_problem_name(problem);
  const double* const x = rooftop_routing_problem_x(problem);
  const double* const y = rooftop_routing_problem_y(problem);
  require(!fine(rooftop_routing_problem_cities(problem, nullptr)));
  std::int64_t length = 0;
  require(!fine(rooftop_routing_problem_length(problem, nullptr, &length)));
  if (problem == nullptr) {
    require(rooftop_routing_problem_remarks(problem) == nullptr);
    require(name == nullptr && x == nullptr && y == nullptr);
    return;
  }
  const std::int32_t cities = cities_of(problem);
  require(name != nullptr && (x == nullptr) == (y == nullptr));
  double sum = 0;
  for (std::int32_t i = 0; x != nullptr && i < cities; ++i) sum += x[i] + y[i];
  require(sum == sum);
  std::vector<std::int32_t> order;
  const bool sound = draw.rarely(2);
  for (std::int32_t i = 0; i < cities; ++i) order.push_back(sound ? i : draw.integer<std::int32_t>(0, cities - 1));
  (void)fine(rooftop_routing_problem_length(problem, order.data(), &length));
  require(!fine(rooftop_routing_problem_length(problem, order.data(), nullptr)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Draw draw(data, size);
  rooftop_routing_problem* problem = nullptr;
  rooftop_routing_solution* solution = nullptr;
  for (int calls = 0; calls < 8 && !draw.empty(); ++calls) {
    switch (draw.below(6)) {
      case 0:
      case 1:
        rooftop_routing_problem_destroy(problem);
        problem = new_problem(draw);
        break;
      case 2:
        rooftop_routing_solution_destroy(solution);
        solution = new_solution(draw, problem);
        break;
      case 3:
        check_solution(draw, problem, solution);
        break;
      case 4:
        ask_problem(draw, problem);
        break;
      default:
        rooftop_routing_problem_destroy(problem);
        problem = nullptr;
    }
  }
  rooftop_routing_problem_destroy(problem);
  rooftop_routing_solution_destroy(solution);
  return 0;
}
