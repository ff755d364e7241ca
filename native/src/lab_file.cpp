#include <algorithm>
#include <rooftop/lab_file.hpp>
#include <rooftop/shared_object.hpp>

namespace rooftop {
namespace {

const Variant& variant_of(const LabModule& lab, const std::string& name) {
  const auto found = std::ranges::find(lab.variants, name, &Variant::name);
  if (found != lab.variants.end()) return *found;
  std::string names;
  for (const Variant& variant : lab.variants) names += (names.empty() ? "" : ", ") + std::string(variant.name);
  throw std::invalid_argument("'" + name + "' is not a variant of " + lab.name + ": expected one of " + names);
}

}  // namespace

const LabModule& LabFile::open(const std::string& path) {
  const std::string file = existing_module(path);
  const auto* lab = static_cast<const LabModule*>(exported(file, "rooftop_lab", "ROOFTOP_LAB"));
  require_same_abi(file, lab->abi, lab_abi);
  return *lab;
}

LabFile::LabFile(const LabModule& lab, const Variant& variant)
    : lab_(lab), variant_(variant), parsed_(parse_module_name(std::string(variant.name) + ".so")) {}

LabFile::LabFile(const std::string& path, const std::string& variant)
    : LabFile(open(path), variant_of(open(path), variant)) {}

std::optional<std::string> LabFile::unsupported() const { return unsupported_on_this_processor(parsed_.isa); }

void LabFile::load(std::string_view /*problem_type*/) {
  if (const auto reason = unsupported()) throw LoadError(*reason);
}

std::unique_ptr<Rung> LabFile::create(const void* problem) const {
  return std::unique_ptr<Rung>(variant_.create(*static_cast<const LabProblem*>(problem)->lab));
}

}  // namespace rooftop
