#include "program.hpp"

#include <cstdint>
#include <istream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <rooftop/require.hpp>
#include <type_traits>

namespace rooftop::simulate {

namespace {

using nlohmann::json;

const std::map<std::string, Collective> collectives{
    {"barrier", Collective::barrier},     {"bcast", Collective::bcast},
    {"reduce", Collective::reduce},       {"allreduce", Collective::allreduce},
    {"allgather", Collective::allgather}, {"reduce_scatter", Collective::reduce_scatter},
    {"scan", Collective::scan},           {"alltoall", Collective::alltoall},
    {"gather", Collective::gather},       {"scatter", Collective::scatter},
    {"gatherv", Collective::gatherv},     {"scatterv", Collective::scatterv}};

constexpr double most_bytes = 0x1p60, most_seconds = 1e12, most_flops = 1e30, most_threads = 1e6, most_polls = 1e15;
constexpr double most_pieces = 1e15;
/// Operations of a loop in a loop, all its times together.
constexpr double most_inside = 1e8;

/// What stands in the place of a number, for messages. Brackets in brackets are not written: that takes a stack as
/// deep.
std::string shown(const json& of) { return of.is_structured() ? std::string("a list or object") : of.dump(); }

/// A whole number: JSON's numbers with a point would be cut.
template <class T>
T whole(const json& of) {
  require(of.is_number_integer(), shown(of), " is no whole number");
  if constexpr (std::is_signed_v<T>) {
    const auto value = of.get<std::int64_t>();
    require(!of.is_number_unsigned() || of.get<std::uint64_t>() <= std::uint64_t{INT64_MAX}, shown(of),
            " is too large");
    require(value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max(), shown(of),
            " is too large");
    return static_cast<T>(value);
  } else {
    require(of.is_number_unsigned(), shown(of), " is negative, expected 0 or more");
    return of.get<T>();
  }
}

/// Reads operations for so many ranks and groups.
class Reader {
 public:
  Reader(int ranks, const std::map<std::string, int>& groups) : ranks_(ranks), groups_(groups) {}

  std::vector<Operation> body(const json& list, int depth = 0) const {
    require(list.is_array(), "the operations are ", list.type_name(), ", expected a list");
    require(depth <= 8, "loops lie deeper than 8 in each other");
    std::vector<Operation> found;
    for (const json& one : list) found.push_back(operation(one, depth));
    return found;
  }

 private:
  Operation operation(const json& of, int depth) const {
    const auto name = of.at("op").get<std::string>();
    Operation found;
    found.bytes = amount(of, "bytes", most_bytes);
    if (name == "work") {
      found.seconds = amount(of, "seconds", most_seconds);
      found.flops = amount(of, "flops", most_flops);
      found.threads = of.contains("threads") ? amount(of, "threads", most_threads) : 1;
      require(found.threads > 0, "work has no threads");
      found.polls = amount(of, "polls", most_polls);
      found.of = of.value("kind", "");
      schedule(of, found);
    } else if (name == "send" || name == "recv") {
      found.kind = name == "send" ? Operation::Kind::send : Operation::Kind::receive;
      found.partner = whole<int>(of.at(name == "send" ? "to" : "from"));
      require(found.partner >= 0 && found.partner < ranks_, name, " has rank ", found.partner, ", and there are ",
              ranks_);
      if (of.contains("tag")) found.tag = whole<std::uint64_t>(of.at("tag"));
      found.group = group_of(of, name);
      request(of, found);
    } else if (name == "wait") {
      found.kind = Operation::Kind::wait;
      for (const json& one : of.at("requests")) found.requests.push_back(whole<int>(one));
    } else if (name == "loop") {
      found.kind = Operation::Kind::loop;
      found.times = whole<std::int64_t>(of.at("times"));
      require(found.times >= 0, "a loop runs ", found.times, " times");
      found.body = body(of.at("body"), depth + 1);
      // An outermost loop is left when it repeats; what it has inside is done each time.
      require(depth == 0 || length(found) <= most_inside, "a loop in a loop does ", length(found),
              " operations, expected at most ", most_inside);
    } else {
      found.kind = Operation::Kind::collective;
      found.collective = collective_of(name);
      found.group = group_of(of, name);
      if (of.contains("root")) found.root = whole<int>(of.at("root"));
      if (of.contains("counts")) {
        for (const json& one : of.at("counts")) found.counts.push_back(checked(one, "counts", most_bytes));
      }
      request(of, found);
    }
    return found;
  }

