/// What every probe shares with the bench: its options, and the JSON lines that it prints (docs/decisions/0001).
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rooftop {

/// `probe [--quick] [--brief] [--threads N]`
struct ProbeOptions {
  bool quick = false;  ///< fewer repetitions of the same measurements
  bool brief = false;  ///< only what a campaign measures again: within a second per probe
  int threads = 1;     ///< what "all cores" means: 1 to the number of usable processors
};

/// Leaves with exit code 2 and one line on standard error where the options make no sense.
ProbeOptions parse_probe_options(int argc, char** argv, int usable_processors);

/// What else a line says: a name, and a text or a number.
struct ProbeField {
  template <std::integral Number>
  ProbeField(std::string_view key, Number number) : name(key), value(static_cast<std::int64_t>(number)) {}
  ProbeField(std::string_view key, double number) : name(key), value(number) {}
  ProbeField(std::string_view key, std::string_view text) : name(key), value(std::string(text)) {}

  std::string name;
  std::variant<std::int64_t, double, std::string> value;
};
using ProbeFields = std::vector<ProbeField>;

/// Prints one line per figure as soon as it is known, so that a probe that dies later has still told what it found.
class ProbeLines {
 public:
  explicit ProbeLines(std::string probe) : probe_(std::move(probe)) {}

  /// `more`: "level", "bytes" (working set, all threads together), "isa", "precision" where they mean something, and
  /// whatever else explains the figure. A value that is not a positive finite number becomes a skip.
  void figure(std::string_view metric, double value, std::string_view unit, int threads,
              const ProbeFields& more = {}) const;

  /// A fact that cannot be had here, and why.
  void skip(std::string_view reason) const;

 private:
  std::string probe_;
};

}  // namespace rooftop
