/// Nothing is allocated: tours are arrays of integers, and each process has one arena from the first month to the last.
/// Changed from 10-textbook: cities that are left are ones in an array of floats, not a list; a row of choices,
/// pheromone times attraction in single precision, is multiplied by it and summed in 16 parts, and the part that was
/// drawn is looked through. Limit attacked: the allocator, shared by all threads, and copies of texts. What is left is
/// the row. Evidence: no allocations in a month; the time of a step still grows with the cities, by a fraction of a ns
/// for each. Source: the same optimiser's profile, which named string construction and allocation first.
#include <algorithm>
#include <array>
#include <memory>
#include <rooftop/aligned.hpp>
#include <vector>

#include "matrix_colony.hpp"
#include "string_rung.hpp"

namespace {

using ants::at;
using ants::City;
using ants::Length;

class NoAllocation : public rooftop::Rung {
 public:
  explicit NoAllocation(const ants::Problem& problem) : p_(problem) {
    ants::require_matrix_fits(p_);
    attractions_ = rooftop::AlignedArray<float>(at(p_.cities) * ants::row_of(p_));
    for (int number = 0; number < ants::processes; ++number) {
      processes_.push_back(std::make_unique<ants::MatrixProcess>(p_, number));
    }
  }

  void run() override {
    p_.ledger->memory_bytes = static_cast<std::int64_t>(work().working_set_bytes);
#pragma omp parallel for num_threads(p_.threads) schedule(static)
    for (City a = 0; a < p_.cities; ++a) ants::fill_attractions(p_, a, attractions_.data() + at(a) * ants::row_of(p_));
#pragma omp parallel for num_threads(p_.threads) schedule(static)
    for (auto& process : processes_) process->start(attractions_.data());
    const ants::MatrixProcess* best = nullptr;
    for (std::int64_t month = 0; month < ants::months(p_); ++month) {
      ants::MonthClock clock(p_.threads);
#pragma omp parallel num_threads(p_.threads)
      {
#pragma omp for schedule(static) nowait
        for (auto& process : processes_) process->month(month, attractions_.data());
        clock.done();
      }
      const std::int64_t start_ns = rooftop::now_ns();
      for (const auto& process : processes_) {
        if (best == nullptr || process->best_length() < best->best_length()) best = process.get();
      }
      p_.ledger->serial_ns += rooftop::now_ns() - start_ns;
      p_.ledger->waiting_ns += clock.waited_ns();
    }
    std::copy_n(best->best_tour(), p_.cities, p_.tour);
    *p_.length = best->best_length();
  }

  [[nodiscard]] rooftop::Work work() const override { return ants::matrix_work(p_, sizeof(float), false); }

 private:
  const ants::Problem& p_;
  rooftop::AlignedArray<float> attractions_;
  std::vector<std::unique_ptr<ants::MatrixProcess>> processes_;
};

}  // namespace

ROOFTOP_RUNG(ants::Problem, NoAllocation);
