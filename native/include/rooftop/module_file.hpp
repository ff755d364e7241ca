/// Loading a rung or a peer from its shared module.
#pragma once

#include <rooftop/isa.hpp>
#include <rooftop/rung_source.hpp>

namespace rooftop {

/// A module's file. Asking whether it is supported loads nothing; the code in it first runs in load().
class ModuleFile final : public RungSource {
 public:
  /// Throws std::invalid_argument if the path names no file, or its name is not a module's.
  explicit ModuleFile(std::string path);

  [[nodiscard]] const std::string& name() const override { return parsed_.name; }
  [[nodiscard]] const std::optional<std::string>& isa() const override { return parsed_.isa; }
  [[nodiscard]] std::optional<std::string> unsupported() const override;
  void load(std::string_view problem_type) override;
  [[nodiscard]] std::unique_ptr<Rung> create(const void* problem) const override;

 private:
  std::string path_;
  ModuleName parsed_;
  const Module* module_ = nullptr;
};

}  // namespace rooftop