  static void schedule(const json& of, Operation& found) {
    if (!of.contains("schedule")) {
      for (const char* name : {"pieces", "fetch_s", "waits"})
        require(!of.contains(name), "work has '", name, "' and no 'schedule'");
      return;
    }
    const auto name = of.at("schedule").get<std::string>();
    require(name == "static" || name == "dynamic", "the schedule is '", name, "', expected static or dynamic");
    found.schedule = name == "static" ? Schedule::fixed : Schedule::dynamic;
    found.pieces = amount(of, "pieces", most_pieces);
    require(found.pieces > 0, "work by a schedule has no 'pieces'");
    found.fetch_s = amount(of, "fetch_s", most_seconds);
    if (!of.contains("waits")) return;
    require(found.schedule == Schedule::dynamic, "work that 'waits' has a static schedule, expected dynamic");
    for (const json& one : of.at("waits")) found.requests.push_back(whole<int>(one));
  }

  [[nodiscard]] int group_of(const json& of, const std::string& name) const {
    const auto group = of.value("group", std::string("world"));
    const auto known = groups_.find(group);
    require(known != groups_.end(), name, " names the group '", group, "', which the first line does not have");
    return known->second;
  }

  static double amount(const json& of, const char* name, double most) {
    const auto found = of.find(name);
    return found == of.end() ? 0 : checked(*found, name, most);
  }

  static double checked(const json& number, const char* name, double most) {
    require(number.is_number(), "'", name, "' is ", shown(number), ", expected a number");
    const auto value = number.get<double>();
    require(value >= 0 && value <= most, "'", name, "' is ", shown(number), ", expected 0 to ", most);
    return value;
  }

  static double length(const Operation& one) {
    if (one.kind != Operation::Kind::loop) return 1;
    double once = 1;
    for (const Operation& inside : one.body) once += length(inside);
    return once * static_cast<double>(one.times);
  }

  static void request(const json& of, Operation& found) {
    if (!of.contains("request")) return;
    found.blocking = false;
    found.requests = {whole<int>(of.at("request"))};
  }

  int ranks_;
  const std::map<std::string, int>& groups_;
};

}  // namespace

Collective collective_of(const std::string& name) {
  const auto found = collectives.find(name);
  require(found != collectives.end(), "'", name, "' is not simulated");
  return found->second;
}

Recording read_recording(std::istream& lines) {
  Recording found;
  std::map<std::string, int> groups{{"world", 0}};
  std::string line;
  int at = 0, ranks = 0;
  while (std::getline(lines, line)) {
    ++at;
    if (line.empty()) continue;
    try {
      const json one = json::parse(line);
      if (ranks == 0) {
        const std::string format = one.value("format", "");
        require(format == "rooftop/recording/1", "the format is '", format, "', expected rooftop/recording/1");
        ranks = whole<int>(one.at("ranks"));
        require(ranks >= 1 && ranks <= 1 << 20, "there are ", ranks, " ranks, expected 1 to 1048576");
        found.program_of.assign(static_cast<std::size_t>(ranks), -1);
        found.groups.emplace_back();
        for (int rank = 0; rank < ranks; ++rank) found.groups[0].push_back(rank);
        const json named = one.value("groups", json::object());
        for (const auto& [name, members] : named.items()) {
          require(groups.emplace(name, found.groups.size()).second, "the group '", name, "' is there twice");
          found.groups.push_back(members.get<std::vector<int>>());
          for (const int rank : found.groups.back()) {
            require(rank >= 0 && rank < ranks, "the group '", name, "' has rank ", rank, ", and there are ", ranks);
          }
        }
        continue;
      }
      for (const int rank : one.at("ranks").get<std::vector<int>>()) {
        require(rank >= 0 && rank < ranks, "rank ", rank, " has a program, and there are ", ranks);
        int& own = found.program_of[static_cast<std::size_t>(rank)];
        require(own < 0, "rank ", rank, " has two programs");
        own = static_cast<int>(found.programs.size());
      }
      found.programs.push_back(Reader(ranks, groups).body(one.at("body")));
    } catch (const RequirementFailed& failed) {
      throw RequirementFailed("line " + std::to_string(at) + ": " + failed.what());
    } catch (const json::exception& failed) {
      throw RequirementFailed("line " + std::to_string(at) + ": " + failed.what());
    }
  }
  require(ranks > 0, "the recording is empty");
  for (int rank = 0; rank < ranks; ++rank) {
    require(found.program_of[static_cast<std::size_t>(rank)] >= 0, "rank ", rank, " has no program");
  }
  return found;
}

}  // namespace rooftop::simulate
