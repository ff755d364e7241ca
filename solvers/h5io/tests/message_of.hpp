/// What is thrown, for tests.
#pragma once

#include <string>

namespace rooftop::h5io::tests {

/// The message of the error of this type that `body` throws.
template <typename Error, typename Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace rooftop::h5io::tests
