#include "library.hpp"

namespace rooftop::h5io::internal {
namespace {

// Whoever holds it may close what a value that goes out of scope owned.
std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr && *error->desc != '\0') *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Locked::Locked() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_with_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Locked::~Locked() { H5Eset_auto2(H5E_DEFAULT, print_, print_with_); }

std::string Locked::reason(const std::string& otherwise) {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &text);
  return text.empty() ? otherwise : text;
}

}  // namespace rooftop::h5io::internal
