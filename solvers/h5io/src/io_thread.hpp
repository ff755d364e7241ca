/// The thread that does what was asked of a file for later.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

class Line;

/// What is to be done, and what came of it.
class Job {
 public:
  /// `must_be_told`: whether an error that nobody waits for is kept for `IoThread::throw_untold`.
  Job(Line& line, std::function<Report()> body, bool must_be_told)
      : line_(line), body_(std::move(body)), must_be_told_(must_be_told) {}

  /// Whether it is done, within so much time. Also where it never will be: see `wait`.
  [[nodiscard]] bool done_within(std::chrono::nanoseconds time) const;
  /// Returns what came of it once it is done, or throws what it threw. Throws InvalidArgument in a process that was
  /// forked before it was done, which does not have the thread.
  Report wait();

 private:
  friend class Line;
  friend class IoThread;

  Line& line_;
  std::function<Report()> body_;
  bool must_be_told_;
  std::atomic<bool> done_{false}, told_{false};
  Report report_;
  std::exception_ptr error_;
};

/// What the thread shares with those that ask it. A process that was forked has none of these threads, and what they
/// held at that time it holds for ever: it leaves the line as it is, and makes one of its own.
class Line {
 public:
  Line() = default;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  /// Ends the thread, once all is done.
  ~Line();

  [[nodiscard]] bool is_of_this_process() const { return process_ == getpid(); }
  std::shared_ptr<Job> add(std::function<Report()> body, bool must_be_told);
  [[nodiscard]] bool done_within(const Job& job, std::chrono::nanoseconds time);
  void wait(const Job& job);
  void finish();
  void throw_untold();

 private:
  void work();

  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> jobs_;  ///< the first one is being done
  std::vector<std::shared_ptr<Job>> failed_;
  bool ended_ = false;
  std::thread thread_;  ///< begun with the first job
};

/// Does jobs one after the other, in the order of `add`. Any thread may call it.
class IoThread {
 public:
  IoThread() : line_(new Line) {}
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;
  /// Finishes what was asked.
  ~IoThread();

  /// Whoever holds the job keeps the thread's owner alive until it is done.
  [[nodiscard]] std::shared_ptr<Job> add(std::function<Report()> body, bool must_be_told = false) const {
    return line().add(std::move(body), must_be_told);
  }
  /// Waits until all is done that was asked; returns at once on the thread itself.
  void finish() const { line().finish(); }
  /// Throws the first error that must be told and was not.
  void throw_untold() const { line().throw_untold(); }

 private:
  [[nodiscard]] Line& line() const;

  mutable std::atomic<Line*> line_;
};

}  // namespace rooftop::h5io::internal
