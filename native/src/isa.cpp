#include <rooftop/isa.hpp>
#include <stdexcept>

namespace rooftop {

ModuleName parse_module_name(std::string_view path) {
  const std::string_view file = path.substr(path.find_last_of('/') + 1);
  constexpr std::string_view extension = ".so";
  const auto refuse = [&] {
    return std::invalid_argument("'" + std::string(path) + "' is not a module: expected NAME.so or NAME.ISA.so");
  };
  if (!file.ends_with(extension) || file.size() == extension.size()) throw refuse();
  const std::string_view stem = file.substr(0, file.size() - extension.size());
  const std::size_t dot = stem.find('.');
  if (dot == std::string_view::npos) return {std::string(stem), std::nullopt};
  const std::string_view isa = stem.substr(dot + 1);
  if (dot == 0 || isa.empty() || isa.find('.') != std::string_view::npos) throw refuse();
  return {std::string(stem.substr(0, dot)), std::string(isa)};
}

// The features are those that cmake/isa_flags.cmake lets the compiler use: change both together.
std::optional<std::string> missing_feature(std::string_view isa) {
#if defined(__x86_64__)
  // The builtin takes literals only, and also asks whether the system saves the registers.
  if (isa == "avx2") {
    if (!__builtin_cpu_supports("avx2")) return "avx2";
    if (!__builtin_cpu_supports("fma")) return "fma";
    if (!__builtin_cpu_supports("bmi2")) return "bmi2";
    return std::nullopt;
  }
  if (isa == "avx512") {
    if (auto missing = missing_feature("avx2")) return missing;
    if (!__builtin_cpu_supports("avx512f")) return "avx512f";
    if (!__builtin_cpu_supports("avx512bw")) return "avx512bw";
    if (!__builtin_cpu_supports("avx512cd")) return "avx512cd";
    if (!__builtin_cpu_supports("avx512dq")) return "avx512dq";
    if (!__builtin_cpu_supports("avx512vl")) return "avx512vl";
    return std::nullopt;
  }
  if (isa == "neon") return "neon";
#elif defined(__aarch64__)
  if (isa == "neon") return std::nullopt;  // part of the architecture
  if (isa == "avx2" || isa == "avx512") return std::string(isa);
#endif
  throw std::invalid_argument("'" + std::string(isa) +
                              "' is not a known instruction set: expected avx2, avx512 or neon");
}

std::optional<std::string> unsupported_on_this_processor(const std::optional<std::string>& isa) {
  if (!isa) return std::nullopt;
  if (const auto missing = missing_feature(*isa)) return "processor lacks " + *missing;
  return std::nullopt;
}

}  // namespace rooftop
