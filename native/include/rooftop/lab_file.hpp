/// Loading a lab, and making one of its variants.
#pragma once

#include <rooftop/isa.hpp>
#include <rooftop/lab.hpp>
#include <rooftop/rung_source.hpp>

namespace rooftop {

/// What LabExperiment hands to the variants as its problem.
struct LabProblem {
  Lab* lab = nullptr;
};

/// A lab's file and one of its variants. Loading runs no variant: those for one instruction set are in the same file.
class LabFile final : public RungSource {
 public:
  /// Loads the lab. Throws std::invalid_argument if the path names no file, or the lab has no such variant;
  /// LoadError if the file is no lab, or one for another contract.
  LabFile(const std::string& path, const std::string& variant);
  LabFile(const LabModule& lab, const Variant& variant);

  [[nodiscard]] static const LabModule& open(const std::string& path);

  [[nodiscard]] const LabModule& lab() const { return lab_; }
  [[nodiscard]] const std::string& name() const override { return parsed_.name; }
  [[nodiscard]] const std::optional<std::string>& isa() const override { return parsed_.isa; }
  [[nodiscard]] std::optional<std::string> unsupported() const override;
  void load(std::string_view problem_type) override;
  /// Takes a LabProblem whose lab is one of this file.
  [[nodiscard]] std::unique_ptr<Rung> create(const void* problem) const override;

 private:
  const LabModule& lab_;
  const Variant& variant_;
  ModuleName parsed_;
};

}  // namespace rooftop
