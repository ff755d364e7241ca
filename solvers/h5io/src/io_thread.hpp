/// The I/O thread of a file, which processes its asynchronous requests.
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

/// A request in the queue, and its result.
class Job {
 public:
  /// `must_be_told`: whether an error that no caller waits for is kept for `IoThread::throw_untold`.
  Job(Line& line, std::function<Report()> body, bool must_be_told)
      : line_(line), body_(std::move(body)), must_be_told_(must_be_told) {}

  /// Waits for at most `time`. Returns whether the job is done, or will never be: see `wait`.
  [[nodiscard]] bool done_within(std::chrono::nanoseconds time) const;
  /// Waits until the job is done, and returns its report or throws its error. Throws InvalidArgument in a process that
  /// was forked before the job was done: the I/O thread does not exist there.
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

/// The queue and its thread. After a fork the child process does not have the thread, and a mutex that it held stays
/// locked: the child must not touch the parent's line, and creates one of its own.
class Line {
 public:
  Line() = default;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  /// Finishes all jobs and ends the thread.
  ~Line();

  [[nodiscard]] bool is_of_this_process() const { return process_ == getpid(); }
  std::shared_ptr<Job> add(std::function<Report()> body, bool must_be_told);
  [[nodiscard]] bool done_within(const Job& job, std::chrono::nanoseconds time);
  void wait(const Job& job);
  void finish();
  void throw_untold();
  [[nodiscard]] bool others_wait();

 private:
  void work();

  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> jobs_;  ///< the first one is running
  std::vector<std::shared_ptr<Job>> failed_;
  bool ended_ = false;
  std::thread thread_;  ///< started by the first job
};

/// Runs jobs one after the other, in the order of the calls of `add`. All functions are thread-safe.
class IoThread {
 public:
  IoThread() : line_(new Line) {}
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;
  /// Finishes all jobs.
  ~IoThread();

  /// Adds a job. The caller keeps the owner of the I/O thread alive until the job is done.
  [[nodiscard]] std::shared_ptr<Job> add(std::function<Report()> body, bool must_be_told = false) const {
    return line().add(std::move(body), must_be_told);
  }
  /// Waits until all jobs are done. Returns at once if called by the I/O thread itself.
  void finish() const { line().finish(); }
  /// Throws the first error of a job with `must_be_told` that no caller has seen, and forgets the others.
  void throw_untold() const { line().throw_untold(); }
  /// Whether more jobs than the one that is running are there.
  [[nodiscard]] bool others_wait() const { return line().others_wait(); }

 private:
  [[nodiscard]] Line& line() const;

  mutable std::atomic<Line*> line_;
};

}  // namespace rooftop::h5io::internal
