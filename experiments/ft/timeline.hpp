/// What a rank did when in a run that is verified.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace ft {

struct Event {
  const char* phase;              ///< "columns", "planes", "exchange", "waiting"
  int transform;                  ///< 1 is the one forth
  std::int64_t begin_ns, end_ns;  ///< of the steady clock, the same for all processes of a machine
};

/// Runs that are timed are not recorded: their events would fill the memory.
class Timeline {
 public:
  void start() {
    events_.clear();
    records_ = true;
  }
  void stop() { records_ = false; }

  void add(const Event& event) {
    if (records_) events_.push_back(event);
  }
  template <typename Call>
  void timed(const char* phase, int transform, const Call& call) {
    const std::int64_t begin_ns = now_ns();
    call();
    add({phase, transform, begin_ns, now_ns()});
  }
  [[nodiscard]] static std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }

 private:
  std::vector<Event> events_;
  bool records_ = false;
};

}  // namespace ft
