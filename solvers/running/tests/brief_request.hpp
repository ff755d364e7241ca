/// A caller that asks a run to stop, soon and for a moment only: whoever has seen it stops all the same.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace rooftop::running {

class BriefRequest {
 public:
  /// Made by another thread once it has given up the processor so many times.
  explicit BriefRequest(int yields)
      : thread_([this, yields] {
          for (int i = 0; i < yields; ++i) std::this_thread::yield();
          flag_ = 1;
          flag_ = 0;
        }) {}
  BriefRequest(const BriefRequest&) = delete;
  BriefRequest& operator=(const BriefRequest&) = delete;
  ~BriefRequest() { thread_.join(); }

  [[nodiscard]] const std::int32_t* flag() const { return reinterpret_cast<const std::int32_t*>(&flag_); }

 private:
  std::atomic<std::int32_t> flag_{0};
  static_assert(sizeof flag_ == sizeof(std::int32_t));
  std::thread thread_;
};

}  // namespace rooftop::running
