#include <dlfcn.h>

#include <filesystem>
#include <rooftop/module_file.hpp>

namespace rooftop {

ModuleFile::ModuleFile(std::string path) : path_(std::move(path)), parsed_(parse_module_name(path_)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) {
    throw std::invalid_argument("'" + path_ + "' is not a file: expected a module that the build made");
  }
  // Without a slash dlopen would search the system's libraries instead.
  path_ = std::filesystem::absolute(path_).string();
}

std::optional<std::string> ModuleFile::unsupported() const {
  if (!parsed_.isa) return std::nullopt;
  if (const auto missing = missing_feature(*parsed_.isa)) return "processor lacks " + *missing;
  return std::nullopt;
}

void ModuleFile::load(std::string_view problem_type) {
  if (module_ != nullptr) return;
  if (const auto reason = unsupported()) throw LoadError(*reason);
  // RTLD_NOW: a missing symbol is told here, not in the middle of a timing. Never closed: OpenMP's threads may still be
  // in it.
  void* handle = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw LoadError(dlerror());
  const auto* module = static_cast<const Module*>(dlsym(handle, "rooftop_module"));
  if (module == nullptr) throw LoadError(path_ + " exports no rooftop_module: is ROOFTOP_RUNG missing?");
  if (module->abi != module_abi) {
    throw LoadError(path_ + " was built for contract " + std::to_string(module->abi) + ", expected " +
                    std::to_string(module_abi) + ": build again");
  }
  // Rungs may write the type with or without its namespace.
  const std::string_view built_for = module->problem;
  const bool same = built_for == problem_type || built_for.ends_with("::" + std::string(problem_type)) ||
                    problem_type.ends_with("::" + std::string(built_for));
  if (!same) {
    throw LoadError(path_ + " takes a problem of type " + std::string(built_for) + ", the experiment's is " +
                    std::string(problem_type));
  }
  module_ = module;
}

std::unique_ptr<Rung> ModuleFile::create(const void* problem) const {
  return std::unique_ptr<Rung>(module_->create(problem));
}

}  // namespace rooftop
