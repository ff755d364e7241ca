/// The C interface: checks what a C++ caller cannot get wrong and turns exceptions into statuses.
#include <cstddef>
#include <string>

#include "rooftop/template.h"
#include "rooftop/template.hpp"
#include "status.hpp"

namespace c_interface = rooftop::c_interface;
using rooftop::template_::InvalidArgument;

int rooftop_template_abi_version(void) { return ROOFTOP_TEMPLATE_ABI_VERSION; }

const char* rooftop_template_last_error(void) { return c_interface::last_error; }

int rooftop_template_dot(int64_t n, const double* x, const double* y, double* result) {
  return c_interface::guarded<InvalidArgument>([&] {
    if (n < 0) throw InvalidArgument("n is " + std::to_string(n) + "; expected 0 or more");
    c_interface::require_pointer<InvalidArgument>(x, "x");
    c_interface::require_pointer<InvalidArgument>(y, "y");
    c_interface::require_pointer<InvalidArgument>(result, "result");
    const auto count = static_cast<std::size_t>(n);
    *result = rooftop::template_::dot({x, count}, {y, count});
  });
}
