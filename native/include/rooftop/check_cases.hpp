/// Verifying a rung on a list of cases: how a rung's tests are run.
#pragma once

#include <rooftop/ranks.hpp>
#include <rooftop/session.hpp>
#include <string>

namespace rooftop {

/// Exit codes: 0 every case is right or skipped, 1 a case is wrong or failed, 77 every case was skipped.
enum class CheckExit : int { ok = 0, wrong = 1, skipped = 77 };

/// Each line of the file is one case's parameters. Each is set up, run and verified, then run and verified again; a
/// line for each goes to standard error: the outcome, the seconds of the last run, the case. Throws
/// std::invalid_argument if the file cannot be read or holds no case.
[[nodiscard]] CheckExit check_cases(Session& session, const Ranks& ranks, const std::string& cases_file, int threads);

}  // namespace rooftop
