#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <rooftop/check_cases.hpp>
#include <rooftop/json_lines.hpp>
#include <stdexcept>

namespace rooftop {
namespace {

std::string outcome_of(const nlohmann::json& reply) { return reply.value("outcome", "failed"); }

std::string reason_of(const nlohmann::json& reply) {
  const std::string key = reply.contains("message") ? "message" : "reason";
  return reply.contains(key) && reply[key].is_string() ? ": " + reply[key].get<std::string>() : "";
}

/// What the run took that was verified last, the slowest rank's time.
std::string seconds_of(const nlohmann::json& reply) {
  const auto found = reply.find("first_run_ns");
  if (found == reply.end()) return "";
  return std::string(1, ' ').append(std::to_string(found->get<double>() * 1e-9)).append(" s");
}

nlohmann::json parameters_of(const std::string& line, const std::string& cases_file) {
  try {
    return parse_json_line(line);
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(cases_file + ": not JSON: " + line);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(cases_file + ": " + error.what());
  }
}

}  // namespace

CheckExit check_cases(Session& session, const Ranks& ranks, const std::string& cases_file, int threads) {
  std::ifstream file(cases_file);
  if (!file)
    throw std::invalid_argument("cannot read '" + cases_file + "': expected a file with one case's parameters a line");
  int cases = 0;
  int skipped = 0;
  bool wrong = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    ++cases;
    const nlohmann::json parameters = parameters_of(line, cases_file);
    const nlohmann::json request = {{"op", "case"}, {"case", parameters}, {"seed", cases}, {"threads", threads}};
    nlohmann::json reply = session.answer(request.dump());
    if (outcome_of(reply) == "ok") reply = session.answer(R"({"op":"verify"})");
    const std::string outcome = outcome_of(reply);
    if (ranks.rank() == 0) std::cerr << outcome << seconds_of(reply) << ' ' << line << reason_of(reply) << '\n';
    if (outcome == "skipped") ++skipped;
    wrong = wrong || (outcome != "ok" && outcome != "skipped");
  }
  if (cases == 0)
    throw std::invalid_argument("'" + cases_file + "' holds no case: expected one case's parameters a line");
  if (wrong) return CheckExit::wrong;
  return skipped == cases ? CheckExit::skipped : CheckExit::ok;
}

}  // namespace rooftop
