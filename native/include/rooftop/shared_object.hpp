/// What a file that the build made exports.
#pragma once

#include <cstdint>
#include <string>

namespace rooftop {

/// The path of an existing file, so written that it is not looked for among the system's libraries. Throws
/// std::invalid_argument if it names no file.
[[nodiscard]] std::string existing_module(const std::string& path);

/// The one symbol that a module exports. The file is never closed: OpenMP's threads may still be in it. Throws
/// LoadError with what is missing there; `macro` would define the symbol.
[[nodiscard]] const void* exported(const std::string& path, const char* symbol, const char* macro);

/// Throws LoadError if the module was built for another contract.
void require_same_abi(const std::string& path, std::uint32_t abi, std::uint32_t expected);

}  // namespace rooftop
