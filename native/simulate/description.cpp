#include <nlohmann/json.hpp>
#include <rooftop/require.hpp>
#include <string_view>

#include "machine.hpp"

namespace rooftop::simulate {

namespace {

using nlohmann::json;

double number(const json& of, std::string_view where, const char* name, double least, double otherwise) {
  const auto found = of.find(name);
  if (found == of.end() && otherwise >= least) return otherwise;
  require(found != of.end(), "the machine's ", where, " has no '", name, "'");
  require(found->is_number(), "the machine's ", where, ": '", name, "' is ", found->dump(), ", expected a number");
  const auto value = found->get<double>();
  require(value >= least, "the machine's ", where, ": '", name, "' is ", value, ", expected at least ", least);
  return value;
}

constexpr double missing = -1;  // no default
constexpr double positive = 1e-300;

Progress progress_of(const json& way) {
  const std::string name = way.value("progress", "calls");
  if (name == "calls") return Progress::calls;
  if (name == "thread") return Progress::thread;
  require(name == "hardware", "progress is '", name, "', expected calls, thread or hardware");
  return Progress::hardware;
}

WayOfMessages way_of(const json& machine, const char* name, double copies) {
  require(machine.contains(name), "the machine has no '", name, "'");
  const auto& of = machine.at(name);
  WayOfMessages way{.overhead_s = number(of, name, "overhead_s", 0, 0),
                    .gap_s = number(of, name, "gap_s", 0, 0),
                    .latency_s = number(of, name, "latency_s", 0, 0),
                    .bytes_per_s = number(of, name, "bytes_per_s", positive, missing),
                    .handshake_s = number(of, name, "handshake_s", -1, -1),
                    .eager_bytes = number(of, name, "eager_bytes", 0, 0),
                    .copies = number(of, name, "copies", 1, copies),
                    .progress = progress_of(of),
                    .share = number(of, name, "share", 0, 0),
                    .fragment_bytes = number(of, name, "fragment_bytes", 0, 0),
                    .sender_waits = of.value("sender_waits", true)};
  require(way.share <= 1, "the machine's ", name, ": 'share' is ", way.share, ", expected at most 1");
  return way;
}

Topology topology_of(const json& of, int nodes) {
  const std::string kind = of.value("kind", "crossbar");
  Topology found;
  unsigned long places = static_cast<unsigned long>(nodes);
  if (kind == "crossbar") return found;
  found.bytes_per_s = number(of, "topology", "bytes_per_s", positive, missing);
  found.hop_s = number(of, "topology", "hop_s", 0, 0);
  found.shape = of.at("shape").get<std::vector<std::vector<unsigned>>>();
  places = 1;
  if (kind == "torus") {
    found.kind = Topology::Kind::torus;
    require(found.shape.size() == 1, "a torus has one list of dimensions");
    for (const unsigned one : found.shape[0]) places *= one;
  } else if (kind == "fat_tree") {
    found.kind = Topology::Kind::fat_tree;
    require(found.shape.size() == 3, "a fat tree has three lists: down, up and parallel links of each level");
    for (const unsigned one : found.shape[0]) places *= one;
  } else {
    require(kind == "dragonfly", "the topology is '", kind, "', expected crossbar, torus, fat_tree or dragonfly");
    found.kind = Topology::Kind::dragonfly;
    // As in SimGrid: groups, chassis a group and routers a chassis with the links between them, and nodes a router.
    require(found.shape.size() == 4, "a dragonfly has groups, chassis and routers, each with its links, and nodes");
    for (const auto& one : found.shape) places *= one.at(0);
  }
  require(places == static_cast<unsigned long>(nodes), "the ", kind, " has ", places, " places for ", nodes, " nodes");
  return found;
}

}  // namespace

Description read_description(const json& json) {
  Description found;
  found.nodes = static_cast<int>(number(json, "nodes", "nodes", 1, missing));
  found.cores = static_cast<int>(number(json, "nodes", "cores", 1, missing));
  found.core_flops = number(json, "cores", "core_flops", positive, missing);
  found.core_bytes_per_s = number(json, "cores", "core_bytes_per_s", positive, missing);
  found.memory_bytes_per_s = number(json, "memory", "memory_bytes_per_s", positive, missing);
  const auto by_kind = json.value("core_flops_by_kind", nlohmann::json::object());
  for (const auto& [kind, rate] : by_kind.items()) {
    found.core_flops_by_kind[kind] = rate.get<double>();
    require(found.core_flops_by_kind[kind] > 0, "the machine's cores do ", rate.dump(), " flops of '", kind, "'");
  }
  found.node_link_bytes_per_s = number(json, "nodes", "node_link_bytes_per_s", positive, missing);
  found.backbone_bytes_per_s = number(json, "network", "backbone_bytes_per_s", 0, 0);
  found.rank_bytes_per_s = number(json, "memory", "rank_bytes_per_s", positive, found.memory_bytes_per_s);
  found.thread_cores = number(json, "cores", "thread_cores", 0, 1);
  found.instant_messages = json.value("instant_messages", false);
  found.ways = {way_of(json, "within", 2), way_of(json, "between", 1)};
  found.topology = topology_of(json.value("topology", json::object()), found.nodes);
  found.node_of = json.at("node_of").get<std::vector<int>>();
  require(!found.node_of.empty(), "the machine's 'node_of' is empty, expected the node of each rank");
  for (const int node : found.node_of) {
    require(node >= 0 && node < found.nodes, "a rank is on node ", node, ", and there are ", found.nodes);
  }
  return found;
}

}  // namespace rooftop::simulate
