/// Operations that are done at once, or one after the other by a thread while the caller goes on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace h5bench {

class IoQueue {
 public:
  explicit IoQueue(bool asynchronous) {
    if (asynchronous) thread_ = std::thread([this] { work(); });
  }
  IoQueue(const IoQueue&) = delete;
  IoQueue& operator=(const IoQueue&) = delete;
  /// What has not begun is not done.
  ~IoQueue() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  /// Returns how many operations there are up to this one. Throws what the operation throws if it is done at once.
  std::uint64_t add(std::function<void()> operation) {
    if (!thread_.joinable()) {
      operation();
      return ++added_;
    }
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(operation));
    changed_.notify_all();
    return ++added_;
  }

  /// Until so many operations are done. Throws what the first that failed has thrown.
  void wait(std::uint64_t operations) {
    if (!thread_.joinable()) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= operations || failure_; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
      if (closed_ || failure_) return;
      const std::function<void()> operation = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      std::exception_ptr failure;
      try {
        operation();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      ++done_;
      failure_ = failure;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::uint64_t added_ = 0, done_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace h5bench
