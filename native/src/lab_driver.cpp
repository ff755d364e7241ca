/// The main program of the labs' driver, one for all labs: it loads a lab and runs one of its variants.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <rooftop/check_lab.hpp>
#include <rooftop/driver_main.hpp>
#include <rooftop/lab_experiment.hpp>
#include <rooftop/lab_file.hpp>
#include <stdexcept>

namespace {

using nlohmann::json;
using rooftop::DriverArguments;

/// What `describe` prints of a variant, and what the lab has besides.
json describe(const rooftop::LabFile& file) {
  json line = rooftop::describe(file, file.lab().name);
  json& variants = line["variants"] = json::array();
  for (const rooftop::Variant& variant : file.lab().variants) variants.push_back({variant.name, variant.idea});
  json& parameters = line["parameters"] = json::array();
  for (const rooftop::Field& field : file.lab().fields) parameters.push_back(field.name);
  return line;
}

rooftop::Callers callers_of(const rooftop::LabModule& lab) {
  return lab.mpi_from_all_threads ? rooftop::Callers::all_threads : rooftop::Callers::first_thread;
}

int act(const DriverArguments& arguments) {
  if (!arguments.cases.empty()) throw std::invalid_argument("--cases is not for labs: they have checks of their own");
  const rooftop::ProtocolStreams streams = rooftop::take_standard_streams();
  if (arguments.command == "check") {
    const rooftop::LabModule& lab = rooftop::LabFile::open(arguments.module);
    const auto threads = arguments.threads ? std::vector<int>{*arguments.threads} : std::vector<int>{1, 2, 3};
    return rooftop::with_ranks(
        [&](rooftop::Ranks& ranks) { return static_cast<int>(rooftop::check_lab(lab, ranks, threads)); },
        callers_of(lab));
  }
  if (arguments.variant.empty()) throw std::invalid_argument("--variant is missing: expected one of the lab's");
  rooftop::LabFile file(arguments.module, arguments.variant);
  if (arguments.command == "describe") {
    rooftop::write_json_line(streams.out, describe(file));
    return EXIT_SUCCESS;
  }
  return rooftop::with_ranks(
      [&](rooftop::Ranks& ranks) {
        rooftop::LabExperiment experiment(file.lab());
        rooftop::Session session(experiment, file, ranks);
        rooftop::serve(session, ranks, streams);
        return EXIT_SUCCESS;
      },
      callers_of(file.lab()));
}

}  // namespace

int main(int argc, char** argv) { return rooftop::driver_main(argc, argv, act); }
