#include <iostream>
#include <nlohmann/json.hpp>
#include <rooftop/check_lab.hpp>
#include <rooftop/lab_experiment.hpp>
#include <rooftop/lab_file.hpp>
#include <rooftop/read_parameters.hpp>
#include <stdexcept>

namespace rooftop {
namespace {

struct Checked {
  std::string outcome;
  std::string reason;
};

Checked outcome_of(const nlohmann::json& reply) {
  const std::string key = reply.contains("message") ? "message" : "reason";
  return {reply.value("outcome", "failed"), reply.contains(key) ? reply[key].get<std::string>() : ""};
}

/// The first outcome that is not what it must be.
Checked check(Session& session, const nlohmann::json& request) {
  for (const auto& reply : {session.answer(request.dump()), session.answer(R"({"op":"verify"})")}) {
    if (Checked found = outcome_of(reply); found.outcome != "ok") return found;
  }
  const Checked untouched = outcome_of(session.verify_planted(Session::Fault::untouched));
  if (untouched.outcome != "wrong") {
    return {"failed", "the verifier does not catch a result that was left untouched: " + untouched.outcome};
  }
  const Checked spoiled = outcome_of(session.verify_planted(Session::Fault::spoiled));
  if (spoiled.outcome != "wrong") {
    return {"failed", "the verifier does not catch a result that was spoiled: " + spoiled.outcome};
  }
  return {"ok", ""};
}

}  // namespace

CheckExit check_lab(const LabModule& lab, Ranks& ranks, const std::vector<int>& threads) {
  int checks = 0;
  int skipped = 0;
  bool wrong = false;
  for (const Variant& variant : lab.variants) {
    LabExperiment experiment(lab);
    LabFile file(lab, variant);
    Session session(experiment, file, ranks);
    for (const auto& values : lab.checks()) {
      for (const int count : threads) {
        const nlohmann::json parameters = to_json(lab.fields, values);
        const Checked found =
            check(session, {{"op", "case"}, {"case", parameters}, {"seed", ++checks}, {"threads", count}});
        if (ranks.rank() == 0) {
          std::cerr << found.outcome << ' ' << variant.name << ' ' << parameters.dump() << ", threads " << count
                    << (found.reason.empty() ? "" : ": " + found.reason) << '\n';
        }
        if (found.outcome == "skipped") ++skipped;
        wrong = wrong || (found.outcome != "ok" && found.outcome != "skipped");
      }
    }
  }
  if (checks == 0) throw std::invalid_argument(std::string(lab.name) + " has no variant or no checks: expected both");
  if (wrong) return CheckExit::wrong;
  return skipped == checks ? CheckExit::skipped : CheckExit::ok;
}

}  // namespace rooftop
