#include "schedule.hpp"

#include <thread>

namespace rooftop::routing {

Schedule::Schedule(std::size_t colonies, City regions, int rounds)
    : regions_(regions), rounds_(rounds), of_(colonies) {}

std::optional<Schedule::Shift> Schedule::take() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Progress* chosen = nullptr;
    bool more = false;  // rounds that have not begun
    for (Progress& progress : of_) {
      if (progress.round + 1 < rounds_) more = true;
      if (progress.round == rounds_ || progress.handed_out == regions_) continue;
      if (chosen == nullptr || progress.round < chosen->round) chosen = &progress;
    }
    if (chosen != nullptr) {
      return Shift{static_cast<std::size_t>(chosen - of_.data()), chosen->round, chosen->handed_out++};
    }
    if (!more) return {};
    const unsigned before = ended_rounds_;
    lock.unlock();
    while (ended_rounds_ == before) std::this_thread::yield();
    lock.lock();
  }
}

bool Schedule::give_back(const Shift& shift) {
  const std::scoped_lock lock(mutex_);
  return ++of_[shift.colony].back == regions_;
}

void Schedule::gathered(const Shift& shift) {
  const std::scoped_lock lock(mutex_);
  of_[shift.colony] = {shift.round + 1, 0, 0};
  ++ended_rounds_;
}

}  // namespace rooftop::routing
