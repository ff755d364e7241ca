/// The main program of every experiment's driver: docs/decisions/0001-process-protocol.md.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <rooftop/check_cases.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/json_lines.hpp>
#include <rooftop/module_file.hpp>
#include <rooftop/session.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

constexpr int misuse = 2;

struct Arguments {
  std::string command;
  std::string module;
  std::string cases;
  int threads = 2;
};

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

Arguments parse(std::span<char* const> words) {
  const std::string usage = "usage: driver describe|run|check --module FILE [--cases FILE] [--threads N]";
  Arguments arguments;
  if (words.size() < 2) throw std::invalid_argument(usage);
  arguments.command = words[1];
  for (std::size_t i = 2; i < words.size(); i += 2) {
    const std::string_view option = words[i];
    if (i + 1 == words.size()) throw std::invalid_argument("'" + std::string(option) + "' has no value; " + usage);
    if (option == "--module") {
      arguments.module = words[i + 1];
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
  if (arguments.command == "check" && arguments.cases.empty()) {
    throw std::invalid_argument("--cases is missing; " + usage);
  }
  return arguments;
}

/// Answers until end of file. getline(3) takes lines of any length.
void serve(rooftop::Session& session, rooftop::ProtocolStreams streams) {
  FILE* input = fdopen(streams.in, "r");
  if (input == nullptr) throw std::runtime_error("standard input cannot be read");
  char* line = nullptr;
  std::size_t capacity = 0;
  for (ssize_t length = 0; (length = getline(&line, &capacity, input)) >= 0;) {
    std::string_view text(line, static_cast<std::size_t>(length));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    if (text.empty()) continue;
    rooftop::write_json_line(streams.out, session.answer(text));
  }
  std::free(line);
  std::fclose(input);
}

int run(std::span<char* const> words) {
  const Arguments arguments = parse(words);
  rooftop::ModuleFile module(arguments.module);
  const rooftop::ProtocolStreams streams = rooftop::take_standard_streams();
  if (arguments.command == "describe") {
    rooftop::write_json_line(streams.out, rooftop::describe(module));
    return EXIT_SUCCESS;
  }
  const auto experiment = rooftop::make_experiment();
  rooftop::Session session(*experiment, module);
  if (arguments.command == "check") {
    return static_cast<int>(rooftop::check_cases(session, arguments.cases, arguments.threads));
  }
  serve(session, streams);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv, static_cast<std::size_t>(argc)});
  } catch (const std::invalid_argument& error) {
    std::cerr << "driver: " << error.what() << '\n';
    return misuse;
  } catch (const std::exception& error) {
    std::cerr << "driver: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
