#include "machine.hpp"

#include <algorithm>
#include <rooftop/require.hpp>

namespace rooftop::simulate {

namespace sg = simgrid::s4u;

namespace {

using Leaf = std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>;

constexpr double closed = 1e-9;  // of a rate: SimGrid knows no link without any

/// SimGrid 3.32 ignores the rate that such a flow is given: what it takes at most is said by links on its route.
sg::CommPtr start(sg::Host* source, sg::Host* target, double bytes) {
  require(bytes < 0x1p63, "a message or piece of work has ", bytes, " bytes, expected less than ", 0x1p63);
  auto flow = sg::Comm::sendto_init();
  // It begins as soon as both places are known.
  flow->set_payload_size(static_cast<std::uint64_t>(bytes))->set_source(source)->set_destination(target);
  return flow;
}

/// The links of a route, without those that are not there.
template <typename... Links>
std::vector<sg::LinkInRoute> route_of(Links*... links) {
  std::vector<sg::LinkInRoute> found;
  for (sg::Link* one : {static_cast<sg::Link*>(links)...}) {
    if (one != nullptr) found.emplace_back(one);
  }
  return found;
}

}  // namespace

Machine::Machine(Description description)
    : description_(std::move(description)),
      nodes_(static_cast<std::size_t>(description_.nodes)),
      posts_(nodes_.size()),
      cores_of_(description_.node_of.size()),
      routers_(nodes_.size()),
      ranks_on_(nodes_.size()),
      ranks_of_(nodes_.size()),
      gates_(2 * description_.node_of.size()) {
  for (int rank = 0; rank < description_.ranks(); ++rank) {
    ++ranks_on_[static_cast<std::size_t>(node_of(rank))];
    ranks_of_[static_cast<std::size_t>(node_of(rank))].push_back(rank);
  }
  build(nullptr);
}

void Machine::build(sg::NetZone* root) {
  const Topology& net = description_.topology;
  const auto leaf = [this](sg::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
    sg::NetZone* node = add_node(zone, static_cast<int>(id));
    return Leaf{node->get_netpoint(), routers_[id]};
  };
  // Latencies are the replay's own: in SimGrid one of a flow would also be its weight where flows share a link.
  const sg::ClusterCallbacks callbacks(leaf);
  constexpr auto duplex = sg::Link::SharingPolicy::SPLITDUPLEX;
  if (net.kind == Topology::Kind::torus) {
    const std::vector<unsigned long> dimensions(net.shape.at(0).begin(), net.shape.at(0).end());
    root = sg::create_torus_zone("network", nullptr, dimensions, callbacks, net.bytes_per_s, 0, duplex);
  } else if (net.kind == Topology::Kind::fat_tree) {
    const auto levels = static_cast<unsigned>(net.shape.at(0).size());
    root = sg::create_fatTree_zone("network", nullptr, {levels, net.shape.at(0), net.shape.at(1), net.shape.at(2)},
                                   callbacks, net.bytes_per_s, 0, duplex);
  } else if (net.kind == Topology::Kind::dragonfly) {
    const auto pair = [&net](std::size_t at) { return std::pair{net.shape.at(at).at(0), net.shape.at(at).at(1)}; };
    root = sg::create_dragonfly_zone("network", nullptr, {pair(0), pair(1), pair(2), net.shape.at(3).at(0)}, callbacks,
                                     net.bytes_per_s, 0, duplex);
  } else {
    root = sg::create_star_zone("network");
    std::vector<sg::LinkInRoute> backbone;
    if (description_.backbone_bytes_per_s > 0) {
      const auto* link = root->create_link("backbone", description_.backbone_bytes_per_s)->set_latency(0)->seal();
      backbone.emplace_back(link);
    }
    for (int node = 0; node < description_.nodes; ++node) {
      sg::NetZone* zone = add_node(root, node);
      root->add_route(zone->get_netpoint(), nullptr, routers_[static_cast<std::size_t>(node)], nullptr, backbone, true);
    }
  }
  root->seal();
}

sg::NetZone* Machine::add_node(sg::NetZone* parent, int node) {
  const std::string name = "node" + std::to_string(node);
  sg::NetZone* zone = sg::create_star_zone(name);
  zone->set_parent(parent);
  const auto at = static_cast<std::size_t>(node);
  const auto link = [&](const std::string& of, double rate) {
    return zone->create_link(name + "." + of, rate)->set_latency(0)->seal();
  };
  sg::Link* bus = link("memory", description_.memory_bytes_per_s);
  const double rate = description_.node_link_bytes_per_s;
  sg::Link* out = link("out", rate);
  sg::Link* in = link("in", rate);
  nodes_[at] = zone->create_host(name, 1e9)->seal();
  routers_[at] = zone->create_router(name + ".router");
  auto* place = nodes_[at]->get_netpoint();
  const std::vector<sg::LinkInRoute> over{sg::LinkInRoute(bus)};
  zone->add_route(place, place, nullptr, nullptr, over, false);
  zone->add_route(place, nullptr, nullptr, nullptr, over, true);
  // What leaves the node goes down to the router; what comes goes up from it.
  zone->add_route(routers_[at], nullptr, nullptr, nullptr, {sg::LinkInRoute(in)}, false);
  zone->add_route(nullptr, routers_[at], nullptr, nullptr, {sg::LinkInRoute(out)}, false);
  const auto limits = add_posts(zone, node, bus);
  for (const int rank : ranks_of_[at]) {
    add_cores(zone, rank, bus);
    add_gates(zone, rank, bus, limits);
  }
  zone->seal();
  return zone;
}

/// Places of messages that no gate holds. A link of the kind that flows do not share bounds each of them, where the
/// links that they cross anyway do not: one link less on all routes is a fifth of what a replay costs.
std::array<sg::Link*, 2> Machine::add_posts(sg::NetZone* zone, int node, sg::Link* bus) {
  std::array<sg::Link*, 2> limits{};
  const std::string name = "node" + std::to_string(node);
  sg::Host* post = posts_[static_cast<std::size_t>(node)] = zone->create_host(name + ".messages", 1e9)->seal();
  const bool crossbar = description_.topology.kind == Topology::Kind::crossbar;
  const double own = description_.node_link_bytes_per_s, of_network = description_.topology.bytes_per_s;
  const double narrowest = crossbar ? own : std::min(own, of_network);
  for (const Way way : {Way::within, Way::between}) {
    const WayOfMessages& messages = description_.ways[static_cast<std::size_t>(way)];
    if (way == Way::between && messages.copies * messages.bytes_per_s >= narrowest) continue;
    limits[static_cast<std::size_t>(way)] =
        zone->create_link(name + (way == Way::within ? ".copy" : ".send"), messages.copies * messages.bytes_per_s)
            ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)
            ->set_latency(0)
            ->seal();
  }
  auto* place = post->get_netpoint();
  zone->add_route(place, place, nullptr, nullptr, route_of(limits[0], bus), false);
  zone->add_route(place, nullptr, nullptr, nullptr, route_of(limits[1], bus), false);
  zone->add_route(nullptr, place, nullptr, nullptr, route_of(bus), false);
  return limits;
}

