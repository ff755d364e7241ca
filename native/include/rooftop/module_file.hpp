/// Loading a rung or a peer from its shared module.
#pragma once

#include <memory>
#include <rooftop/isa.hpp>
#include <rooftop/rung.hpp>
#include <stdexcept>
#include <string>

namespace rooftop {

/// The module cannot be loaded, or is not what it should be.
class LoadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A module's file. Asking whether it is supported loads nothing; the code in it first runs in load().
class ModuleFile {
 public:
  /// Throws std::invalid_argument if the path names no file, or its name is not a module's.
  explicit ModuleFile(std::string path);

  [[nodiscard]] const std::string& name() const { return parsed_.name; }
  [[nodiscard]] const std::optional<std::string>& isa() const { return parsed_.isa; }
  /// Why this processor cannot run it, or nothing.
  [[nodiscard]] std::optional<std::string> unsupported() const;
  /// Loads it, once. Throws LoadError, also if it was built for another contract or another experiment's problem.
  void load(std::string_view problem_type);
  /// The rung for this problem. load() comes first. Throws what the rung's constructor throws.
  [[nodiscard]] std::unique_ptr<Rung> create(const void* problem) const;

 private:
  std::string path_;
  ModuleName parsed_;
  const Module* module_ = nullptr;
};

}  // namespace rooftop
