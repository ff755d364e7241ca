/// What the C interfaces of all solvers share: exceptions become statuses, and each thread keeps its last message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include "forked.hpp"

namespace rooftop::c_interface {

/// The numbers that the headers give their statuses.
inline constexpr int ok = 0, invalid_argument = 1, out_of_memory = 2, internal_error = 3, stopped = 4;

/// Where a solver cannot stop before it has something to give.
class NeverStopped : public std::exception {};

// A fixed array: keeping the message must not fail when memory has run out.
inline thread_local char last_error[512] = "";

inline void keep_message(const char* message) {
  std::size_t i = 0;
  for (; message[i] != '\0' && i + 1 < sizeof last_error; ++i) last_error[i] = message[i];
  last_error[i] = '\0';
}

/// Runs what a function of the interface does; InvalidArgument is what the solver throws for its caller's mistakes, and
/// Stopped where its time was over, or its caller asked it to stop, before it had anything to give.
template <typename InvalidArgument, typename Stopped = NeverStopped, typename Body>
int guarded(const Body& body) noexcept {
  try {
    body();
    return ok;
  } catch (const InvalidArgument& error) {
    keep_message(error.what());
    return invalid_argument;
  } catch (const Stopped& error) {
    keep_message(error.what());
    return stopped;
  } catch (const std::bad_alloc&) {
    keep_message("out of memory");
    return out_of_memory;
  } catch (const std::exception& error) {
    keep_message(error.what());
    return internal_error;
  } catch (...) {
    keep_message("unknown error");
    return internal_error;
  }
}

/// The same for what may lead a team of threads, also in a process that was forked.
template <typename InvalidArgument, typename Stopped = NeverStopped, typename Body>
int guarded_team(const Body& body) noexcept {
  int status = ok;
  std::string message;
  const int called = guarded<InvalidArgument, Stopped>([&] {
    with_teams([&]() noexcept {
      status = guarded<InvalidArgument, Stopped>(body);
      if (status != ok) message = last_error;
    });
  });
  if (called != ok) return called;
  if (status != ok) keep_message(message.c_str());
  return status;
}

template <typename InvalidArgument>
void require_pointer(const void* pointer, const char* name) {
  if (pointer == nullptr) throw InvalidArgument(std::string(name) + " is null; expected a pointer");
}

/// The enumerator of a number from 0 to `last`.
template <typename InvalidArgument, typename Enum>
Enum enumerator(std::int32_t value, Enum last, const char* name) {
  if (value < 0 || value > static_cast<std::int32_t>(last)) {
    throw InvalidArgument(std::string(name) + " is " + std::to_string(value) + "; expected 0 to " +
                          std::to_string(static_cast<int>(last)));
  }
  return static_cast<Enum>(value);
}

}  // namespace rooftop::c_interface