/// Where the work of a rank is: what its cores reach of the memory is a link before the bus.
void Machine::add_cores(sg::NetZone* zone, int rank, sg::Link* bus) {
  const std::string name = "rank" + std::to_string(rank) + ".work";
  Cores& cores = cores_of_[static_cast<std::size_t>(rank)];
  cores.host = zone->create_host(name, 1e9)->seal();
  cores.rate = description_.core_bytes_per_s;
  cores.link = zone->create_link(name + ".memory", cores.rate)->set_latency(0)->seal();
  auto* place = cores.host->get_netpoint();
  zone->add_route(place, place, nullptr, nullptr, {sg::LinkInRoute(cores.link), sg::LinkInRoute(bus)}, false);
}

void Machine::add_gates(sg::NetZone* zone, int rank, sg::Link* bus, const std::array<sg::Link*, 2>& limits) {
  for (const Way way : {Way::within, Way::between}) {
    const WayOfMessages& messages = description_.ways[static_cast<std::size_t>(way)];
    if (messages.progress != Progress::calls) continue;
    const std::string name = "rank" + std::to_string(rank) + (way == Way::within ? ".within" : ".between");
    Gate& gate = gate_of(rank, way);
    gate.host = zone->create_host(name, 1e9)->seal();
    gate.alone = messages.copies * messages.bytes_per_s;
    if (way == Way::between) gate.alone = std::min(gate.alone, description_.node_link_bytes_per_s / ranks_beside(rank));
    gate.in.link = zone->create_link(name + ".gate.in", 1)->set_latency(0)->seal();
    gate.out.link = zone->create_link(name + ".gate.out", 1)->set_latency(0)->seal();
    settle(gate);
    auto* place = gate.host->get_netpoint();
    sg::Link* limit = limits[static_cast<std::size_t>(way)];
    zone->add_route(place, nullptr, nullptr, nullptr, route_of(gate.out.link, limit, bus), false);
    zone->add_route(nullptr, place, nullptr, nullptr, route_of(bus, gate.in.link), false);
  }
}

