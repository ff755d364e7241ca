/// Answers a driver's requests: holds one case and one rung at a time.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/module_file.hpp>
#include <rooftop/rung.hpp>
#include <string>
#include <string_view>

namespace rooftop {

inline constexpr int protocol_version = 1;

/// The requests and replies of docs/decisions/0001-process-protocol.md.
class Session {
 public:
  Session(Experiment& experiment, ModuleFile& module) : experiment_(experiment), module_(module) {}

  /// One reply to one request line. Never throws for what the line says or what the rung does.
  [[nodiscard]] nlohmann::json answer(std::string_view line);

 private:
  nlohmann::json set_case(const nlohmann::json& request);
  nlohmann::json calibrate(const nlohmann::json& request);
  nlohmann::json sample(const nlohmann::json& request);
  nlohmann::json verify();
  nlohmann::json judged_run(std::string& stage, nlohmann::json reply);
  void require_timeable() const;

  Experiment& experiment_;
  ModuleFile& module_;
  std::unique_ptr<Rung> rung_;
  bool verified_ = false;
};

/// What `describe` prints.
[[nodiscard]] nlohmann::json describe(const ModuleFile& module);

}  // namespace rooftop
