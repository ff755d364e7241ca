/// The months of colonies that walk among candidates, around what a rung's ants do.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <rooftop/rung.hpp>
#include <vector>

#include "trails.hpp"
#include "turns.hpp"

namespace ants {

/// A tour is left as it was built.
class AsBuilt {
 public:
  explicit AsBuilt(const Ground& ground) : p_(ground.problem()) {}
  [[nodiscard]] Length improve(City* tour) const { return tour_length(p_, tour); }

 private:
  const Problem& p_;
};

/// A group's tours.
using Group = std::array<City*, ants_of_group>;

/// One iteration process, with what its ants need from the first month to the last.
template <typename Walk, typename Improver>
class CandidateProcess {
 public:
  CandidateProcess(const Ground& ground, int number)
      : ground_(ground),
        number_(number),
        trails_(ground),
        walk_(ground),
        improver_(ground),
        tours_(at(ground.cities()) * ants_of_group),
        best_(at(ground.cities())) {}

  void start() {
    best_length_ = std::numeric_limits<Length>::max();
    construction_ns_ = construction_steps_ = 0;
    trails_.start();
  }
  void month(std::int64_t month) {
    const City n = ground_.cities();
    Group tours;
    for (int ant = 0; ant < ants_of_group; ++ant) tours[at(ant)] = tours_.data() + at(ant) * at(n);
    const std::int64_t start_ns = rooftop::now_ns();
    walk_.walk(trails_, month, number_, tours);
    construction_ns_ += rooftop::now_ns() - start_ns;
    construction_steps_ += std::int64_t{ants_of_group} * n;
    for (City* const tour : tours) {
      const Length length = improver_.improve(tour);
      if (length >= best_length_) continue;
      best_length_ = length;
      std::copy_n(tour, n, best_.data());
    }
    trails_.renew(best_.data());
  }

  /// Once, when its months are over: a line that all threads write each month would cost more than it tells.
  void tell(Ledger& ledger) const {
    ledger.construction_ns += construction_ns_;
    ledger.construction_steps += construction_steps_;
  }

  [[nodiscard]] Length best_length() const { return best_length_; }
  [[nodiscard]] const City* best_tour() const { return best_.data(); }

 private:
  const Ground& ground_;
  int number_;
  Trails trails_;
  Walk walk_;
  Improver improver_;
  rooftop::AlignedArray<City> tours_, best_;
  Length best_length_ = 0;
  std::int64_t construction_ns_ = 0, construction_steps_ = 0;
};

/// `Walk(ground)` has `walk(trails, month, process, tours)`; `Improver(ground)` has `improve(tour)`, which gives the
/// length.
template <typename Walk, typename Improver>
class CandidateMonths : public rooftop::Rung {
 public:
  /// Months end for all processes `together`, or each goes through its own.
  explicit CandidateMonths(const Problem& problem, bool renumbered = false, bool together = true)
      : p_(problem), ground_(problem, renumbered), together_(together), processes_(processes) {}

  void run() override {
    p_.ledger->memory_bytes = static_cast<std::int64_t>(work().working_set_bytes);
    ground_.survey();
    // A thread makes what it works on, so that its memory is near.
#pragma omp parallel for num_threads(p_.threads) schedule(static)
    for (int number = 0; number < processes; ++number) {
      auto& process = processes_[at(number)];
      if (!process) process = std::make_unique<Process>(ground_, number);
      process->start();
    }
    if (together_) {
      for (std::int64_t month = 0; month < months(p_); ++month) end_together(month);
    } else {
      end_apart();
    }
    for (const auto& process : processes_) process->tell(*p_.ledger);
    ground_.tell(best_->best_tour());
  }

 protected:
  [[nodiscard]] const Problem& problem() const { return p_; }

  /// A step multiplies nothing, adds up 16 choices and reads them with their names; a month renews the pheromones.
  [[nodiscard]] rooftop::Work construction_work() const {
    const double n = p_.cities, tours = static_cast<double>(p_.tours), updates = tours / ants_of_group;
    return {.fma_flops = 0,
            .add_flops = n * (tours * (width + 1) + updates * 3 * width),
            .memory_bytes = n * (tours * (8 * width + 8) + updates * 16 * width),
            .working_set_bytes = working_set_bytes(),
            .algorithm = "construction"};
  }

  /// No flops and bytes are stated, and there is no roof: how many exchanges an improver tries depends on the tours.
  [[nodiscard]] rooftop::Work improvement_work(const char* algorithm) const {
    return {.working_set_bytes = working_set_bytes(), .algorithm = algorithm};
  }

 private:
  using Process = CandidateProcess<Walk, Improver>;

  [[nodiscard]] double working_set_bytes() const {
    return p_.cities * (8.0 * width + processes * (8.0 * width + 4 * ants_of_group + 13));
  }

  void end_together(std::int64_t month) {
    MonthClock clock(p_.threads);
#pragma omp parallel num_threads(p_.threads)
    {
#pragma omp for schedule(static) nowait
      for (auto& process : processes_) process->month(month);
      clock.done();
    }
    const std::int64_t start_ns = rooftop::now_ns();
    compare();
    p_.ledger->serial_ns += rooftop::now_ns() - start_ns;
    p_.ledger->waiting_ns += clock.waited_ns();
  }
  void end_apart() {
    Turns turns(months(p_), p_.threads);
    MonthClock clock(p_.threads);
#pragma omp parallel num_threads(p_.threads)
    {
      while (const auto turn = turns.take(omp_get_thread_num())) {
        for (std::int64_t month = turn->first; month < turn->end; ++month) processes_[at(turn->process)]->month(month);
        turns.give_back(*turn);
      }
      clock.done();
    }
    p_.ledger->waiting_ns += clock.waited_ns();
    compare();
  }
  void compare() {
    const auto length = [](const auto& process) { return process->best_length(); };
    best_ = std::ranges::min_element(processes_, {}, length)->get();
  }

  const Problem& p_;
  Ground ground_;
  bool together_;
  std::vector<std::unique_ptr<Process>> processes_;
  const Process* best_ = nullptr;
};

}  // namespace ants