void Machine::settle(Gate& gate) const {
  for (Side* side : {&gate.in, &gate.out}) {
    // Each call of SimGrid lets other actors run: what is wanted may have changed since the call before.
    const bool open = gate.held > 0 || gate.now < 0;
    // An open gate is wider than all that could pass it.
    const double rate = open ? 4 * (description_.memory_bytes_per_s + gate.alone) : gate.now;
    if (rate == side->rate) continue;
    side->rate = rate;
    side->link->set_bandwidth(rate);
  }
}

void Machine::gate(int rank, const std::array<double, 2>& fraction) {
  for (const Way way : {Way::within, Way::between}) {
    Gate& gate = gate_of(rank, way);
    if (gate.host == nullptr) continue;
    const double of = fraction[static_cast<std::size_t>(way)];
    gate.now = of >= 1 ? -1 : gate.alone * std::max(of, closed);
    settle(gate);
  }
}

void Machine::reach(int rank, double bytes_per_s) {
  Cores& cores = cores_of_[static_cast<std::size_t>(rank)];
  if (cores.rate == bytes_per_s) return;
  cores.rate = bytes_per_s;
  cores.link->set_bandwidth(bytes_per_s);
}

sg::CommPtr Machine::over_bus(int rank, double bytes, double at_most) {
  reach(rank, at_most);
  sg::Host* place = cores_of_[static_cast<std::size_t>(rank)].host;
  return start(place, place, bytes);
}

sg::CommPtr Machine::move(int from, int to, double bytes, bool gated) {
  const Way path = way(from, to);
  const WayOfMessages& kind = messages(from, to);
  carried_[{node_of(from), node_of(to)}] += bytes * (path == Way::within ? kind.copies : 1);
  sg::Host *source = posts_[static_cast<std::size_t>(node_of(from))],
           *target = posts_[static_cast<std::size_t>(node_of(to))];
  std::vector<Gate*> passed;
  if (gated && from != to && kind.progress == Progress::calls) {
    Gate &out = gate_of(from, path), &in = gate_of(to, path);
    source = out.host;
    target = in.host;
    // SimGrid bounds a flow for good by the narrowest link at its start, so both gates are open for that instant,
    // whatever others that act in it want of them.
    passed = {&out, &in};
  }
  for (Gate* gate : passed) {
    ++gate->held;
    settle(*gate);
  }
  const double copies = path == Way::within ? kind.copies : 1;
  auto flow = start(source, target, bytes * copies);
  for (Gate* gate : passed) {
    --gate->held;
    settle(*gate);
  }
  return flow;
}

double Machine::latency(int from, int to) {
  const double own = messages(from, to).latency_s;
  if (way(from, to) == Way::within || description_.topology.hop_s == 0) return own;
  const auto [found, fresh] = hops_.try_emplace({node_of(from), node_of(to)}, 0);
  if (fresh) {
    std::vector<sg::Link*> links;
    double none = 0;
    place_of(from)->route_to(place_of(to), links, &none);
    constexpr double of_nodes = 4;  // two memories, out and in
    found->second = static_cast<double>(links.size()) - of_nodes;
  }
  return own + description_.topology.hop_s * found->second;
}

std::vector<std::pair<std::string, double>> Machine::loads() const {
  std::map<std::string, double> sum;
  for (const auto& [nodes, bytes] : carried_) {
    std::vector<sg::Link*> links;
    double none = 0;
    nodes_[static_cast<std::size_t>(nodes.first)]->route_to(nodes_[static_cast<std::size_t>(nodes.second)], links,
                                                            &none);
    for (const sg::Link* link : links) sum[link->get_name()] += bytes;
  }
  std::vector<std::pair<std::string, double>> found(sum.begin(), sum.end());
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.second > b.second; });
  return found;
}

}  // namespace rooftop::simulate
