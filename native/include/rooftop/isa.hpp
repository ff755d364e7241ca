/// Instruction sets as the suffixes of modules' names state them, and whether this processor has them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rooftop {

/// A module's name taken apart: "90-fused.avx2.so" is the rung "90-fused" for "avx2".
struct ModuleName {
  std::string name;
  std::optional<std::string> isa;
};
/// Throws std::invalid_argument for a path that is not NAME.so or NAME.ISA.so.
[[nodiscard]] ModuleName parse_module_name(std::string_view path);

/// The first feature of the instruction set that the processor lacks, or nothing if it has them all.
/// Throws std::invalid_argument for an instruction set that is not known.
[[nodiscard]] std::optional<std::string> missing_feature(std::string_view isa);

/// Why this processor cannot run code for an instruction set, or nothing; nothing also if the code is for any.
[[nodiscard]] std::optional<std::string> unsupported_on_this_processor(const std::optional<std::string>& isa);

}  // namespace rooftop
