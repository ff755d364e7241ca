// Where ROOFTOP_TSPLIB names a folder of TSPLIB's files (name.tsp, name.opt.tour): the lengths that are known.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "rooftop/tsplib.hpp"

namespace rooftop::routing::testing {
namespace {

std::filesystem::path folder() {
  const char* const value = std::getenv("ROOFTOP_TSPLIB");
  return value == nullptr ? "" : value;
}

/// Of the tour 1, 2, …, n, by which TSPLIB 95 has implementations checked.
const std::map<std::string, std::int64_t> canonical = {{"pcb442", 221440}, {"gr666", 423710}, {"att532", 309636}};

const std::map<std::string, std::int64_t> optimal = {
    {"a280", 2579},      {"att48", 10628},    {"bayg29", 1610}, {"bays29", 2020},   {"berlin52", 7542},
    {"brg180", 1950},    {"ch130", 6110},     {"ch150", 6528},  {"eil101", 629},    {"eil51", 426},
    {"eil76", 538},      {"fri26", 937},      {"gr120", 6942},  {"gr202", 40160},   {"gr24", 1272},
    {"gr48", 5046},      {"gr666", 294358},   {"gr96", 55209},  {"kroa100", 21282}, {"kroc100", 20749},
    {"krod100", 21294},  {"lin105", 14379},   {"pa561", 2763},  {"pcb442", 50778},  {"pr1002", 259045},
    {"pr2392", 378032},  {"pr76", 108159},    {"rd100", 7910},  {"st70", 675},      {"tsp225", 3916},
    {"ulysses16", 6859}, {"ulysses22", 7013},
};

TEST(PublishedInstances, HaveTheirKnownLengths) {
  if (folder().empty()) GTEST_SKIP() << "ROOFTOP_TSPLIB names no folder of TSPLIB's files";
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    if (entry.path().extension() != ".tsp") continue;
    std::string name = entry.path().stem().string();
    const Instance instance = read_instance_file(entry.path().string());
    const std::filesystem::path tour = folder() / (name + ".opt.tour");
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (const auto known = canonical.find(name); known != canonical.end()) {
      std::vector<std::int32_t> order(static_cast<std::size_t>(instance.cities));
      std::iota(order.begin(), order.end(), 0);
      EXPECT_EQ(length(instance, order), known->second) << name;
    }
    if (const auto known = optimal.find(name); known != optimal.end() && std::filesystem::exists(tour)) {
      EXPECT_EQ(length(instance, read_tour_file(tour.string()).order), known->second) << name;
    }
  }
}

}  // namespace
}  // namespace rooftop::routing::testing
