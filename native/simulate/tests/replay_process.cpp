#include "replay_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

namespace rooftop::simulate {

namespace {

std::string read(const std::filesystem::path& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

}  // namespace

json crossbar(int nodes, const std::string& progress, double share) {
  const json way{{"overhead_s", 1e-7},   {"latency_s", 1e-6}, {"bytes_per_s", 1e9},   {"eager_bytes", 1000},
                 {"progress", progress}, {"share", share},    {"handshake_s", 2.0e-6}};
  std::vector<int> node_of(static_cast<std::size_t>(nodes));
  std::iota(node_of.begin(), node_of.end(), 0);
  return {{"nodes", nodes},
          {"cores", 1},
          {"core_flops", 1e9},
          {"core_bytes_per_s", 1e10},
          {"memory_bytes_per_s", 1e11},
          {"node_link_bytes_per_s", 1e9},
          {"within", way},
          {"between", way},
          {"node_of", node_of}};
}

std::string recording(const std::vector<json>& bodies) {
  std::string text = json{{"format", "rooftop/recording/1"}, {"ranks", bodies.size()}}.dump() + "\n";
  for (std::size_t rank = 0; rank < bodies.size(); ++rank) {
    text += json{{"ranks", {rank}}, {"body", bodies[rank]}}.dump() + "\n";
  }
  return text;
}

std::string recording_of_all(int ranks, const json& body) {
  return recording(std::vector<json>(static_cast<std::size_t>(ranks), body));
}

Ended replay(const json& machine, const std::string& recording, const json& choices) {
  std::string pattern = testing::TempDir();
  pattern += "/replayXXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "recording") << recording;
  const json request{
      {"schema", "rooftop/replay/1"}, {"machine", machine}, {"recording", folder / "recording"}, {"choices", choices}};
  std::ofstream(folder / "request") << request.dump();
  std::ostringstream command;
  command << REPLAY << ' ' << folder / "request"
          << " > " << folder / "out"
          << " 2> " << folder / "err";
  const int status = std::system(command.str().c_str());
  Ended ended{.status = WEXITSTATUS(status), .out = read(folder / "out"), .message = read(folder / "err")};
  std::filesystem::remove_all(folder);
  return ended;
}

}  // namespace rooftop::simulate
