#include "program.hpp"

#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <rooftop/require.hpp>

namespace rooftop::simulate {

namespace {

using nlohmann::json;

const std::map<std::string, Collective> collectives{
    {"barrier", Collective::barrier},     {"bcast", Collective::bcast},
    {"reduce", Collective::reduce},       {"allreduce", Collective::allreduce},
    {"allgather", Collective::allgather}, {"reduce_scatter", Collective::reduce_scatter},
    {"alltoall", Collective::alltoall},   {"gather", Collective::gather},
    {"scatter", Collective::scatter}};

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
    found.bytes = amount(of, "bytes");
    if (name == "work") {
      found.seconds = amount(of, "seconds");
      found.flops = amount(of, "flops");
      found.threads = of.contains("threads") ? amount(of, "threads") : 1;
      require(found.threads > 0, "work has no threads");
      found.polls = amount(of, "polls");
      found.of = of.value("kind", "");
    } else if (name == "send" || name == "recv") {
      found.kind = name == "send" ? Operation::Kind::send : Operation::Kind::receive;
      found.partner = of.at(name == "send" ? "to" : "from").get<int>();
      require(found.partner >= 0 && found.partner < ranks_, name, " has rank ", found.partner, ", and there are ",
              ranks_);
      found.tag = of.value("tag", std::uint64_t{0});
      found.group = group_of(of, name);
      request(of, found);
    } else if (name == "wait") {
      found.kind = Operation::Kind::wait;
      found.requests = of.at("requests").get<std::vector<int>>();
    } else if (name == "loop") {
      found.kind = Operation::Kind::loop;
      found.times = of.at("times").get<std::int64_t>();
      require(found.times >= 0, "a loop runs ", found.times, " times");
      found.body = body(of.at("body"), depth + 1);
    } else {
      found.kind = Operation::Kind::collective;
      found.collective = collective_of(name);
      found.group = group_of(of, name);
      found.root = of.value("root", 0);
      if (of.contains("counts")) found.counts = of.at("counts").get<std::vector<double>>();
      request(of, found);
    }
    return found;
  }

  [[nodiscard]] int group_of(const json& of, const std::string& name) const {
    const auto group = of.value("group", std::string("world"));
    const auto known = groups_.find(group);
    require(known != groups_.end(), name, " names the group '", group, "', which the first line does not have");
    return known->second;
  }

  static double amount(const json& of, const char* name) {
    const auto found = of.find(name);
    if (found == of.end()) return 0;
    require(found->is_number() && found->get<double>() >= 0, "'", name, "' is ", found->dump(), ", expected 0 or more");
    return found->get<double>();
  }

  static void request(const json& of, Operation& found) {
    if (!of.contains("request")) return;
    found.blocking = false;
    found.requests = {of.at("request").get<int>()};
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
        ranks = one.at("ranks").get<int>();
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
