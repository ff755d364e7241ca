#include <omp.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <rooftop/affinity.hpp>
#include <rooftop/clock.hpp>
#include <rooftop/json_lines.hpp>
#include <rooftop/session.hpp>
#include <rooftop/storage_reads.hpp>
#include <rooftop/timing.hpp>

namespace rooftop {
namespace {

using nlohmann::json;

/// A request that cannot be carried out as it stands.
class BadRequest : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

json reply_to(std::string_view event) { return {{"protocol", protocol_version}, {"event", event}}; }

std::int64_t whole_number(const json& request, const char* field, std::int64_t lowest, std::int64_t highest) {
  const auto found = request.find(field);
  const std::string expected =
      " expected a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest);
  if (found == request.end()) throw BadRequest(std::string("'") + field + "' is missing:" + expected);
  const bool fits = found->is_number_unsigned() ? found->get<std::uint64_t>() <= static_cast<std::uint64_t>(highest)
                                                : found->is_number_integer() && found->get<std::int64_t>() <= highest;
  if (!fits || found->get<std::int64_t>() < lowest) {
    throw BadRequest(std::string("'") + field + "' is " + found->dump() + ":" + expected);
  }
  return found->get<std::int64_t>();
}

std::uint64_t seed_of(const json& request) {
  const auto found = request.find("seed");
  if (found == request.end()) return 1;
  if (!found->is_number_unsigned())
    throw BadRequest("'seed' is " + found->dump() + ": expected a whole number, 0 or more");
  return found->get<std::uint64_t>();
}

json to_json(const Work& work) {
  return {{"fma_flops", work.fma_flops},
          {"add_flops", work.add_flops},
          {"memory_bytes", work.memory_bytes},
          {"working_set_bytes", work.working_set_bytes},
          {"device_bytes", work.device_bytes},
          {"device_calls", work.device_calls},
          {"device_extent_bytes", work.device_extent_bytes},
          {"algorithm", work.algorithm}};
}

/// In a form that keeps NaN and infinity.
std::string cbor(const json& document) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(document);
  return {bytes.begin(), bytes.end()};
}

/// Ends a reply with the exception in flight: skipped with its reason, or failed at this stage.
json outcome_of_exception(json reply, const std::string& stage) {
  reply["stage"] = stage;
  try {
    throw;
  } catch (const Skip& skip) {
    reply["outcome"] = "skipped";
    reply["reason"] = skip.what();
  } catch (const std::bad_alloc&) {
    reply["outcome"] = "failed";
    reply["reason"] = "out of memory";
  } catch (const std::exception& error) {
    reply["outcome"] = "failed";
    reply["reason"] = error.what();
  } catch (...) {
    reply["outcome"] = "failed";
    reply["reason"] = "threw something that is not a std::exception";
  }
  return reply;
}

}  // namespace

json describe(const RungSource& module, std::string_view experiment) {
  const auto reason = module.unsupported();
  json line = {{"protocol", protocol_version}, {"experiment", experiment}, {"module", module.name()}, {"isa", nullptr},
               {"supported", !reason},         {"reason", nullptr},        {"module_abi", module_abi}};
  if (module.isa()) line["isa"] = *module.isa();
  if (reason) line["reason"] = *reason;
  return line;
}

json Session::answer(std::string_view line) {
  try {
    const json request = parse_json_line(line);
    if (!request.is_object())
      throw BadRequest("a request is a JSON object, this is " + std::string(request.type_name()));
    const std::string op = request.value("op", "");
    if (op == "case") return set_case(request);
    if (op == "calibrate") return calibrate(request);
    if (op == "sample") return sample(request);
    if (op == "verify") return verify_planted(Fault::none);
    throw BadRequest("'op' is '" + op + "': expected case, calibrate, sample or verify");
  } catch (const std::exception& error) {
    json reply = reply_to("error");
    reply["message"] = error.what();
    return reply;
  }
}

json Session::set_case(const json& request) {
  json reply = reply_to("case");
  const auto parameters = request.find("case");
  if (parameters == request.end() || !parameters->is_object()) {
    throw BadRequest("'case' is missing: expected an object with the case's parameters");
  }
  const std::uint64_t seed = seed_of(request);
  const int threads = static_cast<int>(whole_number(request, "threads", 1, 4096));

  // The rung before its problem: it points into it.
  rung_.reset();
  verified_ = false;
  run_ns_ = 0;
  if (const auto reason = module_.unsupported()) {
    reply["outcome"] = "skipped";
    reply["reason"] = *reason;
    return reply;
  }
  std::string stage = "load";
  try {
    together([this] { module_.load(experiment_.problem_type()); });
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
    stage = "set_up";
    together([&] {
      experiment_.set_ranks(ranks_.rank(), ranks_.size());
      experiment_.set_up(*parameters, seed, threads);
    });
    stage = "create";
    together([this] { rung_ = module_.create(experiment_.problem()); });
    stage = "prepare";
    together([this] { rung_->prepare(); });
    reply["binding"] = binding(threads);
    reply = judged_run(stage, reply);
    stage = "work";
    reply["work"] = to_json(rung_->work());
    return reply;
  } catch (...) {
    rung_.reset();
    return outcome_of_exception(std::move(reply), stage);
  }
}

