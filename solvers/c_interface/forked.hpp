/// Teams of threads in a process that was forked.
#pragma once

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace rooftop::c_interface {

/// How often this process's ancestors and it were forked since the library was loaded.
inline std::atomic<unsigned> forks{0};

/// GCC's OpenMP keeps the threads of a team for the next one of the thread that led it. A fork copies that thread
/// alone: its next team would wait for threads that are not there, for ever. What it calls is then led by a thread of
/// its own, which has led no team before.
class Leader {
 public:
  Leader() : thread_([this] { lead(); }) {}
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;
  ~Leader() {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// `body` throws nothing.
  void call(const std::function<void()>& body) {
    std::unique_lock lock(mutex_);
    body_ = &body;
    changed_.notify_all();
    changed_.wait(lock, [this] { return body_ == nullptr; });
  }

 private:
  void lead() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return ended_ || body_ != nullptr; });
      if (ended_) return;
      (*body_)();
      body_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* body_ = nullptr;
  bool ended_ = false;
  std::thread thread_;
};

/// Of a thread that was alone after a fork. Another fork leaves it without its leader's thread, which nobody can join.
class LeaderOfFork {
 public:
  LeaderOfFork() = default;
  LeaderOfFork(const LeaderOfFork&) = delete;
  LeaderOfFork& operator=(const LeaderOfFork&) = delete;
  ~LeaderOfFork() {
    if (made_after_ != forks) static_cast<void>(leader_.release());
  }

  void call(const std::function<void()>& body) {
    if (made_after_ != forks) static_cast<void>(leader_.release());
    if (leader_ == nullptr) leader_ = std::make_unique<Leader>();
    made_after_ = forks;
    leader_->call(body);
  }

 private:
  std::unique_ptr<Leader> leader_;
  unsigned made_after_ = 0;
};

/// Whether this process was forked from another one and has not executed a program of its own since.
inline bool is_copy() {
  unsigned flags = 0;
  if (std::FILE* const file = std::fopen("/proc/self/stat", "r")) {
    // Behind the name, which may hold anything but ends with the last bracket: state, five numbers and the flags.
    char text[512];
    text[std::fread(text, 1, sizeof text - 1, file)] = '\0';
    std::fclose(file);
    const char* after = text;
    for (const char* at = text; *at != '\0'; ++at) {
      if (*at == ')') after = at + 1;
    }
    if (std::sscanf(after, " %*c %*d %*d %*d %*d %*d %u", &flags) != 1) flags = 0;
  }
  constexpr unsigned forked_and_executed_nothing = 0x40;  // PF_FORKNOEXEC of the kernel
  return (flags & forked_and_executed_nothing) != 0;
}

inline const bool loaded_in_copy = is_copy();
inline thread_local bool forked_here = false;  ///< by this thread
inline thread_local LeaderOfFork leader_of_fork;

inline const int told_of_forks = pthread_atfork(nullptr, nullptr, [] {
  ++forks;
  forked_here = true;
});

/// Whether the calling thread may have led a team before its process was forked, of this library or of another.
inline bool lived_through_fork() { return forked_here || (loaded_in_copy && gettid() == getpid()); }

/// Calls what may lead a team, which throws nothing.
template <typename Body>
void with_teams(const Body& body) {
  if (lived_through_fork()) {
    leader_of_fork.call(body);
  } else {
    body();
  }
}

}  // namespace rooftop::c_interface
