/// The simulated machine: nodes whose memory bus computing and messages share, and the network between them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace rooftop::simulate {

/// Where the two ranks of a message are: on one node, or on two.
enum class Way { within, between };

/// When messages of a way proceed: only while both ranks are in MPI calls, or always, with a thread's or the hardware's
/// help.
enum class Progress { calls, thread, hardware };

/// The constants of the messages of one way: LogGP, eager or by rendezvous.
struct WayOfMessages {
  double overhead_s = 0;    ///< of the processor, for each message sent or received
  double gap_s = 0;         ///< at least between two messages that a rank sends
  double latency_s = 0;     ///< from the sender to the receiver, beside the hops
  double bytes_per_s = 0;   ///< of one message alone
  double handshake_s = -1;  ///< of a message by rendezvous; negative: a round trip of an empty one
  double eager_bytes = 0;   ///< up to this size a message leaves before its receive is posted
  double copies = 1;        ///< how often a byte of it crosses the memory bus of a node
  Progress progress = Progress::calls;
  double share = 0;           ///< of its bandwidth, at which a message proceeds outside of calls
  double fragment_bytes = 0;  ///< what one call of MPI_Test moves; 0: all that can be moved until the next
  bool sender_waits = true;   ///< for the receiver of a message beyond the eager limit
};

struct Topology {
  enum class Kind { crossbar, torus, fat_tree, dragonfly } kind = Kind::crossbar;
  std::vector<std::vector<unsigned>>
      shape;               ///< torus: {dimensions}; fat tree: {down, up, links}; dragonfly: see machine.cpp
  double bytes_per_s = 0;  ///< of a link of the network
  double hop_s = 0;        ///< latency of one
};

struct Description {
  int nodes = 1, cores = 1;
  double core_flops = 0, core_bytes_per_s = 0, memory_bytes_per_s = 0;
  double rank_bytes_per_s = 0;  ///< of the memory that one rank's cores are near to
  std::map<std::string, double> core_flops_by_kind;
  double node_link_bytes_per_s = 0;  ///< of all messages that leave a node, and of all that come
  double backbone_bytes_per_s = 0;   ///< of all messages between nodes of a crossbar; 0: unlimited
  bool instant_messages = false;     ///< bytes take no time and no link: what is left is who waits for whom
  double thread_cores = 1;           ///< what a progress thread takes of a team whose node has no other core
  std::array<WayOfMessages, 2> ways;
  Topology topology;
  std::vector<int> node_of;  ///< by rank

  [[nodiscard]] int ranks() const { return static_cast<int>(node_of.size()); }
};

/// Reads a description. Throws RequirementFailed with what is wrong.
Description read_description(const nlohmann::json& json);

/// The machine in SimGrid. There is one in a process.
class Machine {
 public:
  explicit Machine(Description description);

  [[nodiscard]] const Description& description() const { return description_; }
  [[nodiscard]] Way way(int from, int to) const { return node_of(from) == node_of(to) ? Way::within : Way::between; }
  [[nodiscard]] const WayOfMessages& messages(int from, int to) const {
    return description_.ways[static_cast<std::size_t>(way(from, to))];
  }
  [[nodiscard]] double latency(int from, int to);
  [[nodiscard]] int ranks_beside(int rank) const { return ranks_on_[static_cast<std::size_t>(node_of(rank))]; }
  [[nodiscard]] simgrid::s4u::Host* place_of(int rank) const { return nodes_[static_cast<std::size_t>(node_of(rank))]; }

  /// Starts a rank's work with its memory, at most so many bytes a second. A rank does one at a time.
  [[nodiscard]] simgrid::s4u::CommPtr over_bus(int rank, double bytes, double at_most);
  /// Lets a rank's work have so many bytes a second from now on.
  void reach(int rank, double bytes_per_s);
  /// Starts to move a message. `gated`: it proceeds as both ranks let it.
  [[nodiscard]] simgrid::s4u::CommPtr move(int from, int to, double bytes, bool gated);

  /// Lets the gated messages of a rank proceed at a fraction of their bandwidth; 1 opens the gate.
  void gate(int rank, const std::array<double, 2>& fraction);

  /// Bytes carried by each link, largest first.
  [[nodiscard]] std::vector<std::pair<std::string, double>> loads() const;

 private:
  struct Side {
    simgrid::s4u::Link* link = nullptr;
    double rate = 0;  ///< the last that was asked for
  };
  struct Cores {
    simgrid::s4u::Host* host = nullptr;
    simgrid::s4u::Link* link = nullptr;
    double rate = 0;
  };
  struct Gate {
    simgrid::s4u::Host* host = nullptr;
    Side in, out;
    double alone = 0;  ///< bytes a second of this rank's messages, if every rank of its node sends
    double now = -1;   ///< what the gate lets through; negative: open
    int held = 0;      ///< messages that begin at this instant hold it open
  };

  [[nodiscard]] int node_of(int rank) const { return description_.node_of[static_cast<std::size_t>(rank)]; }
  simgrid::s4u::NetZone* add_node(simgrid::s4u::NetZone* parent, int node);
  std::array<simgrid::s4u::Link*, 2> add_posts(simgrid::s4u::NetZone* zone, int node, simgrid::s4u::Link* bus);
  void add_cores(simgrid::s4u::NetZone* zone, int rank, simgrid::s4u::Link* bus);
  void add_gates(simgrid::s4u::NetZone* zone, int rank, simgrid::s4u::Link* bus,
                 const std::array<simgrid::s4u::Link*, 2>& limits);
  void build(simgrid::s4u::NetZone* root);
  void settle(Gate& gate) const;
  [[nodiscard]] Gate& gate_of(int rank, Way way) {
    return gates_[2 * static_cast<std::size_t>(rank) + static_cast<std::size_t>(way)];
  }

  Description description_;
  std::vector<simgrid::s4u::Host*> nodes_, posts_;
  std::vector<Cores> cores_of_;  ///< by rank
  std::vector<simgrid::kernel::routing::NetPoint*> routers_;
  std::vector<int> ranks_on_;
  std::vector<std::vector<int>> ranks_of_;
  std::vector<Gate> gates_;
  std::map<std::pair<int, int>, double> hops_, carried_;
};

}  // namespace rooftop::simulate
