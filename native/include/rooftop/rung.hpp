/// The contract between a driver and a rung or peer, which is a shared module of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#define ROOFTOP_VISIBLE __attribute__((visibility("default")))

namespace rooftop {

/// What one run() of a rung really does; its limit is computed from this and the machine's roofs.
struct Work {
  double fma_flops = 0;          ///< flops done in multiply-adds, 2 for each
  double add_flops = 0;          ///< flops done in lone additions or multiplications, 1 for each
  double memory_bytes = 0;       ///< compulsory bytes, read and written, between the core and the level that holds them
  double working_set_bytes = 0;  ///< bytes touched by one run: decides which level's bandwidth is the roof
  double device_bytes = 0;  ///< bytes asked of files, read and written, whether a cache of the system has them or not
  double device_calls = 0;  ///< calls of the system that ask for them
  double device_extent_bytes = 0;  ///< bytes of files from the first to the last that is asked for; 0: not known
  std::string algorithm;           ///< the algorithm's name in the experiment's tolerance table, such as "F(4)"
};

/// One idea for solving the experiment's problem. Built for one case; run many times.
class ROOFTOP_VISIBLE Rung {
 public:
  Rung() = default;
  Rung(const Rung&) = delete;
  Rung& operator=(const Rung&) = delete;
  virtual ~Rung() = default;

  /// Untimed, once before the first run: what the case's terms allow to be done beforehand.
  virtual void prepare() {}
  /// Whether every run begins anew: reset() comes before each, and none is done just to refill caches.
  [[nodiscard]] virtual bool starts_anew() const { return false; }
  /// Untimed, before each run where it starts anew: drops a cache, removes a file.
  virtual void reset() {}
  /// Timed. Must give the same result however often it is called; where it works in place, after each poison().
  virtual void run() = 0;
  /// Where each run begins anew and is done by a program that run() starts: the last run's time as that program told
  /// it, in ns, since its start-up is not to count. 0: run() is timed.
  [[nodiscard]] virtual std::int64_t reported_ns() const { return 0; }
  /// Untimed, before each verification: brings the result into the problem's own output arrays.
  virtual void finish() {}
  /// Asked after the first run.
  [[nodiscard]] virtual Work work() const = 0;
};

/// Thrown by a rung's constructor when it does not apply here; the message is the reason, for a reader.
class ROOFTOP_VISIBLE Skip : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The one symbol that a module exports, as `rooftop_module`.
struct Module {
  std::uint32_t abi;             ///< Must equal module_abi.
  const char* problem;           ///< Name of the experiment's problem type, checked before `create` is called.
  Rung* (*create)(const void*);  ///< Takes the experiment's problem; the caller owns the rung.
};
inline constexpr std::uint32_t module_abi = 3;

}  // namespace rooftop

/// Makes RUNG (constructible from `const PROBLEM&`) the rung of this module.
#define ROOFTOP_RUNG(PROBLEM, RUNG)                                                                                  \
  extern "C" ROOFTOP_VISIBLE const rooftop::Module rooftop_module;                                                   \
  const rooftop::Module rooftop_module = {rooftop::module_abi, #PROBLEM, [](const void* problem) -> rooftop::Rung* { \
                                            return new RUNG(*static_cast<const PROBLEM*>(problem));                  \
                                          }}
