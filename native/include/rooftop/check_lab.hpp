/// Verifying all variants of a lab, and its verifier: how every lab is tested, without a test of its own.
#pragma once

#include <rooftop/check_cases.hpp>
#include <rooftop/lab.hpp>
#include <rooftop/ranks.hpp>
#include <vector>

namespace rooftop {

/// Each variant on each of the lab's own cases, with each number of threads: it must be right twice, and the verifier
/// must catch a result that was left untouched and one that was spoiled. A line for each goes to standard error.
[[nodiscard]] CheckExit check_lab(const LabModule& lab, Ranks& ranks, const std::vector<int>& threads);

}  // namespace rooftop
