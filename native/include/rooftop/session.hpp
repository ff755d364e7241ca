/// Answers a driver's requests: holds one case and one rung at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <rooftop/experiment.hpp>
#include <rooftop/ranks.hpp>
#include <rooftop/rung.hpp>
#include <rooftop/rung_source.hpp>
#include <string>
#include <string_view>

namespace rooftop {

inline constexpr int protocol_version = 1;

/// The requests and replies of docs/decisions/0001-process-protocol.md. Every rank of a case has a session, and gives
/// it the same lines; all agree on every reply.
class Session {
 public:
  Session(Experiment& experiment, RungSource& module, Ranks& ranks)
      : experiment_(experiment), module_(module), ranks_(ranks) {}

  /// One reply to one request line. Never throws for what the line says or what the rung does.
  [[nodiscard]] nlohmann::json answer(std::string_view line);

  /// An error on purpose: the result is left untouched, or spoiled after a right run.
  enum class Fault { none, untouched, spoiled };
  /// The reply to `verify` with an error planted in the result. The outcome must be `wrong`.
  [[nodiscard]] nlohmann::json verify_planted(Fault fault);

 private:
  nlohmann::json set_case(const nlohmann::json& request);
  nlohmann::json calibrate(const nlohmann::json& request);
  nlohmann::json sample(const nlohmann::json& request);
  nlohmann::json judged_run(std::string& stage, nlohmann::json reply, Fault fault = Fault::none);
  /// Does a stage on every rank. Where it throws on any of them, it throws on all: what the first such rank threw.
  void together(const std::function<void()>& stage);
  [[nodiscard]] Verdict verdict();
  /// Bytes that all ranks have fetched from storage since then; negative where the system does not tell them.
  [[nodiscard]] std::int64_t read_from_storage_since(std::optional<std::int64_t> before);
  /// What each rank says, in their order.
  [[nodiscard]] nlohmann::json of_each(const nlohmann::json& own);
  [[nodiscard]] nlohmann::json binding(int threads);
  void require_timeable() const;

  Experiment& experiment_;
  RungSource& module_;
  Ranks& ranks_;
  std::unique_ptr<Rung> rung_;
  bool verified_ = false;
  std::int64_t run_ns_ = 0;  ///< the slowest rank's time of a run: the one that was verified, then as calibrated
};

/// What `describe` prints.
[[nodiscard]] nlohmann::json describe(const RungSource& module, std::string_view experiment);

}  // namespace rooftop
