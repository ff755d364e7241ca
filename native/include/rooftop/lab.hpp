/// What a lab includes: the contract, and the one line that makes a class the lab of its module.
#pragma once

// The contract is precompiled for all labs. A precompiled header may not say the name that each lab is given, or the
// compiler reads all of it anew: this is why the line below is a header of its own.
#include <rooftop/lab_contract.hpp>

/// Makes LAB the lab of this module. Its variants follow, the ladder from the bottom up:
/// `{"10-idea", "The idea.", rooftop::rung<Made>}`.
#define ROOFTOP_LAB(LAB, ...)                                               \
  namespace {                                                               \
  constexpr rooftop::Variant rooftop_variants[] = {__VA_ARGS__};            \
  }                                                                         \
  extern "C" ROOFTOP_VISIBLE const rooftop::LabModule rooftop_lab;          \
  const rooftop::LabModule rooftop_lab = {rooftop::lab_abi,                 \
                                          ROOFTOP_LAB_NAME,                 \
                                          LAB::fields,                      \
                                          rooftop_variants,                 \
                                          rooftop::detail::checks_of<LAB>,  \
                                          rooftop::detail::create_lab<LAB>, \
                                          rooftop::detail::mpi_from_all_threads<LAB>()}
