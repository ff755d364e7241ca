#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <rooftop/json_lines.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace rooftop {
namespace {

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

constexpr int most_levels = 64;  // nlohmann's copies and dumps call themselves once a level, and the stack is finite

}  // namespace

nlohmann::json parse_json_line(std::string_view line) {
  return nlohmann::json::parse(line, [](int level, nlohmann::json::parse_event_t event, const nlohmann::json&) {
    using Event = nlohmann::json::parse_event_t;
    if (level >= most_levels && (event == Event::object_start || event == Event::array_start)) {
      throw std::invalid_argument("lists or objects within others, more than " + std::to_string(most_levels) +
                                  " deep: expected a flat document");
    }
    return true;
  });
}

void write_json_line(int descriptor, const nlohmann::json& document) {
  const std::string line = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::system_error(errno, std::generic_category(), "writing a reply");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

ProtocolStreams take_standard_streams() {
  const ProtocolStreams streams{checked(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "duplicating standard input"),
                                checked(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "duplicating standard output")};
  const int nothing = checked(open("/dev/null", O_RDONLY | O_CLOEXEC), "opening /dev/null");
  checked(dup2(nothing, STDIN_FILENO), "emptying standard input");
  checked(dup2(STDERR_FILENO, STDOUT_FILENO), "pointing standard output at standard error");
  close(nothing);
  return streams;
}

}  // namespace rooftop
