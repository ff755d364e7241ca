/// Replays in a process of their own: SimGrid has one simulation in each.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rooftop::simulate {

using nlohmann::json;

/// So many nodes of one core, joined by a crossbar. Latency 1 us, overhead 0.1 us, 1 GB/s, eager up to 1000 bytes.
json crossbar(int nodes, const std::string& progress = "calls", double share = 0);

/// What each rank does: the text of a recording.
std::string recording(const std::vector<json>& bodies);
/// The same for all of so many ranks.
std::string recording_of_all(int ranks, const json& body);

struct Ended {
  int status = 0;
  std::string out, message;

  [[nodiscard]] json answer() const { return json::parse(out); }
  [[nodiscard]] double seconds() const { return answer().at("seconds").get<double>(); }
};

Ended replay(const json& machine, const std::string& recording, const json& choices = json::object());

}  // namespace rooftop::simulate
