/// What every probe shares with the bench: its options, and the JSON lines that it prints (docs/decisions/0001).
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace rooftop {

/// `probe [--quick] [--brief] [--threads N]`
struct ProbeOptions {
  bool quick = false;  ///< fewer repetitions of the same measurements
  bool brief = false;  ///< only what a campaign measures again, at N threads only: well under a second per probe
  int threads = 1;     ///< what "all cores" means: 1 to the number of usable processors
};

/// Leaves with exit code 2 and one line on standard error where the options make no sense.
inline ProbeOptions parse_probe_options(int argc, char** argv, int usable_processors) {
  const auto refuse = [&](const std::string& what) {
    std::cerr << argv[0] << ": " << what << "; expected [--quick] [--brief] [--threads N], N from 1 to "
              << usable_processors << '\n';
    std::exit(2);
  };
  ProbeOptions options;
  options.threads = usable_processors;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quick") {
      options.quick = true;
    } else if (argument == "--brief") {
      options.quick = options.brief = true;
    } else if (argument == "--threads") {
      if (++i == argc) refuse("--threads has no value");
      char* end = nullptr;
      const long value = std::strtol(argv[i], &end, 10);
      if (end == argv[i] || *end != '\0' || value < 1 || value > usable_processors) {
        refuse("--threads is \"" + std::string(argv[i]) + '"');
      }
      options.threads = static_cast<int>(value);
    } else {
      refuse("unknown option \"" + std::string(argument) + '"');
    }
  }
  return options;
}

/// Prints one line per figure as soon as it is known, so that a probe that dies later has still told what it found.
class ProbeLines {
 public:
  explicit ProbeLines(std::string probe) : probe_(std::move(probe)) {}

  /// `more`: "level", "bytes" (working set, all threads together), "isa", "precision" where they mean something, and
  /// whatever else explains the figure. A value that is not a positive finite number becomes a skip.
  void figure(std::string_view metric, double value, std::string_view unit, int threads,
              const nlohmann::json& more = nlohmann::json::object()) const {
    if (!std::isfinite(value) || value <= 0) {
      skip(std::string(metric) + ": measured " + std::to_string(value) + ' ' + std::string(unit));
      return;
    }
    nlohmann::json line = {{"protocol", 1},  {"probe", probe_}, {"metric", metric},
                           {"value", value}, {"unit", unit},    {"threads", threads}};
    line.update(more);
    print(line);
  }

  /// A fact that cannot be had here, and why.
  void skip(std::string_view reason) const { print({{"protocol", 1}, {"probe", probe_}, {"skipped", reason}}); }

 private:
  static void print(const nlohmann::json& line) {
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }

  std::string probe_;
};

}  // namespace rooftop
