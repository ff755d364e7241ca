#include <rooftop/module_file.hpp>
#include <rooftop/shared_object.hpp>

namespace rooftop {

ModuleFile::ModuleFile(std::string path) : path_(std::move(path)), parsed_(parse_module_name(path_)) {
  path_ = existing_module(path_);
}

std::optional<std::string> ModuleFile::unsupported() const { return unsupported_on_this_processor(parsed_.isa); }

void ModuleFile::load(std::string_view problem_type) {
  if (module_ != nullptr) return;
  if (const auto reason = unsupported()) throw LoadError(*reason);
  const auto* module = static_cast<const Module*>(exported(path_, "rooftop_module", "ROOFTOP_RUNG"));
  require_same_abi(path_, module->abi, module_abi);
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
