#include <cmath>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <rooftop/probe_lines.hpp>

namespace rooftop {
namespace {

void print(const nlohmann::json& line) {
  std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

}  // namespace

ProbeOptions parse_probe_options(int argc, char** argv, int usable_processors) {
  const auto refuse = [&](const std::string& what) {
    std::cerr << argv[0] << ": " << what << "; expected [--quick] [--brief] [--threads N], N from 1 to "
              << usable_processors << '\n';
    std::exit(2);
  };
  ProbeOptions options;
  options.threads = usable_processors;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quick") {
      options.quick = true;
    } else if (argument == "--brief") {
      options.quick = options.brief = true;
    } else if (argument == "--threads") {
      if (++i == argc) refuse("--threads has no value");
      char* end = nullptr;
      const long value = std::strtol(argv[i], &end, 10);
      if (end == argv[i] || *end != '\0' || value < 1 || value > usable_processors) {
        refuse("--threads is \"" + std::string(argv[i]) + '"');
      }
      options.threads = static_cast<int>(value);
    } else {
      refuse("unknown option \"" + std::string(argument) + '"');
    }
  }
  return options;
}

void ProbeLines::figure(std::string_view metric, double value, std::string_view unit, int threads,
                        const ProbeFields& more) const {
  if (!std::isfinite(value) || value <= 0) {
    skip(std::string(metric) + ": measured " + std::to_string(value) + ' ' + std::string(unit));
    return;
  }
  nlohmann::json line = {{"protocol", 1},  {"probe", probe_}, {"metric", metric},
                         {"value", value}, {"unit", unit},    {"threads", threads}};
  for (const ProbeField& field : more) {
    std::visit([&](const auto& told) { line[field.name] = told; }, field.value);
  }
  print(line);
}

void ProbeLines::skip(std::string_view reason) const {
  print({{"protocol", 1}, {"probe", probe_}, {"skipped", reason}});
}

}  // namespace rooftop
