/// rooftop_replay REQUEST.json: replays a recording on a machine, and prints what came of it as one line of JSON.
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <rooftop/require.hpp>

#include "replay.hpp"

namespace {

using nlohmann::json;
using rooftop::require;
namespace simulate = rooftop::simulate;

simulate::Choices choices_of(const json& of) {
  simulate::Choices found;
  found.alltoall = of.value("alltoall", found.alltoall);
  found.bcast = of.value("bcast", found.bcast);
  found.allreduce = of.value("allreduce", found.allreduce);
  found.allgather = of.value("allgather", found.allgather);
  found.reduce = of.value("reduce", found.reduce);
  found.window = of.value("window", found.window);
  found.grain = of.value("grain", found.grain);
  found.segment_bytes = of.value("segment_bytes", found.segment_bytes);
  return found;
}

json told(const simulate::Replayed& replayed) {
  json ranks = json::array(), loops = json::array(), spans = json::array(), links = json::array();
  for (std::size_t rank = 0; rank < replayed.ranks.size(); ++rank) {
    const auto& one = replayed.ranks[rank];
    ranks.push_back({{"ended_s", replayed.ended[rank]},
                     {"computing_s", one.computing},
                     {"in_calls_s", one.waiting},
                     {"sent_bytes", one.sent},
                     {"messages", one.messages}});
  }
  for (const auto& one : replayed.loops) {
    loops.push_back({{"times", one.times()}, {"simulated", one.simulated()}, {"period_s", one.period_s()}});
  }
  for (const auto& one : replayed.spans) {
    spans.push_back({one.rank, one.what == 'w' ? "work" : "calls", one.from, one.until});
  }
  constexpr std::size_t most_links = 100;
  for (const auto& [name, bytes] : replayed.loads) {
    if (links.size() < most_links) links.push_back({name, bytes});
  }
  return {{"schema", "rooftop/replayed/1"},
          {"seconds", replayed.seconds},
          {"ranks", ranks},
          {"loops", loops},
          {"spans", spans},
          {"links", links}};
}

int run(const char* path) {
  std::ifstream file(path);
  require(file.good(), "cannot read ", path);
  const json request = json::parse(file);
  const std::string schema = request.value("schema", "");
  require(schema == "rooftop/replay/1", "the schema is '", schema, "', expected rooftop/replay/1");
  const auto recorded = request.at("recording").get<std::string>();
  std::ifstream lines(recorded);
  require(lines.good(), "cannot read ", recorded);
  const auto recording = simulate::read_recording(lines);
  const auto machine = simulate::read_description(request.at("machine"));
  const auto replayed = simulate::replay(recording, machine, choices_of(request.value("choices", json::object())),
                                         request.value("spans", std::size_t{0}));
  std::cout << told(replayed).dump() << '\n';
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    require(count == 2, "usage: rooftop_replay REQUEST.json");
    return run(arguments[1]);
  } catch (const std::exception& failed) {
    std::cerr << failed.what() << '\n';
    return 2;
  }
}
