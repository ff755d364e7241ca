/// Where a driver's rung comes from: a module of its own, or one of a lab's variants.
#pragma once

#include <memory>
#include <optional>
#include <rooftop/rung.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rooftop {

/// The module cannot be loaded, or is not what it should be.
class LoadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One rung or peer that is not made yet.
class RungSource {
 public:
  RungSource() = default;
  RungSource(const RungSource&) = delete;
  RungSource& operator=(const RungSource&) = delete;
  virtual ~RungSource() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::optional<std::string>& isa() const = 0;
  /// Why this processor cannot run it, or nothing.
  [[nodiscard]] virtual std::optional<std::string> unsupported() const = 0;
  /// Loads it, once. Throws LoadError, also if it was built for another contract or another experiment's problem.
  virtual void load(std::string_view problem_type) = 0;
  /// The rung for this problem. load() comes first. Throws what the rung's constructor throws.
  [[nodiscard]] virtual std::unique_ptr<Rung> create(const void* problem) const = 0;
};

}  // namespace rooftop