json Session::judged_run(std::string& stage, json reply, Fault fault) {
  verified_ = false;
  std::int64_t read_bytes = -1;  // of all ranks, from storage; not known
  stage = "poison";
  together([this] { experiment_.poison(); });
  if (fault != Fault::untouched) {
    stage = "run";
    ranks_.meet();
    const auto before = storage_read_bytes();
    run_ns_ = std::ranges::max(ranks_.all(run_together(*rung_, ranks_)));
    reply["first_run_ns"] = run_ns_;
    if (rung_->starts_anew()) read_bytes = read_from_storage_since(before);
    stage = "finish";
    together([this] { rung_->finish(); });
  }
  if (fault == Fault::spoiled) together([this] { experiment_.spoil(); });
  stage = "verify";
  const Verdict verdict = this->verdict();
  verified_ = verdict.ok && std::isfinite(verdict.error);
  reply["outcome"] = verified_ ? "ok" : "wrong";
  reply["error"] = verdict.error;
  reply["tolerance"] = verdict.tolerance;
  json facts = experiment_.facts();
  if (read_bytes >= 0) facts["figures"]["storage_read_bytes"] = read_bytes;
  if (const json told = of_each(facts); !told.at(0).is_null()) reply["facts"] = told;
  if (!verified_) {
    reply["reason"] = verdict.message.empty() ? "the error is not a finite number" : verdict.message;
  }
  return reply;
}

void Session::together(const std::function<void()>& stage) {
  if (ranks_.size() == 1) return stage();
  enum Outcome : std::int64_t { fine, skipped, failed };
  Outcome outcome = fine;
  std::string message;
  try {
    stage();
  } catch (const Skip& skip) {
    outcome = skipped;
    message = skip.what();
  } catch (const std::bad_alloc&) {
    outcome = failed;
    message = "out of memory";
  } catch (const std::exception& error) {
    outcome = failed;
    message = error.what();
  } catch (...) {
    outcome = failed;
    message = "threw something that is not a std::exception";
  }
  const std::vector<std::int64_t> outcomes = ranks_.all(outcome);
  const auto first = std::ranges::find_if(outcomes, [](std::int64_t each) { return each != fine; });
  if (first == outcomes.end()) return;
  const auto rank = static_cast<int>(first - outcomes.begin());
  const std::string told = ranks_.from(rank, message);
  if (*first == skipped) throw Skip(told);
  // What every rank says is no rank's own affair.
  throw std::runtime_error(
      std::ranges::count(outcomes, failed) == ranks_.size() ? told : "rank " + std::to_string(rank) + ": " + told);
}

Verdict Session::verdict() {
  json told;
  together([&] {
    if (ranks_.rank() != 0) return;
    const Verdict verdict = experiment_.verify(rung_->work().algorithm);
    told = {verdict.ok, verdict.error, verdict.tolerance, verdict.message};
  });
  if (ranks_.size() > 1) told = json::from_cbor(ranks_.from(0, cbor(told)));
  return {told.at(0), told.at(1), told.at(2), told.at(3)};
}

std::int64_t Session::read_from_storage_since(std::optional<std::int64_t> before) {
  const auto now = storage_read_bytes();
  const std::vector<std::int64_t> read = ranks_.all(before && now ? *now - *before : -1);
  return std::ranges::min(read) < 0 ? -1 : std::accumulate(read.begin(), read.end(), std::int64_t{0});
}

json Session::of_each(const json& own) {
  json all = json::array();
  for (int rank = 0; rank < ranks_.size(); ++rank) all.push_back(json::parse(ranks_.from(rank, own.dump())));
  return all;
}

json Session::binding(int threads) {
  json threads_of_all = json::array();
  for (const json& rank : of_each(team_binding(threads))) {
    threads_of_all.insert(threads_of_all.end(), rank.begin(), rank.end());
  }
  return threads_of_all;
}

void Session::require_timeable() const {
  if (!rung_) throw BadRequest("no case is set up: expected a 'case' that did not fail first");
  if (!verified_) throw BadRequest("the result is wrong: a wrong result has no time");
}

json Session::calibrate(const json& request) {
  json reply = reply_to("calibrate");
  constexpr std::int64_t hour_ns = 3'600'000'000'000;
  const std::int64_t min_ns = whole_number(request, "min_ns", 1, hour_ns);
  require_timeable();
  try {
    const Calibration calibration = rooftop::calibrate(*rung_, min_ns, ranks_, run_ns_);
    run_ns_ = calibration.elapsed_ns / calibration.iterations;
    reply["iterations"] = calibration.iterations;
    reply["elapsed_ns"] = calibration.elapsed_ns;
  } catch (...) {
    return outcome_of_exception(std::move(reply), "calibrate");
  }
  return reply;
}

json Session::sample(const json& request) {
  json reply = reply_to("sample");
  const std::int64_t iterations = whole_number(request, "iterations", 1, std::int64_t{1} << 40);
  require_timeable();
  try {
    const std::vector<std::int64_t> ranks_ns = sample_ns(*rung_, iterations, ranks_, run_ns_);
    reply["iterations"] = iterations;
    reply["elapsed_ns"] = std::ranges::max(ranks_ns);
    reply["ranks_ns"] = ranks_ns;
  } catch (...) {
    return outcome_of_exception(std::move(reply), "sample");
  }
  return reply;
}

json Session::verify_planted(Fault fault) {
  if (!rung_) throw BadRequest("no case is set up: expected a 'case' that did not fail first");
  std::string stage;
  try {
    return judged_run(stage, reply_to("verify"), fault);
  } catch (...) {
    return outcome_of_exception(reply_to("verify"), stage);
  }
}

}  // namespace rooftop
