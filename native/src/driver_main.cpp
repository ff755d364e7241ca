#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <rooftop/driver_main.hpp>
#include <span>
#include <stdexcept>
#include <string_view>

namespace rooftop {
namespace {

constexpr int misuse = 2;

int thread_count(const std::string& text) {
  constexpr int most = 4096;
  std::size_t read = 0;
  int threads = 0;
  try {
    threads = std::stoi(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != text.size() || threads < 1 || threads > most) {
    throw std::invalid_argument("--threads is '" + text + "': expected a whole number from 1 to 4096");
  }
  return threads;
}

DriverArguments parse(std::span<char* const> words) {
  const std::string usage =
      "usage: driver describe|run|check --module FILE [--variant NAME] [--cases FILE] [--threads N]";
  DriverArguments arguments;
  if (words.size() < 2) throw std::invalid_argument(usage);
  arguments.command = words[1];
  for (std::size_t i = 2; i < words.size(); i += 2) {
    const std::string_view option = words[i];
    if (i + 1 == words.size()) throw std::invalid_argument("'" + std::string(option) + "' has no value; " + usage);
    if (option == "--module") {
      arguments.module = words[i + 1];
    } else if (option == "--variant") {
      arguments.variant = words[i + 1];
    } else if (option == "--cases") {
      arguments.cases = words[i + 1];
    } else if (option == "--threads") {
      arguments.threads = thread_count(words[i + 1]);
    } else {
      throw std::invalid_argument("'" + std::string(option) + "' is not an option; " + usage);
    }
  }
  const bool known = arguments.command == "describe" || arguments.command == "run" || arguments.command == "check";
  if (!known) throw std::invalid_argument("'" + arguments.command + "' is not a command; " + usage);
  if (arguments.module.empty()) throw std::invalid_argument("--module is missing; " + usage);
  return arguments;
}

/// The lines of standard input, of any length; an empty one at end of file.
class Requests {
 public:
  explicit Requests(int descriptor) : input_(fdopen(descriptor, "r")) {
    if (input_ == nullptr) throw std::runtime_error("standard input cannot be read");
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  ~Requests() {
    std::free(line_);
    std::fclose(input_);
  }

  std::string next() {
    for (ssize_t length = 0; (length = getline(&line_, &capacity_, input_)) >= 0;) {
      std::string_view text(line_, static_cast<std::size_t>(length));
      while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
      if (!text.empty()) return std::string(text);
    }
    return {};
  }

 private:
  FILE* input_;
  char* line_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace

void serve(Session& session, Ranks& ranks, ProtocolStreams streams) {
  Requests requests(streams.in);
  while (true) {
    const std::string line = ranks.await(ranks.rank() == 0 ? requests.next() : std::string());
    if (line.empty()) return;
    const auto reply = session.answer(line);
    if (ranks.rank() == 0) write_json_line(streams.out, reply);
  }
}

int with_ranks(const std::function<int(Ranks&)>& act, Callers callers) {
  const auto ranks = join_ranks(callers);
  try {
    return act(*ranks);
  } catch (const std::exception& error) {
    if (ranks->size() > 1) ranks->abandon(error.what());
    throw;
  }
}

int driver_main(int argc, char** argv, const std::function<int(const DriverArguments&)>& act) {
  try {
    return act(parse({argv, static_cast<std::size_t>(argc)}));
  } catch (const std::invalid_argument& error) {
    std::cerr << "driver: " << error.what() << '\n';
    return misuse;
  } catch (const std::exception& error) {
    std::cerr << "driver: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}

}  // namespace rooftop
