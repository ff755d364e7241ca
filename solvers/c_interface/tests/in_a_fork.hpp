// A process that was forked after its parent had used a solver's threads.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

// Under the thread sanitizer a process that was forked from one with threads may start none.
#if defined(__SANITIZE_THREAD__)
#define ROOFTOP_FORKS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ROOFTOP_FORKS 0
#endif
#endif
#ifndef ROOFTOP_FORKS
#define ROOFTOP_FORKS 1
#endif

namespace rooftop::c_interface {

/// Whether a body, run in a forked process and in one that this one forks, is right in both, and ends.
template <typename Body>
bool right_in_a_fork(const Body& body) {
  constexpr unsigned hangs_s = 120;
  const auto wait = [](pid_t child) {
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  const pid_t child = fork();
  if (child != 0) return wait(child);
  alarm(hangs_s);
  bool right = body() && body();
  const pid_t grandchild = fork();
  if (grandchild == 0) {
    alarm(hangs_s);
    _exit(body() ? 0 : 1);
  }
  right = wait(grandchild) && right;
  _exit(right ? 0 : 1);
}

}  // namespace rooftop::c_interface
