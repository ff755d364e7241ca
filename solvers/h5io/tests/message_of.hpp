/// Messages of exceptions, for tests.
#pragma once

#include <string>

namespace rooftop::h5io::tests {

/// Returns the message of the exception of type `Error` that `body` throws.
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
