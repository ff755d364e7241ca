// Any bytes as a driver meets them: lines of requests, of which each has one reply that can be written, and a file of
// cases, which is checked or refused. The experiment and its rung are small whatever is asked for.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <rooftop/aligned.hpp>
#include <rooftop/check_cases.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/json_lines.hpp>
#include <rooftop/module_file.hpp>
#include <rooftop/session.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "fake_problem.hpp"

namespace {

void require(bool kept) {
  if (!kept) std::abort();
}

/// Doubling of at most 64 numbers.
class SmallDoubling : public rooftop::Experiment {
 public:
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override {
    const nlohmann::json& given = parameters.at("size");
    if (!given.is_number_integer() || given < 1 || given > 64) throw std::invalid_argument("'size' is " + given.dump());
    const auto size = given.get<std::int64_t>();
    in_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(size));
    out_ = rooftop::AlignedArray<double>(static_cast<std::size_t>(size));
    std::fill(in_.begin(), in_.end(), static_cast<double>(seed));
    problem_ = {in_.size(), threads, in_.data(), out_.data()};
  }
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "fake::Problem"; }
  void poison() override { std::fill(out_.begin(), out_.end(), -1.0); }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) override {
    bool ok = true;
    for (std::size_t i = 0; i < in_.size(); ++i) ok = ok && out_[i] == 2 * in_[i];
    return {.ok = ok, .error = ok ? 0.0 : 1.0, .tolerance = 0, .message = ok ? "" : "not doubled"};
  }

 private:
  rooftop::AlignedArray<double> in_, out_;
  fake::Problem problem_{};
};

/// A session that begins anew with each input.
struct Driver {
  SmallDoubling experiment;
  rooftop::ModuleFile module{FAKE_MODULES "/tiring.so"};
  rooftop::Alone ranks;
  rooftop::Session session{experiment, module, ranks};
};

void answer_lines(const std::string& text, int nowhere) {
  Driver driver;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const nlohmann::json reply = driver.session.answer(line);
    require(reply.is_object() && reply.value("protocol", 0) == rooftop::protocol_version);
    require(reply.value("event", "") != "error" || reply.contains("message"));
    rooftop::write_json_line(nowhere, reply);
  }
}

void check_file(const std::string& text) {
  const int descriptor = memfd_create("cases", MFD_CLOEXEC);
  require(write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  Driver driver;
  try {
    (void)rooftop::check_cases(driver.session, driver.ranks, "/proc/self/fd/" + std::to_string(descriptor), 2);
  } catch (const std::invalid_argument& error) {
    require(*error.what() != '\0');
  }
  close(descriptor);
}

}  // namespace

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<SmallDoubling>(); }
std::string_view experiment_name() { return "small"; }
}  // namespace rooftop

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A request may ask for 4096 threads; before the first of OpenMP's, as the runtime of libFuzzer's compiler reads it
  // late.
  static const int limited = setenv("OMP_THREAD_LIMIT", "2", 0);
  static const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  static const auto* const silenced = std::cerr.rdbuf(nullptr);
  require(limited == 0 && nowhere >= 0 && silenced != nullptr);
  const std::string text(reinterpret_cast<const char*>(data), size);
  answer_lines(text, nowhere);
  check_file(text);
  return 0;
}
