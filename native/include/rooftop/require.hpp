/// Checks that stay on in every build. For debug-only checks outside timed loops there is `assert`.
#pragma once

#include <sstream>
#include <stdexcept>

namespace rooftop {

/// What require() throws.
class RequirementFailed : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws RequirementFailed with the parts of the message printed one after another: what was wrong, the value seen,
/// what is expected. The message is only built when the condition does not hold.
template <typename... Parts>
void require(bool condition, const Parts&... message) {
  if (condition) [[likely]]
    return;
  std::ostringstream text;
  (text << ... << message);
  throw RequirementFailed(text.str());
}

}  // namespace rooftop
