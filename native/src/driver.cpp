/// The main program of every experiment's driver: docs/decisions/0001-process-protocol.md.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <rooftop/check_cases.hpp>
#include <rooftop/driver_main.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/module_file.hpp>
#include <stdexcept>

namespace {

using rooftop::DriverArguments;

int act(const DriverArguments& arguments) {
  if (!arguments.variant.empty()) throw std::invalid_argument("--variant is for a lab: expected --module alone");
  if (arguments.command == "check" && arguments.cases.empty()) {
    throw std::invalid_argument("--cases is missing: expected a file with one case's parameters a line");
  }
  rooftop::ModuleFile module(arguments.module);
  const rooftop::ProtocolStreams streams = rooftop::take_standard_streams();
  if (arguments.command == "describe") {
    rooftop::write_json_line(streams.out, rooftop::describe(module, rooftop::experiment_name()));
    return EXIT_SUCCESS;
  }
  return rooftop::with_ranks([&](rooftop::Ranks& ranks) {
    const auto experiment = rooftop::make_experiment();
    rooftop::Session session(*experiment, module, ranks);
    if (arguments.command == "check") {
      return static_cast<int>(rooftop::check_cases(session, ranks, arguments.cases, arguments.threads.value_or(2)));
    }
    rooftop::serve(session, ranks, streams);
    return EXIT_SUCCESS;
  });
}

}  // namespace

int main(int argc, char** argv) { return rooftop::driver_main(argc, argv, act); }
