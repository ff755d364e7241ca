/// One JSON document a line, written whole, to a file descriptor that nobody else knows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace rooftop {

/// The document that a line holds. Throws nlohmann::json::exception if it holds none, std::invalid_argument if lists or
/// objects in it lie more than 64 deep within others.
[[nodiscard]] nlohmann::json parse_json_line(std::string_view line);

/// Writes the document and a line feed. NaN and infinity become null, bytes that are not UTF-8 are replaced.
/// Throws std::system_error if the descriptor cannot be written.
void write_json_line(int descriptor, const nlohmann::json& document);

/// Takes standard input and output away from whatever code is loaded later: returns descriptors for the protocol, and
/// leaves descriptor 0 at /dev/null and descriptor 1 at standard error. Call once, before anything is printed.
struct ProtocolStreams {
  int in;
  int out;
};
[[nodiscard]] ProtocolStreams take_standard_streams();

}  // namespace rooftop
