/// A fake driver as a child process, spoken to as the bench does.
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

/// The path of a module made for these tests.
std::string fake_module(const std::string& name);

class DriverProcess {
 public:
  /// Starts the fake driver with these arguments.
  explicit DriverProcess(std::vector<std::string> arguments);
  /// Starts another driver.
  DriverProcess(const std::string& program, std::vector<std::string> arguments);
  /// `driver run` for a fake module.
  static DriverProcess run(const std::string& module) {
    return DriverProcess({"run", "--module", fake_module(module)});
  }
  DriverProcess(const DriverProcess&) = delete;
  DriverProcess& operator=(const DriverProcess&) = delete;
  ~DriverProcess();

  void send(const std::string& line);
  /// The next line of its standard output, or nothing at end of file.
  std::optional<std::string> receive();
  nlohmann::json ask_line(const std::string& line);
  nlohmann::json ask(const nlohmann::json& request) { return ask_line(request.dump()); }
  /// Sets up a case of this many elements.
  nlohmann::json ask_case(int size = 1000, int threads = 2);
  /// Closes its input and waits. Exit status, or minus the signal that ended it.
  int finish();
  /// All of its standard error; after finish().
  [[nodiscard]] const std::string& errors() const { return errors_; }

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  int errors_descriptor_ = -1;
  std::string pending_;
  std::string errors_;
  std::optional<int> status_;
};
