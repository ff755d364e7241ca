/// What the main programs of all drivers do alike.
#pragma once

#include <functional>
#include <optional>
#include <rooftop/json_lines.hpp>
#include <rooftop/ranks.hpp>
#include <rooftop/session.hpp>
#include <string>

namespace rooftop {

/// A driver's command line: docs/decisions/0001-process-protocol.md.
struct DriverArguments {
  std::string command;  ///< describe, run or check
  std::string module;
  std::string variant;  ///< of a lab, else empty
  std::string cases;    ///< a file; empty if not given
  std::optional<int> threads;
};

/// Reads the command line and does what is asked. Returns the exit code: that of `act`, 2 for misuse, 1 for any other
/// exception; each is one line on standard error.
int driver_main(int argc, char** argv, const std::function<int(const DriverArguments&)>& act);

/// Joins the ranks, and has them all end where `act` throws.
int with_ranks(const std::function<int(Ranks&)>& act, Callers callers = Callers::first_thread);

/// Answers requests until end of file. Rank 0 reads and writes for all.
void serve(Session& session, Ranks& ranks, ProtocolStreams streams);

}  // namespace rooftop
