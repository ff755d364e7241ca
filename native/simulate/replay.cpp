#include "replay.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <rooftop/require.hpp>

#include "rank.hpp"

namespace rooftop::simulate {

namespace sg = simgrid::s4u;

namespace {

// The address sanitizer knows the stacks of threads, and not those that SimGrid makes by itself.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROOFTOP_ACTORS_ARE_THREADS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ROOFTOP_ACTORS_ARE_THREADS
#endif
#ifdef ROOFTOP_ACTORS_ARE_THREADS
constexpr const char* actors = "--cfg=contexts/factory:thread";
#else
constexpr const char* actors = "--cfg=contexts/stack-size:64";
#endif

/// Sets SimGrid up, once in a process: times to a nanosecond, and no factors of its own on what a description says.
sg::Engine& engine() {
  static std::vector<std::string> words{"replay",
                                        "--log=root.thresh:error",
                                        "--log=ker_engine.app:file:/dev/null",  // a deadlock is told below
                                        "--cfg=network/model:CM02",
                                        "--cfg=network/crosstraffic:0",
                                        "--cfg=network/TCP-gamma:0",
                                        "--cfg=surf/precision:1e-9",
                                        "--cfg=maxmin/precision:1e-9",
                                        actors,
                                        "--cfg=contexts/guard-size:0"};
  static std::vector<char*> arguments;
  static int count = 0;
  if (arguments.empty()) {
    for (auto& one : words) arguments.push_back(one.data());
    count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
  }
  static sg::Engine one(&count, arguments.data());
  return one;
}

}  // namespace

Replayed replay(const Recording& recording, const Description& description, const Choices& choices, std::size_t spans) {
  check(choices);
  require(recording.program_of.size() == description.node_of.size(), "the recording has ", recording.program_of.size(),
          " ranks, and the machine has places for ", description.node_of.size());
  sg::Engine& all = engine();
  Machine machine(description);
  World world{.recording = recording, .choices = choices, .exchange = Exchange(machine), .loops = {}, .spans = spans};
  std::vector<std::unique_ptr<Rank>> ranks;
  std::exception_ptr failed;
  int running = description.ranks();
  for (int rank = 0; rank < description.ranks(); ++rank) {
    ranks.push_back(std::make_unique<Rank>(world, rank));
    sg::Actor::create("rank" + std::to_string(rank), machine.place_of(rank), [&, own = ranks.back().get()] {
      try {
        own->run();
        --running;
      } catch (const RequirementFailed&) {
        if (!failed) failed = std::current_exception();
        sg::Actor::kill_all();
      }
    });
  }
  all.run();
  if (failed) std::rethrow_exception(failed);
  Replayed found{.seconds = 0, .ranks = {}, .ended = {}, .loops = {}, .spans = {}, .loads = machine.loads()};
  const std::string unmatched = world.exchange.unmatched();
  require(running == 0, running, " ranks wait for ever: ", unmatched.empty() ? "for each other" : unmatched);
  require(unmatched.empty(), unmatched);
  for (const auto& rank : ranks) {
    found.ranks.push_back(rank->state());
    found.ended.push_back(rank->ended());
    found.seconds = std::max(found.seconds, rank->ended());
    found.spans.insert(found.spans.end(), rank->spans().begin(), rank->spans().end());
  }
  found.loops.assign(world.loops.begin(), world.loops.end());
  return found;
}

}  // namespace rooftop::simulate
