#include <dlfcn.h>

#include <filesystem>
#include <rooftop/rung_source.hpp>
#include <rooftop/shared_object.hpp>

namespace rooftop {

std::string existing_module(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw std::invalid_argument("'" + path + "' is not a file: expected a module that the build made");
  }
  // Without a slash dlopen would search the system's libraries instead.
  return std::filesystem::absolute(path).string();
}

const void* exported(const std::string& path, const char* symbol, const char* macro) {
  // RTLD_NOW: a missing symbol is told here, not in the middle of a timing.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw LoadError(dlerror());
  const void* found = dlsym(handle, symbol);
  if (found == nullptr) throw LoadError(path + " exports no " + symbol + ": is " + macro + " missing?");
  return found;
}

void require_same_abi(const std::string& path, std::uint32_t abi, std::uint32_t expected) {
  if (abi == expected) return;
  throw LoadError(path + " was built for contract " + std::to_string(abi) + ", expected " + std::to_string(expected) +
                  ": build again");
}

}  // namespace rooftop
