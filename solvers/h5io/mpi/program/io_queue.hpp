/// Runs operations in order: at once or, if asynchronous, in a thread of their own.
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
  /// Drops operations that have not begun.
  ~IoQueue() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  /// Adds an operation. Returns the number of operations added so far. If synchronous, throws the operation's
  /// exception.
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

  /// Waits until so many operations are done. Throws the exception of the first that failed.
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
